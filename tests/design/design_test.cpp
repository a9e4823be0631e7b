#include "src/design/design.hpp"

#include "contraflow/error.hpp"
#include "src/design/functional.hpp"
#include "src/solver/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace contraflow::test {
namespace {

/// A foil that turns, an inlet of values in time, and controls of every kind.
Case designed_case() {
  Case c;
  c.path = "designed";
  c.grid.spacing = 0.25;
  c.grid.axis[0] = {-2, 2, 16, 0, 0, 0, 0};
  c.grid.axis[1] = {-1, 3, 16, 0, 0, 0, 0};
  BoundarySpec& inlet = c.boundary[0][0];
  inlet.type = BoundaryType::inflow;
  inlet.profile = InflowProfile::values;
  inlet.position = {-0.5, 1, 2.5};
  inlet.times = {0, 2};
  inlet.values = {1, 2, 3, 4, 5, 6};
  c.boundary[0][1].type = BoundaryType::outflow;
  c.bodies.resize(2);
  c.bodies[0].name = "disc";
  c.bodies[1].name = "foil";
  c.bodies[1].kind = ShapeKind::naca4;
  c.bodies[1].naca = "2412";
  c.bodies[1].angle = 5;
  c.bodies[1].centre = {0.3, 0.2, 0};
  c.bodies[1].displacement_modes = 2;
  c.bodies[1].rotation_times = {0, 1, 3};
  c.bodies[1].rotation = {0.1, 0.2, 0.4};
  for (ControlKind kind :
       {ControlKind::rotation, ControlKind::angle, ControlKind::shape, ControlKind::scale,
        ControlKind::position, ControlKind::inflow, ControlKind::viscosity, ControlKind::initial}) {
    ControlSpec control;
    control.kind = kind;
    control.body = "foil";
    control.scale = 0.5 + static_cast<int>(kind);
    c.controls.push_back(control);
  }
  c.controls[1].lower = {-10};
  c.controls[0].upper = {1, 2, 3};
  return c;
}

const std::array<std::size_t, 3> initial_faces = {5, 4, 0};

/// All numbers of a design in one row.
std::vector<double> row_of(const Design& design) {
  std::vector<double> row{design.viscosity};
  const auto add = [&](const std::vector<double>& values) {
    row.insert(row.end(), values.begin(), values.end());
  };
  for (const auto& values : design.body) add(values);
  for (const auto& values : design.rotation) add(values);
  for (const auto& axis : design.inflow) {
    for (const auto& values : axis) add(values);
  }
  for (const auto& values : design.initial) add(values);
  return row;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void randomise(Design& design, std::mt19937& engine) {
  std::uniform_real_distribution<double> uniform{-1, 1};
  const auto fill = [&](std::vector<double>& values) {
    for (double& value : values) value = uniform(engine);
  };
  design.viscosity = uniform(engine);
  for (auto& values : design.body) fill(values);
  for (auto& values : design.rotation) fill(values);
  for (auto& axis : design.inflow) {
    for (auto& values : axis) fill(values);
  }
  for (auto& values : design.initial) fill(values);
}

TEST(KnotWeights, InterpolateBetweenKnotsAndHoldOutsideOfThem) {
  const std::vector<double> times = {1, 3, 4}, values = {10, 20, 50};
  const auto value = [&](double time) {
    const KnotWeights at = knot_weights(times, time);
    return at.weight[0] * values[at.first] + at.weight[1] * values[at.second];
  };
  const auto slope = [&](double time) {
    const KnotWeights at = knot_weights(times, time);
    return at.slope[0] * values[at.first] + at.slope[1] * values[at.second];
  };
  EXPECT_EQ(value(0), 10);
  EXPECT_EQ(slope(0), 0);
  EXPECT_EQ(value(1), 10);
  EXPECT_DOUBLE_EQ(value(1.5), 12.5);
  EXPECT_DOUBLE_EQ(slope(1.5), 5);
  EXPECT_DOUBLE_EQ(value(3), 20);
  EXPECT_DOUBLE_EQ(value(3.9), 47);
  EXPECT_DOUBLE_EQ(slope(3.9), 30);
  EXPECT_EQ(value(4), 50);
  EXPECT_EQ(value(9), 50);
  EXPECT_EQ(slope(9), 0);
}

TEST(KnotWeights, HoldTheOnlyValueOfAConstant) {
  for (const std::vector<double>& times : {std::vector<double>{}, std::vector<double>{2}}) {
    const KnotWeights at = knot_weights(times, 5);
    EXPECT_EQ(at.first, 0u);
    EXPECT_EQ(at.weight[0], 1);
    EXPECT_EQ(at.weight[1] + at.slope[0] + at.slope[1], 0);
  }
}

TEST(InletShape, IsParabolicWithItsMaximumInTheMiddle) {
  Case c = designed_case();
  c.grid.axis[1].cells = 15; // the middle cell's centre is the middle
  BoundarySpec inlet;
  inlet.type = BoundaryType::inflow;
  inlet.profile = InflowProfile::parabolic;
  const Grid grid = make_grid(c.grid);
  const InletShape shape = inlet_shape(inlet, grid, 0);
  ASSERT_EQ(shape.faces.size(), 15u);
  EXPECT_EQ(shape.coefficients, 1u);
  EXPECT_DOUBLE_EQ(shape.faces[7].weight[0], 1);
  for (std::size_t m = 0; m < 15; ++m) {
    const double s = (static_cast<double>(m) + 0.5) / 15;
    EXPECT_NEAR(shape.faces[m].weight[0], 4 * s * (1 - s), 1e-14);
    EXPECT_EQ(shape.faces[m].weight[1], 0);
  }
}

TEST(InletShape, IsAParabolaAcrossBothAxesIn3D) {
  Grid grid{3, 0.5, {}};
  grid.faces = {std::vector<double>{0, 1}, {0, 1, 2, 3}, {0, 1, 2}};
  BoundarySpec inlet;
  inlet.profile = InflowProfile::parabolic;
  const InletShape shape = inlet_shape(inlet, grid, 0);
  ASSERT_EQ(shape.faces.size(), 6u);
  EXPECT_DOUBLE_EQ(shape.faces[1].weight[0], 0.75); // the middle of y, a quarter of z
  EXPECT_DOUBLE_EQ(shape.faces[3].weight[0], 4.0 / 6 * 5 / 6 * 0.75);
  const InletShape along_x = inlet_shape(inlet, grid, 1);
  EXPECT_EQ(along_x.faces.size(), 2u);
}

TEST(InletShape, RunsThroughTheGivenValues) {
  const Case c = designed_case();
  const Grid grid = make_grid(c.grid);
  const InletShape shape = inlet_shape(c.boundary[0][0], grid, 0);
  EXPECT_EQ(shape.coefficients, 3u);
  const double values[] = {1, 2, 3}; // at -0.5, 1, 2.5
  for (std::size_t m = 0; m < shape.faces.size(); ++m) {
    const double y = -1 + 0.25 * (static_cast<double>(m) + 0.5);
    const auto& face = shape.faces[m];
    const double value =
        face.weight[0] * values[face.index[0]] + face.weight[1] * values[face.index[1]];
    EXPECT_NEAR(value, std::clamp(1 + (y + 0.5) / 1.5, 1.0, 3.0), 1e-14) << y;
  }
}

TEST(Controls, StartFromTheBaseline) {
  const Case c = designed_case();
  const Design baseline = baseline_design(c, initial_faces);
  const Controls controls{c, baseline};
  EXPECT_EQ(row_of(controls.apply(controls.start())), row_of(baseline));
  EXPECT_EQ(baseline.inflow[0][0], (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(baseline.rotation[1], (std::vector<double>{0.1, 0.2, 0.4}));
  EXPECT_EQ(row_of(zero_like(baseline)), std::vector<double>(row_of(baseline).size(), 0.0));
}

TEST(Controls, PutEveryNumberInItsPlace) {
  const Case c = designed_case();
  const Controls controls{c, baseline_design(c, initial_faces)};
  std::vector<double> x(controls.size());
  std::iota(x.begin(), x.end(), 100.0);
  const Design design = controls.apply(x);
  const auto group = [&](ControlKind kind) {
    for (const auto& each : controls.groups()) {
      if (each.kind == kind) return each;
    }
    throw CaseError{"no such group"};
  };
  const auto first = [&](ControlKind kind) {
    return 100.0 + static_cast<double>(group(kind).first);
  };
  // values() of the foil: 3 digits, 4 displacements, centre x and y, angle, scale
  const std::vector<double>& foil = design.body[1];
  ASSERT_EQ(foil.size(), 11u);
  EXPECT_EQ(group(ControlKind::shape).count, 7u);
  EXPECT_EQ(foil[6], first(ControlKind::shape) + 6);
  EXPECT_EQ(foil[7], first(ControlKind::position));
  EXPECT_EQ(foil[8], first(ControlKind::position) + 1);
  EXPECT_EQ(foil[9], first(ControlKind::angle));
  EXPECT_EQ(foil[10], first(ControlKind::scale));
  EXPECT_EQ(design.rotation[1][2], first(ControlKind::rotation) + 2);
  EXPECT_EQ(design.inflow[0][0][5], first(ControlKind::inflow) + 5);
  EXPECT_EQ(design.viscosity, first(ControlKind::viscosity));
  EXPECT_EQ(design.initial[1][3], first(ControlKind::initial) + 8);
  EXPECT_EQ(design.body[0], make_body(c.bodies[0], 2)->values()) << "the disc has no control";
  EXPECT_EQ(controls.names()[group(ControlKind::angle).first], "foil angle");
}

TEST(Controls, ReadDegreesAndOneBoundForAll) {
  const Case c = designed_case();
  const Controls controls{c, baseline_design(c, initial_faces)};
  const std::size_t angle = 3; // after three knots
  const double degree = std::acos(-1.0) / 180;
  EXPECT_DOUBLE_EQ(controls.start()[angle], 5 * degree);
  EXPECT_DOUBLE_EQ(controls.lower()[angle], -10 * degree);
  EXPECT_DOUBLE_EQ(controls.scale()[angle], 2.5 * degree);
  EXPECT_EQ(controls.upper()[angle], INFINITY);
  EXPECT_EQ(controls.upper()[1], 2);
  EXPECT_EQ(controls.lower()[1], -INFINITY);
}

TEST(Controls, PullBackIsTheTransposeOfApply) {
  const Case c = designed_case();
  const Design baseline = baseline_design(c, initial_faces);
  const Controls controls{c, baseline};
  std::mt19937 engine{3};
  std::uniform_real_distribution<double> uniform{-1, 1};
  Design bar = zero_like(baseline);
  randomise(bar, engine);
  std::vector<double> x = controls.start(), v(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) x[n] += v[n] = uniform(engine);
  std::vector<double> change = row_of(controls.apply(x));
  const std::vector<double> before = row_of(baseline);
  for (std::size_t n = 0; n < change.size(); ++n) change[n] -= before[n];
  const double forward = product(row_of(bar), change), back = product(controls.pull_back(bar), v);
  EXPECT_GT(std::abs(forward), 0.1);
  EXPECT_NEAR(forward, back, 1e-13 * std::abs(forward));
}

TEST(Controls, FindTheGradientOfTheEffort) {
  const Case c = designed_case();
  const Controls controls{c, baseline_design(c, initial_faces)};
  std::mt19937 engine{4};
  std::uniform_real_distribution<double> uniform{-1, 1};
  std::vector<double> x = controls.start(), gradient(x.size(), 10.0);
  for (double& value : x) value += uniform(engine);
  EXPECT_EQ(controls.effort(x, 3, gradient), controls.effort(x, 3, {})) << "it is unweighted";
  for (std::size_t n = 0; n < x.size(); ++n) {
    std::vector<double> plus = x, minus = x;
    plus[n] += 1e-2; // quadratic: central differences are exact
    minus[n] -= 1e-2;
    const double slope = (controls.effort(plus, 1, {}) - controls.effort(minus, 1, {})) / 2e-2;
    EXPECT_NEAR(gradient[n], 10 + 3 * slope, 1e-10) << n;
  }
}

TEST(Controls, TakeNoEffortAtRest) {
  const Case c = designed_case();
  const Controls controls{c, baseline_design(c, initial_faces)};
  std::vector<double> x = controls.start();
  EXPECT_GT(controls.effort(x, 1, {}), 0) << "a turning body is not at rest";
  for (std::size_t n = 0; n < 3; ++n) x[n] = 0;
  EXPECT_EQ(controls.effort(x, 1, {}), 0);
  x[0] = 2 * controls.scale()[0];
  EXPECT_NEAR(controls.effort(x, 1, {}), 4.0 / static_cast<double>(x.size()), 1e-15);
}

TEST(Controls, RefuseABodyThatIsNotThere) {
  Case c = designed_case();
  c.controls[0].body = "sail";
  try {
    const Controls controls{c, baseline_design(c, initial_faces)};
    FAIL() << "accepted";
  } catch (const CaseError& error) {
    EXPECT_NE(std::string{error.what()}.find("no body is named \"sail\""), std::string::npos);
  }
}

TEST(Weights, OfAWindowSumToOneAndStayInIt) {
  TermSpec term;
  term.from = 0.3;
  term.to = 0.6;
  for (Window window : {Window::square, Window::hann}) {
    term.window = window;
    const std::vector<double> steps = step_weights(term, 0.1, 10);
    EXPECT_NEAR(std::accumulate(steps.begin(), steps.end(), 0.0), 1, 1e-15);
    for (std::size_t n = 0; n < steps.size(); ++n) EXPECT_EQ(steps[n] > 0, n >= 3 && n < 6) << n;
    EXPECT_NEAR(steps[3], steps[5], 1e-15);
  }
  EXPECT_NEAR(step_weights(term, 0.1, 10)[4], 2.0 / 3, 1e-12) << "Hann: 1/4, 1, 1/4 of 3/2";
}

TEST(Weights, OfStatesHoldBothEnds) {
  TermSpec term;
  const std::vector<double> all = state_weights(term, 0.1, 4);
  EXPECT_EQ(all, std::vector<double>(5, 0.2));
  term.from = 0.31; // between two states: the nearest
  term.to = 0.32;
  EXPECT_EQ(state_weights(term, 0.1, 4), (std::vector<double>{0, 0, 0, 1, 0}));
}

TEST(Coefficients, AreOfTheReferenceAreaOfTheBody) {
  Case c = designed_case();
  c.flow.reference_length = 2;
  c.flow.reference_speed = 3;
  EXPECT_DOUBLE_EQ(coefficients_of(c, c.bodies[0]).force, 2 / (9.0 * 2));
  EXPECT_DOUBLE_EQ(coefficients_of(c, c.bodies[0]).moment, 2 / (9.0 * 4));
  c.grid.dimension = 3;
  c.grid.axis[2] = {0, 5, 10, 0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(coefficients_of(c, c.bodies[0]).force, 2 / (9.0 * 10));
  BodySpec sphere;
  sphere.kind = ShapeKind::sphere;
  sphere.radius = 0.5;
  EXPECT_DOUBLE_EQ(coefficients_of(c, sphere).force, 2 / (9 * std::acos(-1.0) / 4));
}

} // namespace
} // namespace contraflow::test
