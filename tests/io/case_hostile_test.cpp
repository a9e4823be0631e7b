#include "tests/io/case_fixture.hpp"

#include <chrono>

namespace contraflow::test {
namespace {

/// One change to the good case, and what the refusal must say.
struct Hostile {
  std::string from, to, says;
};

const std::vector<Hostile> hostile_flow{
    {"reynolds", "reynold", R"(:2: flow.reynold: unknown key; did you mean "reynolds"?)"},
    {"reynolds = 100", "nu = 0.01",
     R"(:2: flow.nu: unknown key; known are "reynolds", "viscosity")"},
    {"reynolds = 100", "", R"(:1: flow: missing: needs one of "reynolds" or "viscosity")"},
    {"reynolds = 100", "reynolds = 100\nviscosity = 0.01",
     R"("reynolds" is given too; give only one)"},
    {"reynolds = 100", "viscosity = -0.1", ":2: flow.viscosity = -0.1: must be positive"},
    {"reynolds = 100", "viscosity = 0", ":2: flow.viscosity = 0: must be positive"},
    {"reynolds = 100", "viscosity = nan", ":2: flow.viscosity = nan: must be finite"},
    {"reynolds = 100", "reynolds = inf", ":2: flow.reynolds = inf: must be finite"},
    {"reynolds = 100", "reynolds = \"100\"",
     "flow.reynolds = \"100\": must be a number, not a string"},
    {"reynolds = 100", "reynolds = [100]", "must be a number, not an array"},
    {"reynolds = 100", "reynolds = 2020-01-01", "must be a number, not a date or time"},
    {"reynolds = 100", "reynolds = 1e999", ":2: not valid TOML"},
    {"reynolds = 100", "reynolds = 99999999999999999999", ":2: not valid TOML"},
    {"reynolds = 100", "reynolds 100", ":2: not valid TOML"},
    {"reynolds = 100", "reynolds = 100\nreynolds = 50", ":3: not valid TOML"},
    {"\"kappa\"", "\"upwind\"", R"(flow.advection = "upwind": must be "kappa" or "central")"},
    {"\"kappa\"", "true", "must be a string, not a boolean"},
    {"[flow]", "[flows]", R"(:1: flows: unknown key; did you mean "flow"?)"},
    {"[flow]", "[[flow]]", ":1: flow: must be a table with keys"},
    {"[flow]", "precision = \"half\"\n[flow]", R"(must be "auto", "float" or "double")"},
};

const std::vector<Hostile> hostile_grid{
    {"spacing = 0.1", "", ":4: grid.spacing: missing"},
    {"spacing = 0.1", "spacing = -0.1", ":5: grid.spacing = -0.1: must be positive"},
    {"spacing = 0.1", "spacing = 0.2",
     "grid.spacing = 0.2: 5 cells along body.0 (\"cylinder\"); needs at least 8"},
    {"spacing = 0.1", "spacing = 1e-300", "at most 1000000000 are allowed"},
    {"spacing = 0.1", "spacing = 0.0003", "at most 16384"},
    {"spacing = 0.1", "spacing = 100", "grid.x: about"},
    {"from = -5, to = 9", "from = 9, to = -5", ":6: grid.x.to = -5: must be over from (9)"},
    {"from = -5, to = 9", "from = 1, to = 1", "must be over from (1)"},
    {"from = -5, to = 9", "from = -5", ":6: grid.x.to: missing"},
    {"fine = [-0.9, 0.9], growth = [1.5, 0.5]", "cells = 1e12",
     "grid.x.cells = 1000000000000: must be at least 4"},
    {"fine = [-0.9, 0.9], growth = [1.5, 0.5]", "cells = 2.5", "must be a whole number"},
    {"fine = [-0.9, 0.9], growth = [1.5, 0.5]", "cells = 0",
     "must be at least 4 and at most 16384"},
    {"fine = [-0.9, 0.9], growth = [1.5, 0.5]", "cells = 100",
     "grid.x: cells of 0.14 where a body needs square ones of 0.1"},
    {"fine = [-0.9, 0.9], growth = [1.5, 0.5]", "cells = 140, fine = [-1, 1]",
     "grid.x.fine: has no meaning"},
    {"growth = [1.5, 0.5]", "growth = [-1, 0.5]", "growth = [-1, 0.5]: must not be negative"},
    {"growth = [1.5, 0.5]", "growth = [1, 2, 3]", "must have at most 2 entries"},
    {"growth = [1.5, 0.5]", "growth = [1.5, nan]", "must be finite"},
    {"growth = [1.5, 0.5]", "growth = [1.5, 1e9]", "must be at most 100"},
    {", growth = [1.5, 0.5]", "", "grid.x.growth: missing"},
    {"fine = [-0.9, 0.9], growth = [1.5, 0.5]", "fine = [-9, 0.9], growth = [1, 1]",
     "must lie within the domain [-5, 9]"},
    {"fine = [-0.9, 0.9], growth = [1.5, 0.5]", "fine = [0.9, -0.9], growth = [1, 1]",
     "with from below to"},
    {"fine = [-0.9, 0.9], growth = [1.5, 0.5]", "fine = [-0.7, 0.9], growth = [1, 1]",
     "grid.x.fine = [-0.7, 0.9]: must cover [-0.8, 0.8]"},
    {"fine = [-0.9, 0.9], growth = [1.5, 0.5]", "fine = [-0.93, 0.9], growth = [0, 1]",
     "0 needs a whole number of cells"},
    {"to = 4, fine = [-0.9, 0.9], growth = [1.5, 1.5]", "to = 4.05",
     "must be a whole number of cells of 0.1"},
};

const std::vector<Hostile> hostile_boundary{
    {"y_low = \"slip\"", "", ":8: boundary.y_low: missing"},
    {"y_low = \"slip\"", "y_low = \"slippery\"",
     R"(must be "inflow", "outflow", "slip", "wall" or "periodic")"},
    {"y_low = \"slip\"", "y_low = 5", "boundary.y_low = 5: must be a table"},
    {"y_low = \"slip\"", "y_low = \"periodic\"", R"(boundary.y_high: must be "periodic" too)"},
    {"y_low = \"slip\"", "y_low = \"slip\"\nz_low = \"slip\"", "only a 3D case"},
    {"y_low = \"slip\"", "y_low = {type = \"slip\", speed = 1}",
     "speed: has no meaning for a slip boundary"},
    {"y_low = \"slip\"", "y_lo = \"slip\"", R"(did you mean "y_low"?)"},
    {"{type = \"outflow\", speed = 1}", "\"wall\"", "boundary.x_low: what flows in must flow out"},
    {"{type = \"outflow\", speed = 1}", "{type = \"outflow\", speed = 0}", "must be positive"},
    {"type = \"inflow\", profile = \"values\", position = [-4, 0, 4], values = [1, 1, 1]",
     "type = \"slip\"", "boundary.x_high: nothing flows in"},
    {"velocity = [1, 0]", "velocity = [0, 1]", "must be along the wall"},
    {"velocity = [1, 0]", "velocity = [1]", "must have 2 entries in 2D"},
    {"velocity = [1, 0]", "velocity = [1, 0, 1]", "must have two entries in 2D"},
    {"position = [-4, 0, 4]", "position = [-4, 4, 0]", "must be ascending, but 4 is followed by 0"},
    {"position = [-4, 0, 4]", "position = [-4, 0, 5]", "must lie within the side, [-4, 4]"},
    {"position = [-4, 0, 4]", "position = [0]", "must have at least 2 entries"},
    {"values = [1, 1, 1]", "values = [1, 1]", "must have 3 entries, not 2"},
    {"values = [1, 1, 1]", "values = [1, -inf, 1]", "must be finite"},
    {"values = [1, 1, 1]", "times = [0, 1], values = [1, 1, 1]",
     "a list of 2 lists, one for each time"},
    {"values = [1, 1, 1]", "times = [0, 1], values = [[1, 1, 1], [1, 1]]",
     "values.1 = [1, 1]: must have 3 entries"},
    {"values = [1, 1, 1]", "times = [0, 0], values = [[1, 1, 1], [1, 1, 1]]", "must be ascending"},
    {"values = [1, 1, 1]", "speed = 2",
     "boundary.x_low.speed: has no meaning for an inflow of values"},
};

const std::vector<Hostile> hostile_time{
    {"end = 10", "", R"(:13: time: missing: needs one of "end" or "steps")"},
    {"end = 10", "end = 10\nsteps = 5", R"(give only one of "end" and "steps")"},
    {"end = 10", "end = -1", "time.end = -1: must be positive"},
    {"end = 10", "end = 1e12", "at most 1000000000 are allowed"},
    {"end = 10", "steps = 1e18", "must be at least 1 and at most 1000000000"},
    {"end = 10", "steps = 0", "must be at least 1"},
    {"end = 10", "end = 8", R"(objective.0.window = [5, 10]: must lie within the run, [0, 8])"},
    {"cfl = 0.35", "cfl = 0", ":16: time.cfl = 0: must be over 0 and at most 1.5"},
    {"cfl = 0.35", "cfl = 5", "must be over 0 and at most 1.5"},
    {"cfl = 0.35", "cfl = 0.35\nstep = 0.01", R"(give only one of "cfl" and "step")"},
    {"cfl = 0.35", "step = 0.11", "at most the relaxation time of bodies, 0.1"},
    {"cfl = 0.35", "start_from = \"none.h5\"", "time.start_from = \"none.h5\": no such file"},
    {"cfl = 0.35", "start_from = \".\"", "is not a file"},
    {"compression = 1", "compression = 10", "must be at least 0 and at most 9"},
    {"compression = 1", "average_from = 10", "must be before the end of the run, 10"},
    {"compression = 1", "fields_every = -1", "must not be negative"},
    {"steps = 10", "steps = 10\nseed = -1", "must be at least 0 and at most 4294967295"},
    {"\"1 GiB\"", "\"1 pound\"", "must be a size such as"},
    {"\"1 GiB\"", "\"\"", "must be a size such as"},
    {"\"1 GiB\"", "-5", "tape.memory = -5: must not be negative"},
    {"\"1 GiB\"", "\"1e300 GiB\"", "must be a size such as"},
};

const std::vector<Hostile> hostile_body{
    {"[[body]]", "[body]", "body: must be written as [[body]], once for each"},
    {"\"circle\"", "\"square\"",
     R"(must be "circle", "naca", "airfoil", "fourier", "sphere" or "plate")"},
    {"\"circle\"", "\"sphere\"", "needs a 3D grid"},
    {"radius = 0.5", "radius = 0", ":20: body.0.radius = 0: must be positive"},
    {"radius = 0.5", "radius = 1e20", "must be at most 1000000000000"},
    {"radius = 0.5", "radius = 1e9", "body.0: reaches from x=-1e+09"},
    {"radius = 0.5", "chord = 1", "body.0.chord: has no meaning for the shape \"circle\""},
    {"centre = [0, 0]", "center = [0, 0]", R"(did you mean "centre"?)"},
    {"centre = [0, 0]", "centre = [20, 0]", "body.0: reaches from x=19.5 to 20.5"},
    {"centre = [0, 0]", "centre = [-4.3, 0]",
     "must stay 0.3 (3 cells) clear of the boundaries at -5 and 9"},
    {"centre = [0, 0]", "centre = [0, 2]", "grid.y.fine = [-0.9, 0.9]: must cover [1.2, 2.8]"},
    {"centre = [0, 0]", "centre = [0, 0, 1]", "must have two entries in 2D"},
    {"centre = [0, 0]", "centre = []", "must have 2 entries in 2D"},
    {"name = \"cylinder\"", "name = \"\"", "must have 1 to 60 characters"},
    {"[output]", "[[body]]\nname = \"cylinder\"\nshape = \"circle\"\n[output]",
     "another body has this name"},
    {"[output]", "[[body]]\nshape = \"circle\"\n[output]", "must stay 0.4 clear of body.0"},
    {"times = [0, 5]", "times = [5, 0]", "must be ascending"},
    {"times = [0, 5]", "times = [0]", "must have as many entries as times (1)"},
    {"rotation = {times = [0, 5], values = [0, 1]}", "rotation = \"fast\"",
     "must be a number, {times"},
    {"shape = \"circle\"\nradius = 0.5", "shape = \"airfoil\"", "body.0.file: missing"},
    {"shape = \"circle\"\nradius = 0.5", "shape = \"airfoil\"\nfile = \"no.dat\"",
     "file = \"no.dat\": no such file"},
    {"shape = \"circle\"\nradius = 0.5", "shape = \"airfoil\"\nfile = \"case.toml\"",
     "file = \"case.toml\": "},
    {"shape = \"circle\"\nradius = 0.5", "shape = \"naca\"\nnaca = \"12\"", "must be four digits"},
    {"shape = \"circle\"\nradius = 0.5", "shape = \"naca\"\ndisplacement_modes = 1e9",
     "must be at least 0 and at most 100"},
    {"shape = \"circle\"\nradius = 0.5", "shape = \"naca\"\ndisplacement = [1, 2, 3]",
     "as many entries for each surface"},
    {"shape = \"circle\"\nradius = 0.5", "shape = \"fourier\"\ncosine = [0.5, 0.5]", "body.0."},
    {"shape = \"circle\"\nradius = 0.5", "shape = \"plate\"\nthickness = -0.1",
     "body.0.thickness = -0.1: must be at least 0 and at most 1"},
    {"shape = \"circle\"\nradius = 0.5", "shape = \"plate\"\nradius = 0.5",
     "body.0.radius: has no meaning for the shape \"plate\""},
};

const std::vector<Hostile> hostile_design{
    {"kind = \"rotation\"", "kind = \"spin\"", R"(control.0.kind = "spin": must be "shape")"},
    {"kind = \"rotation\"", "kind = \"rotation\"\nbody = \"wing\"",
     R"(no body "wing"; the case has "cylinder")"},
    {"kind = \"rotation\"", "kind = \"viscosity\"\nbody = \"cylinder\"",
     "has no meaning for a control of viscosity"},
    {"kind = \"rotation\"", "kind = \"viscosity\"",
     "control.0.lower = [-1, -2]: must be one number or 1"},
    {"rotation = {times = [0, 5], values = [0, 1]}", "", "must have a rotation to start from"},
    {"lower = [-1, -2]", "lower = [-1, -2, -3]", "must be one number or 2"},
    {"lower = [-1, -2]", "lower = 3", "must not be over upper (2)"},
    {"lower = [-1, -2]", "lower = 0.5", "the start, 0, must not be below"},
    {"upper = 2", "upper = 0.5", "the start, 1, must not be over"},
    {"upper = 2", "upper = nan", "must be finite"},
    {"upper = 2", "scale = 0", "control.0.scale = 0: must be positive"},
    {"side = \"x_low\"", "side = \"left\"", R"(must be "x_low", "x_high", "y_low" or "y_high")"},
    {"side = \"x_low\"", "side = \"y_low\"", "must be an inflow with profile"},
    {"kind = \"inflow\"\nside = \"x_low\"", "kind = \"rotation\"", "the same control as control.0"},
    {"kind = \"rotation\"\nlower = [-1, -2]\nupper = 2", "kind = \"scale\"\nlower = 0",
     "must be positive"},
    {"kind = \"drag\"", "kind = \"thrust\"", R"(must be "drag", "lift", "moment")"},
    {"kind = \"drag\"", "kind = \"drag\"\nbody = \"wing\"", "objective.0.body = \"wing\": no body"},
    {"kind = \"drag\"", "kind = \"drag\"\ntarget = [1, 0]", "only for \"velocity_misfit\""},
    {"kind = \"drag\"", "kind = \"control_effort\"\nbody = \"cylinder\"", "has no meaning"},
    {"window = [5, 10]", "window = [5, 50]",
     ":34: objective.0.window = [5, 50]: must lie within the run, [0, 10]"},
    {"window = [5, 10]", "window = [5, 5]", "with from below to"},
    {"window = [5, 10]", "window = [11, -1]", "must lie within the run"},
    {"window = [5, 10]", "window = [-1, 5]", "must not start before 0"},
    {"window = [5, 10]", "window = [5]", "must be two numbers"},
    {"window = [5, 10]", "weighting = \"triangle\"", R"(must be "square" or "hann")"},
    {"high = [2, 1]", "high = [2, -2]", "low must be below high"},
    {"high = [2, 1]", "high = [20, 1]", "must lie within the domain, x in [-5, 9]"},
    {"target = [1, 0]", "", R"(needs one of "target" or "target_file")"},
    {"target = [1, 0]", "target_file = \"no.h5\"", "target_file = \"no.h5\": no such file"},
    {"at_least = 0.1", "", R"(needs one of "equals", "at_least" or "at_most")"},
    {"at_least = 0.1", "at_least = 0.1\nat_most = 1", "give only one of"},
    {"at_least = 0.1", "at_least = \"start\"", "known only for \"area\""},
    {"\"slsqp\"", "\"newton\"", R"(must be "slsqp", "mma" or "lbfgs")"},
    {"\"slsqp\"", "\"lbfgs\"", "\"lbfgs\" takes no constraints"},
    {"at_least = 0.1\n[optimizer]\nmethod = \"slsqp\"", "equals = 0\n[optimizer]\nmethod = \"mma\"",
     "\"mma\" takes no equality"},
    {"[check]", "[optimiser]\n[check]", "give only one of \"optimizer\" and \"optimiser\""},
    {"kind = \"lift\"", "kind = \"lift\"\nwindow = [0, 11]", "constraint.0.window"},
};

void expect_refusals(const std::vector<Hostile>& table) {
  const CaseFolder folder;
  for (const Hostile& hostile : table) {
    const std::string file = folder.write(changed(good_case, hostile.from, hostile.to));
    const std::string said = refusal(file);
    EXPECT_TRUE(has(said, hostile.says))
        << hostile.to << "\n said: " << said << "\n not:  " << hostile.says;
    EXPECT_EQ(said.find(file + ":"), 0u) << "names the file first: " << said;
    EXPECT_LT(said.size(), file.size() + 500) << said;
  }
}

TEST(CaseErrors, TheGoodCaseIsAccepted) {
  const CaseFolder folder;
  EXPECT_EQ(refusal(folder.write(good_case)), "accepted");
}

TEST(CaseErrors, FlowAndSyntax) { expect_refusals(hostile_flow); }
TEST(CaseErrors, Grid) { expect_refusals(hostile_grid); }
TEST(CaseErrors, Boundaries) { expect_refusals(hostile_boundary); }
TEST(CaseErrors, TimeOutputAndTape) { expect_refusals(hostile_time); }
TEST(CaseErrors, Bodies) { expect_refusals(hostile_body); }
TEST(CaseErrors, ControlsObjectivesAndOptimiser) { expect_refusals(hostile_design); }

TEST(CaseErrors, FilesThatAreNoCase) {
  const CaseFolder folder;
  EXPECT_TRUE(has(refusal((folder.path() / "none.toml").string()), "none.toml: no such file"));
  EXPECT_TRUE(has(refusal(folder.path().string()), "is a directory, not a case file"));
  EXPECT_TRUE(has(refusal("/dev/zero"), "is not a regular file"));
  EXPECT_TRUE(has(refusal(folder.write("")), "is empty"));
  EXPECT_TRUE(has(refusal(folder.write("# only a remark\n")), "is empty"));
  EXPECT_TRUE(has(refusal(folder.write(std::string("\0\xff\x80\x01", 4))), "not valid TOML"));
  EXPECT_TRUE(has(refusal(folder.write("title = 3\n")), "title = 3: must be a string"));
  EXPECT_TRUE(has(refusal(folder.write("title = \"x\"\n")), "flow: missing"));
}

TEST(CaseErrors, DeepAndLongInputNeitherCrashesNorHangs) {
  const CaseFolder folder;
  std::string deep_key = "a";
  for (int i = 0; i < 200000; ++i) deep_key += ".a";
  const std::string brackets(200000, '[');
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(
      has(refusal(folder.write("\n" + deep_key + " = 1\n")), ":2: a key of more than 32 parts"));
  EXPECT_TRUE(has(refusal(folder.write("[" + deep_key + "]\n")), "a key of more than 32 parts"));
  EXPECT_TRUE(has(refusal(folder.write("a = " + brackets)), "not valid TOML"));
  EXPECT_TRUE(has(refusal(folder.write(std::string(1000000, 'a') + " = 1\n")), "unknown key"));
  EXPECT_LT(refusal(folder.write("title = [\"" + std::string(1000000, 'b') + "\"]\n")).size(),
            1000u);
  EXPECT_TRUE(has(refusal(folder.write(good_case), {deep_key + "=1"}), "too many parts"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
}

TEST(CaseErrors, DotsInRemarksAndStringsAreNoDeepKeys) {
  const CaseFolder folder;
  const std::string dots(100, '.');
  const std::string text =
      "# it's " + dots + "\ntitle = \"\"\"" + dots + "\n\\\"" + dots + "\"\"\"\n";
  EXPECT_EQ(refusal(folder.write(text + good_case)), "accepted");
}

TEST(CaseErrors, TooManyCellsInAllAreRefusedBeforeAnyIsMade) {
  const CaseFolder folder;
  const std::string text = R"([flow]
reynolds = 10
[grid]
x = {from = 0, to = 1, cells = 16000}
y = {from = 0, to = 1, cells = 16000}
z = {from = 0, to = 1, cells = 16000}
[boundary]
x_low = "periodic"
x_high = "periodic"
y_low = "wall"
y_high = "wall"
z_low = "wall"
z_high = "wall"
[time]
steps = 1
)";
  EXPECT_TRUE(has(refusal(folder.write(text)), "at most 512 million are allowed"));
}

} // namespace
} // namespace contraflow::test
