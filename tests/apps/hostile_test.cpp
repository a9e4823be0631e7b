// What the program says of wrong input: one line that names what is wrong, exit code 2, and not a
// single file.
#include "tests/apps/program.hpp"
#include "tests/apps/small_cases.hpp"

#include <regex>

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

struct Hostile {
  std::string name;
  Arguments arguments;
  std::vector<std::string> words; ///< all of them in the message
};

std::ostream& operator<<(std::ostream& out, const Hostile& hostile) { return out << hostile.name; }

class HostileCall : public testing::TestWithParam<Hostile> {};

TEST_P(HostileCall, IsRefusedInOneLineAndWritesNothing) {
  const TemporaryFolder folder;
  put(folder / "case.toml", cylinder);
  put(folder / "problem.toml", problem);
  put(folder / "noise.toml", "\x01\xff garbage = [");
  put(folder / "empty.toml", "");
  std::filesystem::create_directory(folder / "folder");
  const auto before = folder.names();
  const Outcome outcome = contraflow(folder, GetParam().arguments);
  EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
  EXPECT_EQ(folder.names(), before);
  EXPECT_EQ(lines_in(outcome.err), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("error: ")) << outcome.err;
  EXPECT_EQ(outcome.err.find("terminate"), std::string::npos);
  for (const std::string& word : GetParam().words) {
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in " << outcome.err;
  }
}

const Hostile on_the_command_line[] = {
    {"UnknownVerb", {"fly", "case.toml"}, {"fly", "run"}},
    {"NearVerb", {"optimise", "case.toml"}, {"optimise", "did you mean", "optimize"}},
    {"NoCase", {"run"}, {"CASE", "contraflow run --help"}},
    {"TwoCases", {"run", "case.toml", "problem.toml"}, {"problem.toml"}},
    {"UnknownOption", {"run", "case.toml", "--wings"}, {"--wings", "contraflow run --help"}},
    {"MissingFile", {"run", "nothing.toml"}, {"nothing.toml", "no such file"}},
    {"FolderAsCase", {"run", "folder"}, {"folder"}},
    {"Garbage", {"run", "noise.toml"}, {"noise.toml"}},
    {"EmptyCase", {"run", "empty.toml"}, {"empty.toml"}},
    {"UnknownDevice", {"run", "case.toml", "--device", "gpu"}, {"--device gpu", "cuda:N"}},
    {"NoSuchDevice", {"run", "case.toml", "--device", "cuda:997"}, {"--device cuda:997"}},
    {"NegativeDevice", {"run", "case.toml", "--device", "cuda:-1"}, {"--device cuda:-1"}},
    {"UnknownPrecision", {"run", "case.toml", "--precision", "half"}, {"half", "float"}},
    {"NoThreads", {"run", "case.toml", "--threads", "0"}, {"--threads"}},
    {"WordAsThreads", {"run", "case.toml", "--threads", "many"}, {"--threads"}},
    {"SetWithoutValue", {"run", "case.toml", "--set", "flow"}, {"--set flow", "KEY=VALUE"}},
    {"SetNothing", {"run", "case.toml", "--set", "=3"}, {"--set =3"}},
    {"SetUnknownKey",
     {"run", "case.toml", "--set", "flow.reynold=3"},
     {"flow.reynold", "did you mean", "reynolds"}},
    {"SetWrongType", {"run", "case.toml", "--set", "flow.reynolds=fast"}, {"fast", "number"}},
    {"SetNoSuchBody", {"run", "case.toml", "--set", "body.7.radius=1"}, {"body.7.radius=1"}},
    {"FolderThatCannotBe", {"run", "case.toml", "-o", "/proc/nowhere"}, {"/proc/nowhere"}},
    {"FileAsFolder", {"run", "case.toml", "-o", "problem.toml"}, {"problem.toml"}},
    {"ResumeWithoutRun", {"run", "case.toml", "--resume"}, {"--resume", "restart.h5"}},
    {"ResumeWithoutLog", {"optimize", "problem.toml", "--resume"}, {"--resume", "evaluations.log"}},
    {"ResumeGradient", {"gradient", "problem.toml", "--resume"}, {"--resume"}},
    {"FolderForCheck", {"check", "case.toml", "-o", "folder"}, {"-o"}}};

const Hostile in_the_case[] = {
    {"GradientWithoutControls", {"gradient", "case.toml"}, {"case.toml", "[[control]]"}},
    {"OptimisationWithoutControls", {"optimize", "case.toml"}, {"case.toml", "[[control]]"}},
    {"BodyOutside", {"run", "case.toml", "--set", "body.0.centre=[3.9, 0]"}, {"body.0", "x"}},
    {"UnstableStep", {"run", "case.toml", "--set", "time.step=0.2"}, {"time.step", "0.2"}},
    {"NegativeViscosity", {"run", "case.toml", "--set", "flow.viscosity=-1"}, {"flow.viscosity"}},
    {"FrozenStepTooLong", {"run", "case.toml", "--set", "frozen.dt=5"}, {"frozen.dt", "5"}},
    {"UnstableFrozenStep", {"run", "case.toml", "--set", "frozen.dt=0.2"}, {"frozen.dt", "0.2"}},
    {"OutflowTooFast",
     {"run", "case.toml", "--set", "boundary.x_high={type=\"outflow\", speed=1000}"},
     {"boundary.x_high.speed", "1000", "at most"}},
    {"FrozenStepTooShort",
     {"run", "case.toml", "--set", "frozen.dt=1e-300", "--set", "time.end=1"},
     {"frozen.dt", "1e9 steps"}},
    {"NoRestartToStartFrom", {"run", "case.toml", "--set", "time.start_from=nix.h5"}, {"nix.h5"}},
    {"TextAsRestart",
     {"run", "case.toml", "--set", "time.start_from=problem.toml"},
     {"problem.toml", "not a restart file"}},
    {"NoFolderToRecordIn",
     {"run", "case.toml", "--set", "output.record=nowhere/flow.h5"},
     {"output.record", "nowhere"}},
    {"TextAsTarget",
     {"gradient", "problem.toml", "--set",
      "objective=[{kind=\"velocity_misfit\", target_file=\"case.toml\"}]"},
     {"case.toml", "not a restart file"}},
    {"RegionBetweenFaces",
     {"optimize", "problem.toml", "--set",
      "objective=[{kind=\"velocity_misfit\", target=[1, 0], region={low=[0.01, 0.01], "
      "high=[0.02, 0.02]}}]"},
     {"region"}},
    {"ConstraintForLbfgs",
     {"optimize", "problem.toml", "--set", "optimizer.method=lbfgs"},
     {"lbfgs", "constraint"}},
    {"EqualityForMma",
     {"optimize", "problem.toml", "--set", "optimizer.method=mma", "--set",
      "constraint=[{kind=\"lift\", equals=0.1}]"},
     {"mma", "equality"}},
    {"UnknownMethod",
     {"optimize", "problem.toml", "--set", "optimizer.method=magic"},
     {"magic", "slsqp"}}};

std::string name_of(const testing::TestParamInfo<Hostile>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(OnTheCommandLine, HostileCall, testing::ValuesIn(on_the_command_line),
                         name_of);
INSTANTIATE_TEST_SUITE_P(InTheCase, HostileCall, testing::ValuesIn(in_the_case), name_of);

TEST(Program, RefusesATargetOfAnotherGrid) {
  const TemporaryFolder folder;
  put(folder / "case.toml", cylinder);
  put(folder / "problem.toml", problem);
  ASSERT_EQ(contraflow(folder, {"run", "case.toml", "--set", "output.record=flow.h5", "--set",
                                "grid.y={from=-3, to=3, fine=[-1, 1], growth=[1, 1]}"})
                .code,
            0);
  for (const char* verb : {"gradient", "check", "optimize"}) {
    const Outcome outcome =
        contraflow(folder, {verb, "problem.toml", "--set",
                            "objective=[{kind=\"velocity_misfit\", target_file=\"flow.h5\"}]"});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("flow.h5"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("grid"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "problem_out"));
  }
}

TEST(Program, SaysHowFarTheFinePartMustReach) {
  const TemporaryFolder folder;
  put(folder / "case.toml", cylinder);
  const auto call = [&](const std::string& fine) {
    return contraflow(folder, {"run", "case.toml", "--set",
                               "grid.y={from=-2, to=2, fine=[" + fine + "], growth=[1, 1]}"});
  };
  const Outcome narrow = call("-0.9, 0.9");
  EXPECT_EQ(narrow.code, 2);
  std::smatch found;
  const std::regex range{R"(cover \[([-.\d]+, [-.\d]+)\])"};
  ASSERT_TRUE(std::regex_search(narrow.err, found, range)) << narrow.err;
  const Outcome wide = call(found[1]);
  EXPECT_EQ(wide.code, 0) << wide.err;
}

} // namespace
} // namespace contraflow::test
