#include "apps/contraflow/common.hpp"

#include "contraflow/version.hpp"
#include "src/core/memory.hpp"

#include <fstream>
#include <thread>

#include <fmt/format.h>

namespace contraflow::app {

int info() {
  fmt::print("contraflow {} (commit {})\n", version(), commit());
  fmt::print("back ends: cpu{}\n", built_with_cuda() ? ", cuda" : " (built without CUDA)");
  fmt::print("cpu: {} threads", std::thread::hardware_concurrency());
  std::ifstream memory{"/proc/meminfo"};
  std::string key;
  double kilobytes = 0, total = 0;
  while (memory >> key) {
    if (key == "MemTotal:" && memory >> kilobytes) total = kilobytes / (1 << 20);
    if (key == "MemAvailable:" && memory >> kilobytes) break;
  }
  fmt::print(", {:.1f} GiB of memory, {:.1f} available\n", total, kilobytes / (1 << 20));
  for (int device = 0; device < cuda_devices(); ++device) {
    const DeviceInfo about = cuda_device_info(device);
    const double gigabyte = 1 << 30;
    fmt::print("cuda:{}: {}, {:.1f} GiB of memory, {:.1f} free\n", device, about.name,
               static_cast<double>(about.total) / gigabyte,
               static_cast<double>(about.free) / gigabyte);
  }
  if (built_with_cuda() && cuda_devices() == 0) fmt::print("cuda: no device found\n");
  return success;
}

} // namespace contraflow::app
