#include "contraflow/error.hpp"
#include "src/io/restart.hpp"
#include "tests/io/child.hpp"
#include "tests/io/grids.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>

namespace contraflow::test {

namespace {

/// Every bit pattern is a value: NaNs with payloads, denormals, both zeros.
std::vector<double> random_bits(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(count);
  for (double& value : values) {
    const std::uint64_t bits = random();
    std::memcpy(&value, &bits, sizeof value);
  }
  return values;
}

FlowState make_state(int dimension) {
  FlowState state{
      .step = 1234567890123L, .time = 0.1 + 0.2, .dt = 1. / 3, .velocity = {}, .pressure = {}};
  state.velocity = {random_bits(300, 1), random_bits(301, 2), {}};
  if (dimension == 3) state.velocity[2] = random_bits(299, 3);
  state.pressure = random_bits(280, 4);
  return state;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

bool same_bits(const FlowState& a, const FlowState& b) {
  return a.step == b.step && a.time == b.time && a.dt == b.dt &&
         same_bits(a.pressure, b.pressure) && same_bits(a.velocity[0], b.velocity[0]) &&
         same_bits(a.velocity[1], b.velocity[1]) && same_bits(a.velocity[2], b.velocity[2]);
}

} // namespace

TEST(Restart, ReturnsEveryBitOfTheState) {
  for (const int dimension : {2, 3}) {
    const TemporaryFolder folder;
    const Grid grid = make_grid(dimension, true);
    write_restart(folder / "restart.h5", grid, make_state(dimension), "v1");
    EXPECT_TRUE(same_bits(read_restart(folder / "restart.h5", grid), make_state(dimension)));
    EXPECT_EQ(folder.names(), std::set<std::string>{"restart.h5"});
  }
}

TEST(Restart, ReplacesTheOlderFile) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  FlowState state = make_state(2);
  write_restart(folder / "restart.h5", grid, state, "v1");
  state.step = 7;
  write_restart(folder / "restart.h5", grid, state, "v1");
  EXPECT_EQ(read_restart(folder / "restart.h5", grid).step, 7);
}

TEST(Restart, IsAnHdf5FileWithItsProvenance) {
  const TemporaryFolder folder;
  write_restart(folder / "restart.h5", make_grid(2, true), make_state(2), "contraflow 1 abc");
  const std::string bytes = contents(folder / "restart.h5");
  EXPECT_EQ(bytes.substr(0, 8), "\x89HDF\r\n\x1a\n");
  EXPECT_NE(bytes.find("contraflow 1 abc"), std::string::npos);
}

TEST(Restart, RefusesAnotherGridAndSaysWhichAxisDiffers) {
  const TemporaryFolder folder;
  const std::string file = (folder / "restart.h5").string();
  write_restart(file, make_grid(2, false), make_state(2), "");
  const auto complaint = [&](const Grid& grid) {
    EXPECT_THROW(read_restart(file, grid), CaseError);
    return message_of([&] { read_restart(file, grid); });
  };
  Grid longer = make_grid(2, false);
  longer.faces[1].push_back(9);
  EXPECT_EQ(complaint(longer), file + " is of another grid: along y it has 5 cells, the case 6");
  Grid moved = make_grid(2, false);
  moved.faces[0][3] = -1.25;
  EXPECT_EQ(complaint(moved), file + " is of another grid: along x it has face 3 at "
                                     "-1.2, the case at -1.25");
  EXPECT_EQ(complaint(make_grid(3, false)),
            file + " is of another grid: it has 2 dimensions, the case 3");
}

TEST(Restart, AcceptsAGridThatDiffersByRounding) {
  const TemporaryFolder folder;
  Grid grid = make_grid(2, false);
  write_restart(folder / "restart.h5", grid, make_state(2), "");
  grid.faces[0][3] += 1e-15;
  EXPECT_TRUE(same_bits(read_restart(folder / "restart.h5", grid), make_state(2)));
}

TEST(Restart, RefusesAFileThatIsTornAnywhere) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  write_restart(folder / "restart.h5", grid, make_state(2), "v1");
  const std::string whole = contents(folder / "restart.h5");
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    put(folder / "torn.h5", whole.substr(0, size));
    EXPECT_THROW(read_restart(folder / "torn.h5", grid), FileError) << size;
  }
  put(folder / "torn.h5", whole.substr(0, whole.size() - 1));
  EXPECT_THROW(read_restart(folder / "torn.h5", grid), FileError);
}

TEST(Restart, RefusesAFileInWhichAByteHasChanged) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  write_restart(folder / "restart.h5", grid, make_state(2), "v1");
  const std::string whole = contents(folder / "restart.h5");
  for (std::size_t at = 0; at < whole.size(); at += 61) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x41);
    put(folder / "changed.h5", changed);
    EXPECT_THROW(read_restart(folder / "changed.h5", grid), FileError) << at;
  }
}

TEST(Restart, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  put(folder / "garbage.h5", std::string(5000, 'x'));
  EXPECT_EQ(message_of([&] { read_restart(folder / "garbage.h5", grid); }),
            "cannot read " + (folder / "garbage.h5").string() +
                ": not a restart file of contraflow, or only a part of one");
  EXPECT_EQ(message_of([&] { read_restart(folder / "none.h5", grid); }),
            "cannot read " + (folder / "none.h5").string() + ": No such file or directory");
  EXPECT_THROW(read_restart(folder.path(), grid), FileError);
}

TEST(Restart, KeepsTheOlderFileWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  write_restart(folder / "restart.h5", grid, make_state(2), "v1");
  const auto size = std::filesystem::file_size(folder / "restart.h5");
  for (const auto limit : {std::uintmax_t{0}, size / 2, size - 17, size - 1}) {
    const int code = in_child([&] {
      limit_file_size(limit);
      const auto write = [&] { write_restart(folder / "restart.h5", grid, make_state(2), "v1"); };
      return message_of(write).ends_with("File too large") ? 0 : 1;
    });
    EXPECT_EQ(code, 0) << "limit " << limit;
    EXPECT_EQ(folder.names(), std::set<std::string>{"restart.h5"});
    EXPECT_TRUE(same_bits(read_restart(folder / "restart.h5", grid), make_state(2)));
  }
}

} // namespace contraflow::test
