#include "src/core/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace contraflow {

namespace {

namespace fs = std::filesystem;

/// "max", or no such file: nothing.
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream stream{file};
  std::uint64_t value = 0;
  if (stream >> value) return value;
  return std::nullopt;
}

/// What the kernel can take back, of the pages that count as used: those of files.
std::uint64_t reclaimable(const fs::path& file) {
  std::ifstream stream{file};
  std::string key;
  std::uint64_t value = 0;
  while (stream >> key >> value) {
    if (key == "inactive_file" || key == "total_inactive_file") return value;
  }
  return 0;
}

void limit(HostMemory& memory, const fs::path& group, const char* most, const char* used) {
  const auto bytes = number_in(group / most), taken = number_in(group / used);
  if (!bytes || !taken) return;
  const std::uint64_t kept = *taken - std::min(*taken, reclaimable(group / "memory.stat"));
  memory.total = std::min(memory.total, *bytes);
  memory.free = std::min(memory.free, *bytes - std::min(*bytes, kept));
}

/// The control group of this process, below a hierarchy: lines "0::/path" (version 2) and
/// "4:memory:/path" (version 1).
fs::path own_group(const fs::path& list, const std::string& controller) {
  std::ifstream stream{list};
  std::string line;
  while (std::getline(stream, line)) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.substr(first + 1, second - first - 1) == controller) {
      return fs::path{line.substr(second + 1)}.relative_path();
    }
  }
  return {};
}

} // namespace

HostMemory host_memory(const fs::path& root) {
  HostMemory memory;
  std::ifstream info{root / "proc/meminfo"};
  std::string key;
  std::uint64_t kilobytes = 0;
  while (info >> key) {
    if (key == "MemTotal:" && info >> kilobytes) memory.total = 1024 * kilobytes;
    if (key == "MemAvailable:" && info >> kilobytes) memory.free = 1024 * kilobytes;
  }
  const fs::path groups = root / "sys/fs/cgroup", list = root / "proc/self/cgroup";
  // Every group on the way from the root may have a limit.
  fs::path below = groups;
  limit(memory, below, "memory.max", "memory.current");
  for (const fs::path& part : own_group(list, "")) {
    below /= part;
    limit(memory, below, "memory.max", "memory.current");
  }
  below = groups / "memory";
  limit(memory, below, "memory.limit_in_bytes", "memory.usage_in_bytes");
  for (const fs::path& part : own_group(list, "memory")) {
    below /= part;
    limit(memory, below, "memory.limit_in_bytes", "memory.usage_in_bytes");
  }
  return memory;
}

} // namespace contraflow
