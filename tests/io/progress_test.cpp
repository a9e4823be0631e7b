#include "src/io/progress.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace contraflow::test {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

/// A file to write to that is not a terminal.
class PlainOutput {
public:
  ~PlainOutput() { std::fclose(file_); }
  std::FILE* file() const { return file_; }
  std::vector<std::string> lines() const {
    std::string text(static_cast<std::size_t>(std::ftell(file_)), '\0');
    std::rewind(file_);
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), file_), text.size());
    return split(text, '\n');
  }

private:
  std::FILE* file_ = std::tmpfile();
};

/// A terminal of a given width whose screen the test reads.
class Terminal {
public:
  explicit Terminal(unsigned short width) : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    ::grantpt(master_);
    ::unlockpt(master_);
    file_ = ::fdopen(::open(::ptsname(master_), O_RDWR | O_NOCTTY), "w");
    const winsize size{24, width, 0, 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
  }
  ~Terminal() {
    std::fclose(file_);
    ::close(master_);
  }
  std::FILE* file() const { return file_; }
  std::string written() const {
    std::string text; // comes in pieces; none for a while: that was all
    char piece[4096];
    for (pollfd ready{master_, POLLIN, 0}; ::poll(&ready, 1, 200) > 0;) {
      const ssize_t size = ::read(master_, piece, sizeof piece);
      if (size <= 0) break;
      text.append(piece, static_cast<std::size_t>(size));
    }
    return text;
  }

private:
  int master_;
  std::FILE* file_;
};

} // namespace

TEST(Progress, ShowsTheFirstAndTheLastStateInPlainLines) {
  const PlainOutput out;
  double now = 0;
  Progress progress("run", 1000, out.file(), 0, [&] { return now; });
  for (long step = 1; step <= 99; ++step) {
    now = 0.01 * static_cast<double>(step);
    progress.update(step, "Cd 1.35");
  }
  progress.finish();
  progress.finish();
  progress.update(100);
  EXPECT_EQ(out.lines(),
            (std::vector<std::string>{"run   0 %  1/1000  100/s  10 s left  Cd 1.35",
                                      "run   9 %  99/1000  100/s  took 1 s  Cd 1.35"}));
}

TEST(Progress, WritesPlainLinesEveryTenSecondsOrTenPercent) {
  const PlainOutput slow, quick;
  double now = 0;
  Progress days("slow", 1'000'000, slow.file(), 0, [&] { return now; });
  for (long step = 1; step <= 60; ++step) {
    now = static_cast<double>(step);
    days.update(step);
  }
  EXPECT_EQ(slow.lines().size(), 6u); // after 1, 11, 21, 31, 41 and 51 s
  Progress moment("quick", 1000, quick.file(), 0, [] { return 0.; });
  for (long step = 1; step <= 1000; ++step) moment.update(step);
  EXPECT_EQ(quick.lines().size(), 10u); // 1 and 100, 200, ... 900
  moment.finish();
  EXPECT_EQ(quick.lines().size(), 11u);
}

TEST(Progress, PlainLinesHoldNoControlCharacters) {
  const PlainOutput out;
  Progress progress("run", 10, out.file());
  progress.update(3);
  progress.finish();
  for (const std::string& line : out.lines()) {
    for (const char c : line) EXPECT_GE(c, ' ') << line;
  }
}

TEST(Progress, CountsTheRateFromWhereTheRunResumed) {
  const PlainOutput out;
  double now = 0;
  Progress progress("run", 1000, out.file(), 900, [&] { return now; });
  now = 2;
  progress.update(920);
  EXPECT_EQ(out.lines(), std::vector<std::string>{"run  92 %  920/1000  10/s  8 s left"});
}

TEST(Progress, LeavesOutWhatAnUnknownTotalCannotTell) {
  const PlainOutput out;
  double now = 0;
  Progress progress("search", 0, out.file(), 0, [&] { return now; });
  now = 100;
  progress.update(5, "J 0.1");
  EXPECT_EQ(out.lines(), std::vector<std::string>{"search 5  0.05/s  J 0.1"});
}

TEST(Progress, TellsLongTimesInHours) {
  const PlainOutput out;
  double now = 0;
  Progress progress("run", 10000, out.file(), 0, [&] { return now; });
  now = 10;
  progress.update(10);
  progress.update(2000);
  EXPECT_EQ(out.lines(), (std::vector<std::string>{"run   0 %  10/10000  1/s  2:46:30 h left",
                                                   "run  20 %  2000/10000  200/s  40 s left"}));
}

TEST(Progress, RedrawsOneLineOfATerminalTenTimesASecond) {
  const Terminal terminal(100);
  double now = 5;
  Progress progress("run", 1000, terminal.file(), 0, [&] { return now; });
  for (long step = 1; step <= 1000; ++step) { // a second
    now = 5 + 0.001 * static_cast<double>(step);
    progress.update(step, "Cd 1.35");
  }
  progress.finish();
  const auto drawn = split(terminal.written(), '\r');
  EXPECT_GE(drawn.size(), 11u);
  EXPECT_LE(drawn.size(), 14u); // the start, ten redraws, the end, the terminal's own \r
  EXPECT_NE(drawn[5].find("[############"), std::string::npos) << drawn[5];
  EXPECT_NE(drawn[5].find("Cd 1.35"), std::string::npos) << drawn[5];
  EXPECT_NE(drawn[drawn.size() - 2].find("100 %"), std::string::npos);
  EXPECT_EQ(drawn.back(), "\n");
}

TEST(Progress, CutsTheLineToTheWidthOfTheTerminal) {
  for (const int width : {10, 40, 60, 200}) {
    const Terminal terminal(static_cast<unsigned short>(width));
    double now = 0;
    Progress progress("rün", 1000, terminal.file(), 0, [&] { return now; });
    now = 1;
    progress.update(500, "Cd 1.35 Cl 0.02");
    const std::string line = terminal.written();
    const std::string visible = line.substr(1, line.find('\x1b') - 1);
    EXPECT_LT(static_cast<int>(visible.size()) - 1, width) << visible; // ü has two bytes
    if (width < 60) continue;
    EXPECT_NE(visible.find("Cl 0.02"), std::string::npos) << visible;
  }
}

TEST(Progress, LeavesTheTerminalOnANewLineWhenItIsAbandoned) {
  const Terminal terminal(80);
  { Progress(std::string("run"), 10, terminal.file()).update(1); }
  EXPECT_TRUE(terminal.written().ends_with("\n"));
}

} // namespace contraflow::test
