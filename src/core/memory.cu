// Memory, streams and devices. Besides this file only the launch code (kernels/run_impl.hpp,
// reduce_impl.hpp) and src/pressure/cublas.cu ask which compiler is reading them.
#include "src/core/memory.hpp"

#include "contraflow/error.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace contraflow {

[[noreturn]] void throw_no_cuda() {
  throw BackendError{"this build has no CUDA kernels; configure with -DCONTRAFLOW_CUDA=ON"};
}

namespace {

void* allocate_on_host(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  void* pointer = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (pointer == nullptr) throw std::bad_alloc{};
  std::memset(pointer, 0, bytes);
  return pointer;
}

} // namespace

#ifdef __CUDACC__

bool built_with_cuda() { return true; }

int cuda_devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

void throw_if_cuda_failed(int status, const char* what) {
  if (status == cudaSuccess) return;
  throw BackendError{std::string{what} + ": " +
                     cudaGetErrorString(static_cast<cudaError_t>(status))};
}

void* allocate_bytes(const Exec& exec, std::size_t bytes) {
  if (exec.backend == Backend::cpu) return allocate_on_host(bytes);
  void* pointer = nullptr;
  throw_if_cuda_failed(cudaMalloc(&pointer, bytes), "allocate device memory");
  throw_if_cuda_failed(cudaMemsetAsync(pointer, 0, bytes, exec.stream), "clear device memory");
  return pointer;
}

void free_bytes(const Exec& exec, void* pointer) noexcept {
  if (exec.backend == Backend::cpu) return std::free(pointer);
  cudaFree(pointer);
}

void copy_to_device(const Exec& exec, void* device, const void* host, std::size_t bytes) {
  if (exec.backend == Backend::cpu) {
    std::memcpy(device, host, bytes);
    return;
  }
  throw_if_cuda_failed(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, exec.stream),
                       "copy to device");
  synchronise(exec);
}

void copy_to_host(const Exec& exec, void* host, const void* device, std::size_t bytes) {
  if (exec.backend == Backend::cpu) {
    std::memcpy(host, device, bytes);
    return;
  }
  throw_if_cuda_failed(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, exec.stream),
                       "copy to host");
  synchronise(exec);
}

void copy_on_device(const Exec& exec, void* to, const void* from, std::size_t bytes) {
  if (exec.backend == Backend::cpu) {
    std::memcpy(to, from, bytes);
    return;
  }
  throw_if_cuda_failed(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, exec.stream),
                       "copy on device");
}

void zero_bytes(const Exec& exec, void* pointer, std::size_t bytes) {
  if (exec.backend == Backend::cpu) {
    std::memset(pointer, 0, bytes);
    return;
  }
  throw_if_cuda_failed(cudaMemsetAsync(pointer, 0, bytes, exec.stream), "clear device memory");
}

void synchronise(const Exec& exec) {
  if (exec.backend == Backend::cpu) return;
  throw_if_cuda_failed(cudaStreamSynchronize(exec.stream), "wait for the device");
}

Exec open_cuda_device(int index) {
  throw_if_cuda_failed(cudaSetDevice(index), "select the device");
  cudaStream_t stream = nullptr;
  throw_if_cuda_failed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "open a stream");
  return Exec::cuda(stream);
}

DeviceInfo cuda_device_info(int index) {
  cudaDeviceProp properties{};
  throw_if_cuda_failed(cudaGetDeviceProperties(&properties, index), "ask for the device");
  DeviceInfo info;
  static_assert(sizeof info.name == sizeof properties.name);
  std::memcpy(info.name, properties.name, sizeof info.name);
  int current = 0;
  throw_if_cuda_failed(cudaGetDevice(&current), "ask for the current device");
  throw_if_cuda_failed(cudaSetDevice(index), "select the device");
  throw_if_cuda_failed(cudaMemGetInfo(&info.free, &info.total), "ask for free memory");
  throw_if_cuda_failed(cudaSetDevice(current), "select the device");
  return info;
}

std::size_t free_cuda_memory() {
  std::size_t free = 0, total = 0;
  throw_if_cuda_failed(cudaMemGetInfo(&free, &total), "ask for free memory");
  return free;
}

#else

bool built_with_cuda() { return false; }
int cuda_devices() { return 0; }
void throw_if_cuda_failed(int, const char*) {}

void* allocate_bytes(const Exec& exec, std::size_t bytes) {
  if (exec.backend == Backend::cuda) throw_no_cuda();
  return allocate_on_host(bytes);
}
void free_bytes(const Exec&, void* pointer) noexcept { std::free(pointer); }
void copy_to_device(const Exec&, void* device, const void* host, std::size_t bytes) {
  std::memcpy(device, host, bytes);
}
void copy_to_host(const Exec&, void* host, const void* device, std::size_t bytes) {
  std::memcpy(host, device, bytes);
}
void copy_on_device(const Exec&, void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}
void zero_bytes(const Exec&, void* pointer, std::size_t bytes) { std::memset(pointer, 0, bytes); }
void synchronise(const Exec&) {}
Exec open_cuda_device(int) { throw_no_cuda(); }
DeviceInfo cuda_device_info(int) { throw_no_cuda(); }
std::size_t free_cuda_memory() { throw_no_cuda(); }

#endif

} // namespace contraflow
