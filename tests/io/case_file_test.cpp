#include "tests/io/case_fixture.hpp"

#include <cstring>
#include <random>

namespace contraflow::test {
namespace {

namespace fs = std::filesystem;

const fs::path shipped = fs::path(CONTRAFLOW_SOURCE_DIR) / "data" / "cases";

std::vector<fs::path> shipped_cases() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(shipped)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  return files;
}

/// Reads what write_case says of `c`, from another folder.
Case read_back(const Case& c) {
  const CaseFolder folder;
  Case back = read_case(folder.write(write_case(c), "resolved.toml"), {}, CaseUse::run);
  back.path = c.path;
  return back;
}

TEST(CaseFile, EveryShippedCaseReadsBackIdentically) {
  ASSERT_GE(shipped_cases().size(), 8u);
  for (const fs::path& file : shipped_cases()) {
    const Case c = read_case(file.string(), {}, CaseUse::run);
    EXPECT_FALSE(c.title.empty()) << file;
    EXPECT_TRUE(read_back(c) == c) << file;
    EXPECT_EQ(write_case(read_back(c)), write_case(c)) << file;
  }
}

TEST(CaseFile, ReadsTheValuesOfTheGoodCase) {
  const CaseFolder folder;
  const Case c = read_case(folder.write(good_case));
  EXPECT_EQ(c.flow.viscosity, 0.01);
  EXPECT_EQ(c.grid.dimension, 2);
  EXPECT_EQ(c.grid.axis[0].fine_low, -0.9);
  EXPECT_EQ(c.grid.axis[0].growth_high, 0.5);
  EXPECT_EQ(c.boundary[0][0].type, BoundaryType::inflow);
  EXPECT_EQ(c.boundary[0][0].values, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(c.boundary[1][1].velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(c.initial.velocity, (Vec3{1, 0, 0}));
  ASSERT_EQ(c.bodies.size(), 1u);
  EXPECT_EQ(c.bodies[0].rotation, (std::vector<double>{0, 1}));
  EXPECT_EQ(c.controls[0].body, "cylinder");
  EXPECT_EQ(c.controls[0].lower, (std::vector<double>{-1, -2}));
  EXPECT_EQ(c.constraints[0].kind, ConstraintKind::at_least);
  EXPECT_EQ(c.tape.memory, 1073741824.0);
  EXPECT_EQ(c.objective[0].to, 10);
  EXPECT_EQ(c.objective[1].to, -1);
}

/// A case in which every key differs from its default.
Case unusual_case(const CaseFolder& folder) {
  const std::string airfoil = (shipped.parent_path() / "airfoils" / "e387.dat").string();
  folder.write("a state", "restart.h5");
  folder.write("a flow", "target.h5");
  const std::string text = R"(title = "quote \" backslash \\ tab \t bell \u0007"
precision = "double"
[flow]
viscosity = 0.037
reference_length = 0.7
reference_speed = 1.3
advection = "central"
[grid]
spacing = 0.05
x = {from = -4, to = 6, cells = 200}
y = {from = -4, to = 4, fine = [-1.5, 1.5], growth = [1.1, 0.9]}
z = {from = 0, to = 1, cells = 10}
[boundary]
x_low = {type = "inflow", profile = "values", position = [-1, 1], times = [0, 2.5], values = [[1, 1.1], [0.3, 0.1]]}
x_high = {type = "outflow", speed = 0.77}
y_low = {type = "inflow", profile = "parabolic", speed = 0.1}
y_high = {type = "wall", velocity = [0.2, 0, 0.3]}
z_low = "periodic"
z_high = "periodic"
[time]
scheme = "ssp-rk3"
steps = 77
step = 0.01
start_from = "restart.h5"
[initial]
velocity = [1, 2, 3]
perturbation = 0.3
perturbation_centre = [1, 0.1, 0.2]
perturbation_width = 0.4
[[body]]
name = "wing"
shape = "airfoil"
file = "AIRFOIL"
displacement = [0.001, -0.001, 0.0001, 0.0]
chord = 1.1
pivot = 0.3
angle = 7
centre = [0.1, 0.2, 0.5]
rotation = {times = [0, 1], values = [0.1, -0.1]}
[[body]]
shape = "naca"
naca = 2412
displacement_modes = 3
centre = [0, -0.8, 0.5]
[[body]]
shape = "fourier"
radius = 0.3
scale = 0.9
cosine = [0, 0.02]
sine = [0, 0, 0.01]
centre = [-1.5, 0, 0.5]
rotation = 0.25
[[body]]
shape = "plate"
thickness = 0.05
chord = 0.9
pivot = 0.4
angle = 3
centre = [0, 0.8, 0.5]
[numerics]
mask_width = 2
relaxation_time = 0.9
[frozen]
dt = 0.009
steps = 80
tau = 0.04
mask_shift = -0.2
robin_shift = 0.13
smoothing_speed = 0.05
[output]
directory = "out/here"
fields_every = 0.1
restart_every = 0.2
compression = 4
record = "record.h5"
average_from = 0.3
[[control]]
kind = "shape"
body = "wing"
lower = [-inf, -0.1, -0.1, -0.1]
upper = 0.1
scale = 0.01
[[control]]
kind = "inflow"
side = "x_low"
[[control]]
kind = "angle"
body = "body2"
[[objective]]
kind = "moment"
body = "body3"
weight = 2
window = [0.1, 0.7]
weighting = "hann"
[[objective]]
kind = "velocity_misfit"
region = {low = [1, -1, 0], high = [2, 1, 0.5]}
target_file = "target.h5"
[[constraint]]
kind = "area"
body = "wing"
equals = "start"
tolerance = 0.01
[[constraint]]
kind = "control_effort"
at_most = 3
[optimiser]
method = "slsqp"
max_evaluations = 7
tolerance = 0.01
[check]
steps = 11
seed = 4000000000
[tape]
memory = "1.5 MB"
)";
  return read_case(folder.write(changed(text, "AIRFOIL", airfoil)));
}

TEST(CaseFile, EveryKeySurvivesWritingAndReading) {
  const CaseFolder folder;
  const Case c = unusual_case(folder);
  EXPECT_EQ(c.tape.memory, 1.5e6);
  EXPECT_EQ(c.bodies[1].naca, "2412");
  EXPECT_EQ(c.bodies[3].thickness, 0.05);
  EXPECT_EQ(c.bodies[2].cosine, (std::vector<double>{0, 0.02, 0}));
  EXPECT_EQ(c.boundary[0][0].values, (std::vector<double>{1, 1.1, 0.3, 0.1}));
  EXPECT_NEAR(c.constraints[0].value, 0.07, 0.03);
  const Case back = read_back(c);
  EXPECT_TRUE(back == c);
  EXPECT_EQ(write_case(back), write_case(c));
}

TEST(CaseFile, DoublesReadBackBitForBit) {
  const CaseFolder folder;
  Case c = read_case(folder.write(good_case));
  std::mt19937_64 bits(7);
  std::vector<double>& values = c.bodies[0].rotation;
  std::vector<double>& times = c.bodies[0].rotation_times;
  values = {-0.0, 5e-324, 0.1, 1e22, 123456789012345678.0, 2.2250738585072011e-308};
  while (values.size() < 2000) {
    const std::uint64_t word = bits();
    double x = 0;
    std::memcpy(&x, &word, sizeof x);
    if (std::isfinite(x)) values.push_back(x);
  }
  times.clear();
  for (std::size_t i = 0; i < values.size(); ++i) times.push_back(static_cast<double>(i) / 3);
  c.controls.clear();
  const Case back = read_back(c);
  ASSERT_EQ(back.bodies[0].rotation.size(), values.size());
  EXPECT_EQ(std::memcmp(back.bodies[0].rotation.data(), values.data(), 8 * values.size()), 0);
  EXPECT_EQ(std::memcmp(back.bodies[0].rotation_times.data(), times.data(), 8 * times.size()), 0);
}

TEST(CaseFile, HoldsMotionsAndControlsOfTheirParts) {
  const std::string path = (shipped / "oscillating_cylinder.toml").string();
  const Case c = read_case(path, {"body.0.rotation={amplitude=2, frequency=0.5, phase=30}",
                                  "body.0.velocity=[0.005, 0]"});
  EXPECT_TRUE(c.bodies[0].harmonic_rotation);
  EXPECT_EQ(c.bodies[0].rotation, (std::vector<double>{0, 2, 0.5, 30}));
  EXPECT_EQ(c.bodies[0].velocity, (Vec3{0.005, 0, 0}));
  EXPECT_EQ(c.bodies[0].oscillation, (std::vector<double>{0.795774715459, 0, 0, 0.2, 180}));
  EXPECT_EQ(c.controls[1].part, MotionPart::frequency);
  EXPECT_TRUE(read_back(c) == c);
  const auto message = [&](const std::string& setting) { return refusal(path, {setting}); };
  EXPECT_NE(message("body.0.oscillation={amplitude=[3, 0], frequency=0.2}").find("grid.x"),
            std::string::npos);
  EXPECT_NE(message("body.0.oscillation={amplitude=[1, 0], frequency=-1}").find("frequency = -1"),
            std::string::npos);
  EXPECT_NE(message("control.0.part=mean").find("control.0.part"), std::string::npos);
  EXPECT_NE(message("control.0.kind=rotation").find("control.0"), std::string::npos);
}

TEST(CaseFile, FileNamesAreThoseOfTheCasesFolder) {
  const Case c = read_case((shipped / "airfoil_re1000.toml").string());
  EXPECT_TRUE(fs::path(c.bodies[0].file).is_absolute());
  EXPECT_TRUE(fs::equivalent(c.bodies[0].file, shipped.parent_path() / "airfoils/naca4412.dat"));
}

TEST(CaseFile, ATargetMayBeMissingWhenTheFlowAloneIsRun) {
  const CaseFolder folder;
  const std::string file =
      folder.write(changed(good_case, "target = [1, 0]", "target_file = \"later.h5\""));
  EXPECT_NO_THROW(read_case(file, {}, CaseUse::run));
  EXPECT_THROW(read_case(file, {}, CaseUse::differentiate), CaseError);
}

TEST(CaseFile, AnAxisWithoutFinePartIsFilledByTheSpacing) {
  const CaseFolder folder;
  const std::string text =
      changed(good_case, "fine = [-0.9, 0.9], growth = [1.5, 0.5]", "cells = 140");
  const Case c = read_case(
      folder.write(changed(text, "to = 4, fine = [-0.9, 0.9], growth = [1.5, 1.5]", "to = 4")));
  EXPECT_EQ(c.grid.axis[0].cells, 140);
  EXPECT_EQ(c.grid.axis[1].cells, 80);
}

TEST(CaseFile, WithoutInflowTheFluidStartsAtRest) {
  const CaseFolder folder;
  const Case c = read_case(folder.write(R"([flow]
reynolds = 100
[grid]
x = {from = 0, to = 1, cells = 32}
y = {from = 0, to = 1, cells = 64}
[boundary]
x_low = "wall"
x_high = "wall"
y_low = "wall"
y_high = {type = "wall", velocity = [1, 0]}
[time]
steps = 10
)"));
  EXPECT_EQ(c.initial.velocity, (Vec3{0, 0, 0}));
  EXPECT_EQ(c.grid.spacing, 1.0 / 64);
  EXPECT_TRUE(c.bodies.empty());
}

TEST(CaseFile, TaylorGreenVorticesNeedABoxWithoutInflowAndWalls) {
  const CaseFolder folder;
  const auto box = [&](const std::string& side) {
    return folder.write(R"([flow]
reynolds = 100
[grid]
x = {from = 0, to = 1, cells = 32}
y = {from = 0, to = 1, cells = 32}
[boundary]
x_low = "periodic"
x_high = "periodic"
y_low = "slip"
y_high = ")" + side + R"("
[time]
steps = 10
[initial]
flow = "taylor_green"
)");
  };
  const Case c = read_case(box("slip"));
  EXPECT_EQ(c.initial.flow, InitialFlow::taylor_green);
  EXPECT_TRUE(read_back(c) == c);
  const std::string said = refusal(box("wall"));
  EXPECT_NE(said.find("boundary.y_high is \"wall\""), std::string::npos) << said;
}

// Overrides.

Case with(const std::vector<std::string>& overrides) {
  const CaseFolder folder;
  return read_case(folder.write(good_case), overrides);
}

std::string refused(const std::string& override) {
  const CaseFolder folder;
  const std::string file = folder.write(good_case);
  return refusal(file, {override}).substr(file.size());
}

TEST(CaseOverrides, ChangeNumbersTextArraysAndTables) {
  const Case c = with({"flow.reynolds=40", "flow.advection=central", "body.0.radius=0.45",
                       "body.0.centre=[0.1, 0]", "check.seed=5", "title=two words", "time.cfl=0.2",
                       "grid.x.to=10", "objective.0.window=[1,2]"});
  EXPECT_EQ(c.flow.viscosity, 1.0 / 40);
  EXPECT_EQ(c.flow.advection, Advection::central);
  EXPECT_EQ(c.bodies[0].radius, 0.45);
  EXPECT_EQ(c.bodies[0].centre[0], 0.1);
  EXPECT_EQ(c.check.seed, 5u);
  EXPECT_EQ(c.title, "two words");
  EXPECT_EQ(c.grid.axis[0].high, 10);
  EXPECT_EQ(c.objective[0].to, 2);
}

TEST(CaseOverrides, OneOfAnAlternativeReplacesTheOther) {
  EXPECT_EQ(with({"flow.viscosity=0.02"}).flow.viscosity, 0.02);
  const Case c = with({"time.steps=20", "time.step=0.01", "objective.0.window=[0,-1]"});
  EXPECT_EQ(c.time.steps, 20);
  EXPECT_EQ(c.time.end, 0);
  EXPECT_EQ(c.time.cfl, 0);
}

TEST(CaseOverrides, MakeTablesAndEntriesThatTheFileLacks) {
  const Case c = with({"numerics.mask_width=1.4", "optimiser.max_evaluations=3",
                       "control.2.kind=viscosity", "control.2.lower=0.001"});
  EXPECT_EQ(c.numerics.mask_width, 1.4);
  EXPECT_EQ(c.optimiser.max_evaluations, 3);
  ASSERT_EQ(c.controls.size(), 3u);
  EXPECT_EQ(c.controls[2].kind, ControlKind::viscosity);
}

TEST(CaseOverrides, TheLastOneCounts) {
  EXPECT_EQ(with({"flow.reynolds=40", "flow.reynolds=50"}).flow.viscosity, 1.0 / 50);
}

TEST(CaseOverrides, ErrorsNameTheOption) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"flow.reynold=40",
       R"(: --set flow.reynold=40: flow.reynold: unknown key; did you mean "reynolds"?)"},
      {"flow.reynolds=-1", ": --set flow.reynolds=-1: flow.reynolds = -1: must be positive"},
      {"flow.reynolds=many",
       R"(--set flow.reynolds=many: flow.reynolds = "many": must be a number)"},
      {"flow.reynolds=", "needs a value after \"=\""},
      {"flow.reynolds", "must be KEY=VALUE"},
      {"=3", "must be KEY=VALUE"},
      {"flow..reynolds=3", "a part of the key is empty"},
      {"flow.reynolds=[1", "not valid TOML"},
      {"flow.reynolds=1\nx=2", "must be one value"},
      {"flow.reynolds=nan", "must be finite"},
      {"flow.reynolds.x=3", "the key before it holds no keys"},
      {"wing.radius=3", R"(--set wing.radius=3: wing: unknown key)"},
      {"body.7.radius=3", "7: must be an index from 0 to 1"},
      {"body.first.radius=3", "first: must be an index"},
      {"body.0=3", "must be written as [[body]]"},
      {"body.99999999999999999999999.radius=3", "must be an index"},
      {"body=3", "must be written as [[body]]"},
      {"grid=3", "grid = 3: must be a table"},
      {"time.end=1", "objective.0.window = [5, 10]: must lie within the run"}};
  for (const auto& [override, says] : table) {
    EXPECT_TRUE(has(refused(override), says)) << override << "\n said: " << refused(override);
  }
}

} // namespace
} // namespace contraflow::test
