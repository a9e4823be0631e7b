#include "apps/contraflow/common.hpp"

#include "contraflow/version.hpp"
#include "src/core/host_memory.hpp"
#include "src/core/memory.hpp"

#include <thread>

#include <fmt/format.h>

namespace contraflow::app {

int info() {
  fmt::print("contraflow {} (commit {})\n", version(), commit());
  fmt::print("back ends: cpu{}\n", built_with_cuda() ? ", cuda" : " (built without CUDA)");
  fmt::print("cpu: {} threads", std::thread::hardware_concurrency());
  const HostMemory memory = host_memory();
  const double gigabyte = 1 << 30;
  fmt::print(", {:.1f} GiB of memory, {:.1f} available\n",
             static_cast<double>(memory.total) / gigabyte,
             static_cast<double>(memory.free) / gigabyte);
  for (int device = 0; device < cuda_devices(); ++device) {
    const DeviceInfo about = cuda_device_info(device);
    fmt::print("cuda:{}: {}, {:.1f} GiB of memory, {:.1f} free\n", device, about.name,
               static_cast<double>(about.total) / gigabyte,
               static_cast<double>(about.free) / gigabyte);
  }
  if (built_with_cuda() && cuda_devices() == 0) fmt::print("cuda: no device found\n");
  return success;
}

} // namespace contraflow::app
