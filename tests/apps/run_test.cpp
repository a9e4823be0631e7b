// The verb `run`: what it writes, how it ends.
#include "src/io/csv.hpp"
#include "src/io/hdf5.hpp"
#include "src/io/restart.hpp"
#include "tests/apps/program.hpp"
#include "tests/apps/small_cases.hpp"
#include "tests/io/child.hpp"

#include <cmath>
#include <regex>

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

namespace fs = std::filesystem;

/// The files that an index of fields names.
std::set<std::string> listed_in(const fs::path& index) {
  const std::string text = contents(index);
  const std::regex name{R"([\w.]+\.vtkhdf)"};
  return {std::sregex_token_iterator{text.begin(), text.end(), name}, {}};
}

/// Whatever is in the folder can be read, at any moment.
void expect_all_opens(const fs::path& folder) {
  for (const auto& [name, bytes] : all_files(folder)) {
    const fs::path file = folder / name;
    const std::string kind = file.extension().string();
    const auto open = [&] {
      if (kind == ".csv") read_csv(file);
      if (kind == ".h5") read_provenance(file);
      if (kind == ".vtkhdf") hdf5::read_file(file, [](hid_t) {});
    };
    EXPECT_NO_THROW(open()) << name;
    if (kind != ".xmf") continue;
    for (const std::string& listed : listed_in(file)) {
      EXPECT_TRUE(fs::exists(folder / listed)) << listed;
    }
  }
}

/// Every file of the two folders has the same bytes.
void expect_equal_folders(const fs::path& a, const fs::path& b) {
  const auto one = all_files(a), other = all_files(b);
  for (const auto& [name, bytes] : one) EXPECT_EQ(other.count(name), 1u) << name;
  for (const auto& [name, bytes] : other) {
    EXPECT_TRUE(one.count(name) == 1 && one.at(name) == bytes) << name;
  }
}

const Arguments& chatty_case() { // long enough to be stopped, with many files
  static const Arguments arguments{"run",   "case.toml",
                                   "--set", patience > 1 ? "time.steps=150" : "time.steps=400",
                                   "--set", "output.fields_every=1.5",
                                   "--set", "output.restart_every=0.5"};
  return arguments;
}

Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

class ProgramRun : public testing::Test {
protected:
  ProgramRun() { put(folder / "case.toml", cylinder); }
  Outcome call(const Arguments& arguments) { return contraflow(folder, arguments); }
  TemporaryFolder folder;
};

TEST_F(ProgramRun, WritesForcesFieldsReportAndRestart) {
  const Outcome outcome = call({"run", "case.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(folder.names(), (std::set<std::string>{"case.toml", "case_out"}));
  const fs::path out = folder / "case_out";
  expect_all_opens(out);
  std::set<std::string> names;
  for (const auto& [name, bytes] : all_files(out)) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"flow.xmf", "flow.vtkhdf.series", "flow_000000.vtkhdf",
                                          "flow_000020.vtkhdf", "forces.csv", "report.html",
                                          "resolved.toml", "restart.h5"}));
  const CsvTable forces = read_csv(out / "forces.csv");
  ASSERT_EQ(forces.rows.size(), 20u);
  EXPECT_EQ(forces.column("step").back(), 19);
  EXPECT_GT(forces.column("Cd").back(), 1);
  EXPECT_LT(std::abs(forces.column("Cl").back()), 1e-3);
}

TEST_F(ProgramRun, MarksEveryFileWithVersionAndResolvedCase) {
  ASSERT_EQ(call({"run", "case.toml"}).code, 0);
  std::string version = call({"--version"}).out;
  version.pop_back();
  for (const auto& [name, bytes] : all_files(folder / "case_out")) {
    if (name == "flow.xmf" || name.ends_with(".series")) continue; // mere lists of the others
    EXPECT_NE(bytes.find(version), std::string::npos) << name;
    EXPECT_NE(bytes.find("viscosity = 0.025"), std::string::npos) << name;
    EXPECT_NE(bytes.find("mask_shift = -0."), std::string::npos) << name;
  }
}

TEST_F(ProgramRun, RepeatsTheBitsOfItsResolvedCase) {
  ASSERT_EQ(call({"run", "case.toml", "-o", "first"}).code, 0);
  fs::copy(folder / "first" / "resolved.toml", folder / "again.toml");
  ASSERT_EQ(call({"run", "again.toml", "-o", "second", "--threads", "1"}).code, 0);
  expect_equal_folders(folder / "first", folder / "second");
}

TEST_F(ProgramRun, TakesAnIntervalBeyondItsEndAsItsEnd) {
  ASSERT_EQ(call({"run", "case.toml", "--set", "output.fields_every=1e9"}).code, 0);
  EXPECT_EQ(listed_in(folder / "case_out" / "flow.xmf"),
            (std::set<std::string>{"flow_000000.vtkhdf", "flow_000020.vtkhdf"}));
}

TEST_F(ProgramRun, EndsWithoutBodiesToo) {
  put(folder / "cavity.toml", cavity);
  put(folder / "periodic.toml", periodic);
  for (const std::string name : {"cavity", "periodic"}) {
    const Outcome outcome = call({"run", name + ".toml"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto files = all_files(folder / (name + "_out"));
    EXPECT_EQ(read_csv(folder / (name + "_out") / "forces.csv").rows.size(), 20u);
    EXPECT_EQ(files.count("report.html"), 1u);
    EXPECT_EQ(files.count("flow_000020.vtkhdf"), 1u);
  }
}

TEST_F(ProgramRun, RunsInThreeDimensions) {
  put(folder / "sphere.toml", sphere);
  const Outcome outcome = call({"run", "sphere.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GT(read_csv(folder / "sphere_out" / "forces.csv").column("Cd").back(), 1);
}

TEST_F(ProgramRun, KeepsNamesOfBodiesOutOfColumnsAndPaths) {
  const std::string second = "[[body]]\nname = \"../a, b\"\nshape = \"circle\"\nradius = 0.5\n"
                             "centre = [0, 1.5]\n";
  put(folder / "case.toml", cylinder + second);
  const Outcome outcome =
      call({"run", "case.toml", "--set", "grid.y={from=-3, to=4, fine=[-1, 2.5], growth=[1, 1]}"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const CsvTable forces = read_csv(folder / "case_out" / "forces.csv");
  EXPECT_EQ(forces.columns.size(), 14u);
  EXPECT_NO_THROW(forces.column("cylinder_Cd"));
  EXPECT_EQ(folder.names(), (std::set<std::string>{"case.toml", "case_out"}));
}

TEST_F(ProgramRun, NamesStepAndFieldOfABlowUpAndKeepsTheLastGoodState) {
  ASSERT_EQ(call({"run", "case.toml"}).code, 0); // whose report must not stay
  const Arguments blow_up{"run", "case.toml", "--set", "initial.perturbation=20"};
  const Outcome outcome = call(blow_up);
  EXPECT_EQ(outcome.code, 1);
  std::smatch found;
  const std::regex words{R"(error: the flow blew up in step (\d+) \(t = [\d.]+\): [uvp] )"};
  ASSERT_TRUE(std::regex_search(outcome.err, found, words)) << outcome.err;
  const long step = std::stol(found[1]);
  EXPECT_GT(step, 0); // the jolt takes some steps to grow
  EXPECT_FALSE(fs::exists(folder / "case_out" / "report.html"));
  expect_all_opens(folder / "case_out");
  const auto fields = listed_in(folder / "case_out" / "flow.xmf");
  EXPECT_EQ(fields.count("flow_0000" + std::string(step < 10 ? "0" : "") + std::to_string(step) +
                         ".vtkhdf"),
            1u);
  const Outcome again = call(with(blow_up, {"--resume"}));
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.err.find("step " + std::to_string(step)), std::string::npos) << again.err;
}

TEST_F(ProgramRun, FailsInOneLineWhenTheDiskIsFull) {
  for (const auto& [bytes, file] : {std::pair{50'000, "restart.h5"}, {70'000, "report.html"}}) {
    Program program{folder, {"run", "case.toml"}, [bytes = bytes] {
                      limit_file_size(static_cast<rlim_t>(bytes));
                    }};
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    const auto error = outcome.err.find("error: ");
    ASSERT_NE(error, std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(file, error), std::string::npos) << outcome.err;
    EXPECT_EQ(lines_in(outcome.err.substr(error)), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(folder / "case_out" / file));
    expect_all_opens(folder / "case_out");
  }
  EXPECT_EQ(call({"run", "case.toml", "--resume"}).code, 0);
}

TEST_F(ProgramRun, ResumesWhatWasKilledAtAnyMoment) {
  ASSERT_EQ(call(with(chatty_case(), {"-o", "unbroken"})).code, 0);
  Arguments arguments = with(chatty_case(), {"-o", "killed"});
  for (const int milliseconds : {30, 80, 110, 50, 140, 70}) {
    Program program{folder, arguments};
    std::this_thread::sleep_for(std::chrono::milliseconds{milliseconds * patience});
    program.send(SIGKILL);
    program.wait();
    if (!fs::exists(folder / "killed" / "resolved.toml")) continue;
    expect_all_opens(folder / "killed");
    arguments = with(chatty_case(), {"-o", "killed", "--resume"});
  }
  const Outcome last = call(arguments);
  ASSERT_EQ(last.code, 0) << last.err;
  for (const auto& [name, bytes] : all_files(folder / "killed")) { // left of a file being written
    if (name.ends_with(".tmp")) fs::remove(folder / "killed" / name);
  }
  expect_equal_folders(folder / "unbroken", folder / "killed");
}

TEST_F(ProgramRun, KnowsItsCaseBeforeAnythingElseIsSaved) {
  const Arguments slow{"run", "case.toml", "-o", "out", "--set", "time.steps=200000"};
  Program program{folder, slow};
  ASSERT_TRUE(wait_until([&] { return fs::exists(folder / "out" / "restart.h5"); }));
  program.send(SIGKILL);
  program.wait();
  const Outcome other = call(with(slow, {"--resume", "--set", "flow.viscosity=0.02"}));
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("flow.viscosity"), std::string::npos) << other.err;
}

TEST_F(ProgramRun, SavesOnInterruptAndGoesOn) {
  ASSERT_EQ(call(with(chatty_case(), {"-o", "unbroken"})).code, 0);
  Program program{folder, with(chatty_case(), {"-o", "stopped"})};
  const fs::path forces = folder / "stopped" / "forces.csv";
  ASSERT_TRUE(wait_until([&] { return fs::exists(forces) && !read_csv(forces).rows.empty(); }));
  program.send(SIGINT);
  const Outcome stopped = program.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_NE(stopped.out.find("--resume"), std::string::npos);
  expect_all_opens(folder / "stopped");
  const Outcome resumed = call(with(chatty_case(), {"-o", "stopped", "--resume"}));
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  std::smatch stop, start;
  ASSERT_TRUE(std::regex_search(stopped.out, stop, std::regex{R"(interrupted at step (\d+))"}));
  ASSERT_TRUE(std::regex_search(resumed.out, start, std::regex{R"(going on at step (\d+))"}));
  EXPECT_EQ(start[1], stop[1]); // nothing was lost
  expect_equal_folders(folder / "unbroken", folder / "stopped");
}

TEST_F(ProgramRun, GoesOnForLongerWithTheSameStep) {
  ASSERT_EQ(call({"run", "case.toml", "-o", "whole", "--set", "time.steps=30"}).code, 0);
  ASSERT_EQ(call({"run", "case.toml", "-o", "longer"}).code, 0);
  const Outcome outcome =
      call({"run", "case.toml", "-o", "longer", "--resume", "--set", "time.steps=30"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const CsvTable whole = read_csv(folder / "whole" / "forces.csv");
  EXPECT_EQ(read_csv(folder / "longer" / "forces.csv").rows, whole.rows);
  const Outcome backwards =
      call({"run", "case.toml", "-o", "longer", "--resume", "--set", "time.steps=10"});
  EXPECT_EQ(backwards.code, 2);
  EXPECT_NE(backwards.err.find("step 30"), std::string::npos) << backwards.err;
}

TEST_F(ProgramRun, KeepsItsTimeStepWhenItsEndMoves) {
  const auto until = [&](const std::string& end, const Arguments& more) {
    return call(with({"run", "case.toml", "-o", "moved", "--set", "time.end=" + end}, more));
  };
  ASSERT_EQ(until("0.5", {}).code, 0);
  const double step = read_csv(folder / "moved" / "forces.csv").column("time").front();
  ASSERT_EQ(until("0.8", {"--resume"}).code, 0);
  const auto time = read_csv(folder / "moved" / "forces.csv").column("time");
  EXPECT_EQ(time.front(), step);
  EXPECT_DOUBLE_EQ(time.back(), step * static_cast<double>(time.size()));
  EXPECT_GE(time.back(), 0.8 - 1e-12);
  EXPECT_LT(time.back(), 0.8 + step);
}

TEST_F(ProgramRun, RefusesToGoOnWithAnotherCaseAndSaysWhatDiffers) {
  ASSERT_EQ(call({"run", "case.toml", "-o", "out"}).code, 0);
  const auto before = all_files(folder / "out");
  const struct {
    Arguments set;
    std::string words;
  } changes[] = {{{"--set", "flow.viscosity=0.02"}, "flow.viscosity was 0.025 and is now 0.02"},
                 {{"--set", "body.0.radius=0.51"}, "body.0.radius was 0.5 and is now 0.51"},
                 {{"--set", "body.0.rotation=1"}, "body.0.rotation = 1"},
                 {{"--set", "time.cfl=0.2"}, "time.cfl was 0.3 and is now 0.2"},
                 {{"--precision", "double"}, "precision was \"float\" and is now \"double\""}};
  for (const auto& [set, words] : changes) {
    const Outcome outcome = call(with({"run", "case.toml", "-o", "out", "--resume"}, set));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(all_files(folder / "out"), before);
}

TEST_F(ProgramRun, RefusesACorruptRestartAndLeavesAllAsItIs) {
  ASSERT_EQ(call({"run", "case.toml", "-o", "out"}).code, 0);
  std::string bytes = contents(folder / "out" / "restart.h5");
  const std::string whole = bytes;
  bytes[bytes.size() / 2] ^= 1;
  for (const std::string& corrupt : {bytes, whole.substr(0, whole.size() / 2), std::string{}}) {
    put(folder / "out" / "restart.h5", corrupt);
    const auto before = all_files(folder / "out");
    const Outcome outcome = call({"run", "case.toml", "-o", "out", "--resume"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(lines_in(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("restart.h5"), std::string::npos) << outcome.err;
    EXPECT_EQ(all_files(folder / "out"), before);
  }
  put(folder / "out" / "restart.h5", whole);
  put(folder / "out" / "forces.csv", "step,time\n0,zero\n");
  const Outcome outcome = call({"run", "case.toml", "-o", "out", "--resume"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("forces.csv"), std::string::npos) << outcome.err;
}

TEST_F(ProgramRun, StartsFromARecordedFlow) {
  ASSERT_EQ(
      call({"run", "case.toml", "--set", "output.record=flow.h5", "--set", "time.steps=10"}).code,
      0);
  ASSERT_EQ(call({"run", "case.toml", "-o", "second", "--set", "time.start_from=flow.h5", "--set",
                  "time.steps=10"})
                .code,
            0);
  ASSERT_EQ(call({"run", "case.toml", "-o", "whole"}).code, 0);
  const auto second = read_csv(folder / "second" / "forces.csv").column("Cd");
  const auto whole = read_csv(folder / "whole" / "forces.csv").column("Cd");
  for (std::size_t n = 0; n < second.size(); ++n) EXPECT_EQ(second[n], whole[n + 10]);
}

} // namespace
} // namespace contraflow::test
