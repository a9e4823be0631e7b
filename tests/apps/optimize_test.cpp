// The verb `optimize`: what it writes, how it ends, how it goes on.
#include "src/design/airfoil_file.hpp"
#include "src/io/csv.hpp"
#include "tests/apps/program.hpp"
#include "tests/apps/small_cases.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

namespace fs = std::filesystem;

class ProgramOptimisation : public testing::Test {
protected:
  ProgramOptimisation() {
    put(folder / "problem.toml", problem);
    put(folder / "foil.toml", foil);
  }
  Outcome optimise(const Arguments& more) {
    Arguments arguments{"optimize", "problem.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return contraflow(folder, arguments);
  }
  std::size_t rows_in(const std::string& out) const {
    const fs::path history = folder / out / "history.csv";
    return fs::exists(history) ? read_csv(history).rows.size() : 0;
  }
  /// What a resumed optimisation must have in common with an unbroken one: all but torn files.
  std::map<std::string, std::string> results(const std::string& out) const {
    auto files = all_files(folder / out);
    std::erase_if(files, [](const auto& file) {
      return file.first.ends_with(".tmp") || file.first.ends_with(".part");
    });
    return files;
  }
  TemporaryFolder folder;
};

TEST_F(ProgramOptimisation, LogsEveryEvaluationAndItsShape) {
  const Outcome outcome = optimise({});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const fs::path out = folder / "problem_out";
  const CsvTable history = read_csv(out / "history.csv");
  ASSERT_GE(history.rows.size(), 3u);
  EXPECT_LE(history.rows.size(), 6u);
  for (std::size_t n = 0; n < history.rows.size(); ++n) {
    EXPECT_TRUE(fs::exists(out / "shapes" / ("evaluation_000" + std::to_string(n) + ".dat"))) << n;
  }
  const auto objective = history.column("objective");
  EXPECT_LT(objective.back(), objective.front());
  for (const char* name : {"best.dat", "best.csv", "best.xmf", "best.vtp", "report.html",
                           "evaluations.log", "resolved.toml"}) {
    EXPECT_TRUE(fs::exists(out / name)) << name;
  }
}

TEST_F(ProgramOptimisation, KeepsTheBestOfItsHistory) {
  ASSERT_EQ(optimise({}).code, 0);
  const CsvTable history = read_csv(folder / "problem_out" / "history.csv");
  const auto best = history.column("best"), viscosity = history.column("viscosity");
  std::size_t last = 0;
  for (std::size_t n = 0; n < best.size(); ++n) {
    if (best[n] == 1) last = n;
  }
  const std::string table = contents(folder / "problem_out" / "best.csv");
  const auto at = table.rfind(',');
  EXPECT_EQ(std::stod(table.substr(at + 1)), viscosity[last]);
}

TEST_F(ProgramOptimisation, ExportsAnAirfoilThatItCanReadAgain) {
  const Outcome outcome = contraflow(folder, {"optimize", "foil.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const fs::path best = folder / "foil_out" / "best.dat";
  const AirfoilPoints points = read_airfoil(best.string());
  EXPECT_NEAR(points.points.front()[0], 1,
              1e-9); // trailing edge, chord of one, upper surface first
  EXPECT_GT(points.points[points.leading_edge / 2][1], 0);
  const CsvTable history = read_csv(folder / "foil_out" / "history.csv");
  double lowest = INFINITY, angle = 0;
  for (const auto& row : history.rows) {
    if (row[3] == 1) lowest = row[1], angle = row.back();
  }
  const Outcome again = contraflow(
      folder,
      {"gradient", "foil.toml", "-o", "again", "--set", "control=[{kind=\"angle\"}]", "--set",
       "body=[{name=\"foil\", shape=\"airfoil\", file=\"foil_out/best.dat\", angle=" +
           std::to_string(angle * 180 / std::acos(-1)) + "}]"});
  ASSERT_EQ(again.code, 0) << again.err;
  const std::string table = contents(folder / "again" / "gradient.csv");
  const auto at = table.find("# drag = ");
  ASSERT_NE(at, std::string::npos) << table;
  EXPECT_NEAR(std::stod(table.substr(at + 9)), lowest, 1e-3 * lowest);
}

TEST_F(ProgramOptimisation, ResumesWhatWasKilledAtAnyMoment) {
  ASSERT_EQ(optimise({"-o", "unbroken"}).code, 0);
  for (const int milliseconds : {60, 120, 90, 180}) {
    const bool started = fs::exists(folder / "killed" / "evaluations.log");
    Arguments arguments{"optimize", "problem.toml", "-o", "killed"};
    if (started) arguments.push_back("--resume");
    Program program{folder, arguments};
    std::this_thread::sleep_for(std::chrono::milliseconds{milliseconds * patience});
    program.send(SIGKILL);
    program.wait();
    if (fs::exists(folder / "killed" / "history.csv")) {
      EXPECT_NO_THROW(read_csv(folder / "killed" / "history.csv"));
    }
  }
  const Outcome last = optimise({"-o", "killed", "--resume"});
  ASSERT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(results("killed"), results("unbroken"));
}

TEST_F(ProgramOptimisation, EndsAfterTheEvaluationWhenInterrupted) {
  const Arguments longer{"--set", patience > 1 ? "time.steps=100" : "time.steps=400"};
  Arguments first{"optimize", "problem.toml", "-o", "stopped"};
  first.insert(first.end(), longer.begin(), longer.end());
  Program program{folder, first};
  ASSERT_TRUE(wait_until([&] { return rows_in("stopped") >= 1; }));
  program.send(SIGINT);
  const Outcome stopped = program.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  EXPECT_NE(stopped.out.find("--resume"), std::string::npos) << stopped.out;
  EXPECT_NE(stopped.err.find("once more"), std::string::npos) << stopped.err;
  const std::size_t kept = rows_in("stopped");
  EXPECT_GE(kept, 1u);
  EXPECT_LT(kept, 6u);
  const Outcome resumed = optimise({"-o", "stopped", "--resume", longer[0], longer[1]});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.out.find("evaluation   0 (replayed)"), std::string::npos) << resumed.out;
  EXPECT_GT(rows_in("stopped"), kept);
}

TEST_F(ProgramOptimisation, EndsAtOnceWhenInterruptedTwice) {
  Program program{folder, {"optimize", "problem.toml", "-o", "out", "--set", "time.steps=200000"}};
  ASSERT_TRUE(wait_until([&] { return fs::exists(folder / "out" / "evaluations.log"); }));
  program.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds{100});
  program.send(SIGINT);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(program.wait().code, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds{5});
}

TEST_F(ProgramOptimisation, GoesOnWhenMoreEvaluationsAreAllowed) {
  ASSERT_EQ(optimise({"-o", "out", "--set", "optimizer.max_evaluations=2"}).code, 0);
  EXPECT_EQ(rows_in("out"), 2u);
  ASSERT_EQ(optimise({"-o", "out", "--resume", "--set", "optimizer.max_evaluations=4"}).code, 0);
  ASSERT_EQ(optimise({"-o", "whole", "--set", "optimizer.max_evaluations=4"}).code, 0);
  EXPECT_EQ(read_csv(folder / "out" / "history.csv").rows,
            read_csv(folder / "whole" / "history.csv").rows);
  EXPECT_EQ(contents(folder / "out" / "best.csv"), contents(folder / "whole" / "best.csv"));
}

TEST_F(ProgramOptimisation, RefusesALogOfAnotherCaseAndLeavesAllAsItIs) {
  ASSERT_EQ(optimise({"-o", "out", "--set", "optimizer.max_evaluations=2"}).code, 0);
  const auto before = all_files(folder / "out");
  const struct {
    std::string set, words;
  } changes[] = {{"body.0.radius=0.51", "body.0.radius was 0.5 and is now 0.51"},
                 {"control.0.upper=3", "control.0.upper"},
                 {"optimizer.method=mma", "method"},
                 {"constraint.0.at_least=0", "constraint.0.at_least"}};
  for (const auto& [set, words] : changes) {
    const Outcome outcome = optimise({"-o", "out", "--resume", "--set", set});
    EXPECT_EQ(outcome.code, 2) << set;
    EXPECT_EQ(lines_in(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(all_files(folder / "out"), before);
}

TEST_F(ProgramOptimisation, RefusesACorruptLogAndLeavesAllAsItIs) {
  ASSERT_EQ(optimise({"-o", "out", "--set", "optimizer.max_evaluations=2"}).code, 0);
  put(folder / "out" / "evaluations.log", "not a log at all");
  const auto before = all_files(folder / "out");
  const Outcome outcome = optimise({"-o", "out", "--resume"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("evaluations.log"), std::string::npos) << outcome.err;
  EXPECT_EQ(all_files(folder / "out"), before);
}

TEST_F(ProgramOptimisation, KeepsTheLogOfAnEarlierSearchAside) {
  ASSERT_EQ(optimise({"-o", "out"}).code, 0);
  const std::string log = contents(folder / "out" / "evaluations.log");
  ASSERT_EQ(optimise({"-o", "out", "--set", "optimizer.max_evaluations=1"}).code, 0);
  EXPECT_EQ(contents(folder / "out" / "evaluations_previous.log"), log);
  EXPECT_FALSE(fs::exists(folder / "out" / "shapes" / "evaluation_0001.dat"));
}

TEST_F(ProgramOptimisation, TakesEveryMethodItsConstraintsAllow) {
  for (const std::string method : {"slsqp", "mma"}) {
    EXPECT_EQ(optimise({"-o", method, "--set", "optimizer.method=" + method}).code, 0) << method;
  }
  EXPECT_EQ(contraflow(folder, {"optimize", "foil.toml", "--set", "optimizer.method=lbfgs"}).code,
            0);
}

// Without bounds L-BFGS soon asks for a shape that is none.
TEST_F(ProgramOptimisation, GoesOnFromTheBestWhenADesignCannotBe) {
  const Outcome outcome =
      contraflow(folder, {"optimize", "foil.toml", "--set", "optimizer.method=lbfgs", "--set",
                          "optimizer.max_evaluations=8"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(": diverged: "), std::string::npos) << outcome.out;
  const CsvTable history = read_csv(folder / "foil_out" / "history.csv");
  const auto objective = history.column("objective");
  EXPECT_TRUE(std::any_of(objective.begin(), objective.end(), [](double x) { return x != x; }));
  EXPECT_TRUE(fs::exists(folder / "foil_out" / "report.html"));
}

} // namespace
} // namespace contraflow::test
