// The commands of docs/guide.md run as they stand there.
#include "tests/apps/program.hpp"
#include "tests/apps/small_cases.hpp"

#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

namespace fs = std::filesystem;

/// The words behind `contraflow` of every indented line that begins with it.
std::vector<Arguments> commands_in(const fs::path& page) {
  std::vector<Arguments> commands;
  std::istringstream lines{contents(page)};
  for (std::string line; std::getline(lines, line);) {
    const std::string prefix = "    contraflow ";
    if (!line.starts_with(prefix)) continue;
    std::erase(line, '"'); // as a shell would
    std::istringstream words{line.substr(prefix.size())};
    commands.push_back({std::istream_iterator<std::string>{words}, {}});
  }
  return commands;
}

TEST(Guide, HoldsCommandsThatRun) {
  if (patience > 1) GTEST_SKIP() << "too slow under a sanitizer; the cpu preset runs it";
  const fs::path root = fs::absolute(CONTRAFLOW_SOURCE_DIR);
  const TemporaryFolder folder;
  fs::create_symlink(root / "data", folder / "data");
  const auto commands = commands_in(root / "docs" / "guide.md");
  EXPECT_GE(commands.size(), 8u);
  for (const Arguments& command : commands) {
    const Outcome outcome = contraflow(folder, command);
    EXPECT_EQ(outcome.code, 0) << testing::PrintToString(command) << outcome.out << outcome.err;
  }
}

} // namespace
} // namespace contraflow::test
