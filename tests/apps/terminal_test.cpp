// Progress: one line that is redrawn on a terminal, plain lines elsewhere.
#include "tests/apps/program.hpp"
#include "tests/apps/small_cases.hpp"

#include <pty.h>

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

/// What the program writes to a terminal of 100 columns.
std::string on_terminal(const TemporaryFolder& folder, const std::string& verb) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = 100;
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    ::setenv("OMP_WAIT_POLICY", "passive", 1);
    if (::chdir(folder.path().c_str()) == 0) {
      ::execl(CONTRAFLOW_PROGRAM, CONTRAFLOW_PROGRAM, verb.c_str(), "case.toml", nullptr);
    }
    ::_exit(99);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << text;
  return text;
}

std::size_t count_of(const std::string& what, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(ProgramProgress, IsOneRedrawnLineOnATerminal) {
  const TemporaryFolder folder;
  put(folder / "case.toml", cylinder);
  const std::string text = on_terminal(folder, "run");
  EXPECT_GE(count_of("\rrun [", text), 1u) << text;
  EXPECT_EQ(count_of("\nrun [", text), 0u) << text; // never a second line
  EXPECT_NE(text.find("100 %  20/20"), std::string::npos) << text;
  EXPECT_NE(text.find("Cd "), std::string::npos) << text;
}

TEST(ProgramProgress, IsPlainLinesElsewhere) {
  const TemporaryFolder folder;
  put(folder / "case.toml", cylinder);
  const Outcome outcome = contraflow(folder, {"run", "case.toml"});
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("run 100 %  20/20"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out.find("20/20"), std::string::npos) << outcome.out;
}

} // namespace
} // namespace contraflow::test
