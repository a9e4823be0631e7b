#pragma once

#include <cstdint>
#include <filesystem>

namespace contraflow {

/// In bytes.
struct HostMemory {
  std::uint64_t total = 0, free = 0;
};

/// What this process may use: the machine's memory, or what is left of the limit of a control group
/// (a container) where that is less. `root`: of the file system, for tests.
HostMemory host_memory(const std::filesystem::path& root = "/");

} // namespace contraflow
