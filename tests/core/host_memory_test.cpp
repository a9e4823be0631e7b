#include "src/core/host_memory.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace contraflow::test {
namespace {

constexpr std::uint64_t gigabyte = 1 << 30;

/// A machine of 16 GiB, 12 of them free.
class HostMemoryOf : public ::testing::Test {
protected:
  HostMemoryOf() {
    write("proc/meminfo", "MemTotal: 16777216 kB\nMemFree: 1 kB\nMemAvailable: 12582912 kB\n");
  }
  void write(const std::string& file, const std::string& text) {
    const auto path = folder.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path} << text;
  }
  void expect(std::uint64_t total, std::uint64_t free) const {
    const HostMemory memory = host_memory(folder.path());
    EXPECT_EQ(memory.total, total * gigabyte);
    EXPECT_EQ(memory.free, free * gigabyte);
  }
  TemporaryFolder folder;
};

TEST_F(HostMemoryOf, AMachineIsWhatTheKernelCallsAvailable) { expect(16, 12); }

TEST_F(HostMemoryOf, AContainerIsWhatItsLimitLeaves) {
  write("sys/fs/cgroup/memory.max", "4294967296\n");
  write("sys/fs/cgroup/memory.current", "3221225472\n");
  expect(4, 1);
  write("sys/fs/cgroup/memory.stat", "anon 5\ninactive_file 2147483648\n");
  expect(4, 3);
  write("sys/fs/cgroup/memory.max", "max\n");
  expect(16, 12);
}

TEST_F(HostMemoryOf, ANestedGroupIsTheLeastOfAllLimitsAboveIt) {
  write("proc/self/cgroup", "0::/user/job\n");
  write("sys/fs/cgroup/user/memory.max", "2147483648\n");
  write("sys/fs/cgroup/user/memory.current", "1073741824\n");
  write("sys/fs/cgroup/user/job/memory.max", "8589934592\n");
  write("sys/fs/cgroup/user/job/memory.current", "0\n");
  expect(2, 1);
}

TEST_F(HostMemoryOf, AnOldHierarchyCountsToo) {
  write("proc/self/cgroup", "5:cpu:/x\n4:memory:/job\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1073741824\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5368709120\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "3221225472\n");
  expect(5, 2);
}

TEST_F(HostMemoryOf, AGroupOverItsLimitHasNothingFree) {
  write("sys/fs/cgroup/memory.max", "1073741824\n");
  write("sys/fs/cgroup/memory.current", "2147483648\n");
  expect(1, 0);
}

TEST(HostMemory, OfThisMachineIsSane) {
  const HostMemory memory = host_memory();
  EXPECT_GT(memory.free, 1u << 20);
  EXPECT_LE(memory.free, memory.total);
}

} // namespace
} // namespace contraflow::test
