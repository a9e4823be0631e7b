#pragma once

#include "contraflow/exec.hpp"

#include <cstddef>

namespace contraflow {

// Raw memory of a back end. All throw BackendError; copies to or from the host block.
void* allocate_bytes(const Exec& exec, std::size_t bytes); ///< zeroed
void free_bytes(const Exec& exec, void* pointer) noexcept;
void copy_to_device(const Exec& exec, void* device, const void* host, std::size_t bytes);
void copy_to_host(const Exec& exec, void* host, const void* device, std::size_t bytes);
void copy_on_device(const Exec& exec, void* to, const void* from, std::size_t bytes); ///< ordered
void zero_bytes(const Exec& exec, void* pointer, std::size_t bytes);                  ///< ordered
void synchronise(const Exec& exec);

/// Makes device `index` current and returns an Exec with a stream of its own on it; the stream
/// lives until the program ends. Throws BackendError.
Exec open_cuda_device(int index);

/// Name and free and total memory of a CUDA device.
struct DeviceInfo {
  char name[256] = "";
  std::size_t free = 0, total = 0;
};
DeviceInfo cuda_device_info(int index);

/// Free memory of the current CUDA device, in bytes.
std::size_t free_cuda_memory();

} // namespace contraflow
