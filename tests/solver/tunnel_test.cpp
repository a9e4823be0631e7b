#include "contraflow/error.hpp"
#include "contraflow/layout.hpp"
#include "src/solver/grid.hpp"
#include "src/tape/schedule.hpp"
#include "tests/solver/tunnel_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace contraflow::test {
namespace {

using Forces = std::vector<std::vector<BodyForce>>;

bool same(const BodyForce& a, const BodyForce& b) {
  return a.force == b.force && a.moment == b.moment;
}

void expect_same(const Forces& a, const Forces& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t n = 0; n < a.size(); ++n) {
    ASSERT_EQ(a[n].size(), b[n].size());
    for (std::size_t body = 0; body < a[n].size(); ++body) {
      EXPECT_TRUE(same(a[n][body], b[n][body])) << "step " << n << ", body " << body;
    }
  }
}

void expect_same(const FlowState& a, const FlowState& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.pressure, b.pressure);
}

void expect_same(const Design& a, const Design& b) {
  EXPECT_EQ(a.viscosity, b.viscosity);
  EXPECT_EQ(a.body, b.body);
  EXPECT_EQ(a.rotation, b.rotation);
  EXPECT_EQ(a.inflow, b.inflow);
  EXPECT_EQ(a.initial, b.initial);
}

void expect_same(const std::vector<FunctionalResult>& a, const std::vector<FunctionalResult>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t f = 0; f < a.size(); ++f) {
    EXPECT_EQ(a[f].value, b[f].value);
    EXPECT_EQ(a[f].terms, b[f].terms);
    expect_same(a[f].gradient, b[f].gradient);
  }
}

/// Advances to step `to`; the forces of the steps on the way.
Forces advance(WindTunnel& tunnel, long to) {
  Forces forces;
  tunnel.advance(to, [&](const StepReport& report) {
    forces.push_back(report.exchange);
    return true;
  });
  return forces;
}

/// A turning circle with every kind of control.
Case controlled_case(long steps) {
  Case c = cylinder_case(steps);
  c.bodies[0].rotation_times = {0, 0.5};
  c.bodies[0].rotation = {0.4, -0.3};
  for (ControlKind kind :
       {ControlKind::shape, ControlKind::position, ControlKind::scale, ControlKind::rotation,
        ControlKind::inflow, ControlKind::viscosity, ControlKind::initial}) {
    c.controls.push_back(control(kind, 1));
  }
  return frozen(c);
}

/// Drag; and a weighted sum of lift, moment and a misfit.
std::vector<Functional> functionals() {
  TermSpec misfit = term(TermKind::velocity_misfit, 0.7);
  misfit.region = {Vec3{1, -1, 0}, Vec3{2, 1, 0}};
  misfit.window = Window::hann;
  return {{{term(TermKind::drag)}},
          {{term(TermKind::lift, -0.4), term(TermKind::moment, 2), misfit}}};
}

TEST(Tunnel, GivesTheSameGradientHoweverManyStatesAreStored) {
  const auto tunnel = cpu_tunnel(controlled_case(23));
  ASSERT_TRUE(tunnel->plan(23, 2).keeps_stages) << "the first one is to keep all stage values";
  const auto with_stages = tunnel->gradient(functionals(), {23, 0, {}});
  const Forces forces = tunnel->forces();
  const auto velocity = tunnel->adjoint_velocity(1);
  for (int slots : {1, 3, 23}) {
    SCOPED_TRACE(slots);
    expect_same(with_stages, tunnel->gradient(functionals(), {23, slots, {}}));
    expect_same(forces, tunnel->forces());
    EXPECT_EQ(velocity, tunnel->adjoint_velocity(1));
  }
  EXPECT_GT(std::abs(with_stages[1].gradient.rotation[0][1]), 0);
}

TEST(Tunnel, GivesTheSameBitsOnAnyNumberOfThreads) {
#ifdef _OPENMP
  const int threads = omp_get_max_threads();
  std::vector<Forces> runs, evaluations;
  std::vector<FlowState> states;
  std::vector<std::vector<FunctionalResult>> values, gradients;
  for (int count : {1, 2, 3}) {
    omp_set_num_threads(count);
    const auto tunnel = cpu_tunnel(controlled_case(18));
    runs.push_back(advance(*tunnel, 18));
    states.push_back(tunnel->state());
    values.push_back(tunnel->evaluate(functionals(), {18, 0, {}}));
    evaluations.push_back(tunnel->forces());
    gradients.push_back(tunnel->gradient(functionals(), {18, 4, {}}));
  }
  omp_set_num_threads(threads);
  for (std::size_t n = 1; n < runs.size(); ++n) {
    expect_same(runs[0], runs[n]);
    expect_same(states[0], states[n]);
    expect_same(values[0], values[n]);
    expect_same(evaluations[0], evaluations[n]);
    expect_same(gradients[0], gradients[n]);
  }
#endif
}

/// (n, s, t) of the reference table of minimal advance counts.
std::vector<std::array<long, 3>> oracle(long most_steps) {
  std::ifstream file{std::string{CONTRAFLOW_SOURCE_DIR} + "/data/reference/checkpoint_oracle.csv"};
  std::vector<std::array<long, 3>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::array<long, 4> entry{};
    std::istringstream in{line};
    char comma = 0;
    in >> entry[0] >> comma >> entry[1] >> comma >> entry[2] >> comma >> entry[3];
    if (entry[0] <= most_steps) rows.push_back({entry[0], entry[1], entry[3]});
  }
  return rows;
}

TEST(Tunnel, AdvancesAsOftenAsTheReferenceSays) {
  Case c;
  c.grid.spacing = 0.125;
  c.grid.axis[0] = uniform_axis(0, 1, 8);
  c.grid.axis[1] = uniform_axis(0, 1, 8);
  c.boundary[0] = {side(BoundaryType::inflow), side(BoundaryType::outflow)};
  c.controls = {control(ControlKind::viscosity, 1)};
  c.time.steps = 100;
  const auto tunnel = cpu_tunnel(frozen(c));
  const std::vector<Functional> misfit = {{{functionals()[1].terms[2]}}};
  Functional here = misfit[0];
  here.terms[0].region = {Vec3{0.2, 0.2, 0}, Vec3{0.8, 0.8, 0}};
  const auto rows = oracle(100);
  ASSERT_GT(rows.size(), 10u);
  for (const auto& [steps, slots, advances] : rows) {
    tunnel->gradient({here}, {steps, static_cast<int>(slots), {}});
    EXPECT_EQ(tunnel->advances(), advances) << steps << " steps, " << slots << " stored";
  }
}

TEST(Tunnel, PlansWithTheMemoryItIsGiven) {
  Case c = controlled_case(20);
  const TapePlan whole = cpu_tunnel(c)->plan(20, 2);
  c.tape.memory = 3.5 * whole.state_bytes;
  const auto tunnel = cpu_tunnel(c);
  const TapePlan plan = tunnel->plan(20, 2);
  EXPECT_FALSE(plan.keeps_stages);
  EXPECT_EQ(plan.slots, 3);
  EXPECT_EQ(plan.advances, optimal_advances(20, 3));
  tunnel->gradient(functionals(), {});
  EXPECT_EQ(tunnel->advances(), plan.advances);
}

TEST(Tunnel, GoesOnFromARestartBitForBit) {
  const auto tunnel = cpu_tunnel(controlled_case(40));
  const Forces unbroken = advance(*tunnel, 40);
  const FlowState end = tunnel->state();
  tunnel->start();
  Forces forces = advance(*tunnel, 21); // not a whole number of batches
  const FlowState middle = tunnel->state();
  EXPECT_EQ(middle.step, 21);
  const auto other = cpu_tunnel(controlled_case(40));
  other->start(&middle);
  EXPECT_EQ(other->step(), 21);
  for (const auto& later : advance(*other, 40)) forces.push_back(later);
  expect_same(unbroken, forces);
  expect_same(end, other->state());
}

TEST(Tunnel, FindsTheSameForcesInARunAnEvaluationAndAGradient) {
  const auto tunnel = cpu_tunnel(controlled_case(20));
  const auto gradient = tunnel->gradient(functionals(), {20, 0, {}});
  const Forces of_gradient = tunnel->forces();
  const auto values = tunnel->evaluate(functionals(), {20, 0, {}});
  const Forces of_evaluation = tunnel->forces();
  tunnel->start();
  const Forces of_run = advance(*tunnel, 20);
  expect_same(of_run, of_evaluation);
  expect_same(of_run, of_gradient);
  EXPECT_EQ(values[1].value, gradient[1].value);
  double drag = 0;
  for (const auto& step : of_run) drag += step[0].force[0] / 20;
  EXPECT_NEAR(values[0].value, 2 * drag, 1e-13 * std::abs(drag));
}

TEST(Tunnel, RunsOnAfterAShortEvaluation) {
  const auto tunnel = cpu_tunnel(controlled_case(20));
  const Forces before = advance(*tunnel, 20);
  tunnel->evaluate(functionals(), {2, 0, {}});
  tunnel->start();
  expect_same(before, advance(*tunnel, 20));
}

/// The message of what must blow up.
std::string blow_up(const std::function<void()>& flow) {
  try {
    flow();
  } catch (const DivergenceError& error) {
    return error.what();
  }
  ADD_FAILURE() << "did not blow up";
  return {};
}

void expect_last_good_state(const Case& c, bool full) {
  const auto tunnel = cpu_tunnel(c, full);
  long reported = 0;
  const std::string message = blow_up([&] {
    tunnel->advance(c.frozen.steps, [&](const StepReport& report) {
      EXPECT_EQ(report.step, reported++);
      EXPECT_TRUE(std::isfinite(report.exchange[0].force[0] + report.balance[0].force[0]));
      return true;
    });
  });
  const FlowState last = tunnel->state();
  EXPECT_EQ(reported, last.step) << "every good step is to be reported";
  EXPECT_NE(message.find("step " + std::to_string(last.step) + ' '), std::string::npos) << message;
  EXPECT_TRUE(message.find(": u ") != std::string::npos ||
              message.find(": v ") != std::string::npos ||
              message.find(": p ") != std::string::npos)
      << message;
  for (const auto& field : last.velocity) {
    for (double value : field) ASSERT_TRUE(std::isfinite(value));
  }
  for (double value : last.pressure) ASSERT_TRUE(std::isfinite(value));
  EXPECT_GT(last.step, 0);
  const auto again = cpu_tunnel(c, full);
  again->advance(last.step, {}); // up to there all is well
  expect_same(again->state(), last);
  EXPECT_THROW(again->advance(last.step + 1, {}), DivergenceError);
}

TEST(Tunnel, SaysWhereTheFlowBlewUpAndKeepsTheLastGoodState) {
  Case c = frozen(cylinder_case(300));
  c.frozen.dt *= 8;
  expect_last_good_state(c, true);
  expect_last_good_state(c, false);
}

TEST(Tunnel, StopsAnEvaluationOfAFlowThatBlowsUp) {
  Case c = controlled_case(300);
  c.frozen.dt *= 8;
  const auto tunnel = cpu_tunnel(c);
  const std::string by_run = blow_up([&] { advance(*tunnel, 300); });
  const FlowState last = tunnel->state();
  EXPECT_EQ(blow_up([&] { tunnel->evaluate(functionals(), {}); }), by_run);
  expect_same(tunnel->state(), last);
  EXPECT_EQ(blow_up([&] { tunnel->gradient(functionals(), {}); }), by_run);
  EXPECT_EQ(blow_up([&] { tunnel->gradient(functionals(), {0, 3, {}}); }), by_run);
  expect_same(tunnel->state(), last);
}

TEST(Tunnel, LetsTheFlowLeaveAsFastAsItsCheckAllows) {
  for (const TimeScheme scheme : {TimeScheme::heun, TimeScheme::ssp_rk3}) {
    Case c = cylinder_case(400);
    c.time.scheme = scheme;
    c = frozen(c);
    const std::vector<double> faces = make_grid(c.grid).faces[0];
    const double last = faces.back() - faces[faces.size() - 2];
    const double limit = (scheme == TimeScheme::heun ? 2 : 2.5) * last / c.frozen.dt;
    c.boundary[0][1].speed = 0.99 * limit;
    const auto tunnel = cpu_tunnel(frozen(c));
    advance(*tunnel, 400);
    for (const double u : tunnel->fields().velocity) ASSERT_LT(std::abs(u), 3);
    c.boundary[0][1].speed = 1.01 * limit;
    EXPECT_THROW(freeze_constants(c), CaseError);
  }
}

TEST(Tunnel, FindsTheForceThatTheControlVolumeFinds) {
  Case c = cylinder_case(900);
  c.grid.spacing = 1.0 / 16;
  c.flow.viscosity = 0.05;
  c.initial.perturbation = 0;
  const auto tunnel = cpu_tunnel(frozen(c));
  double exchange = 0, balance = 0, lift = 0;
  tunnel->advance(c.time.steps, [&](const StepReport& report) {
    if (report.step < 800) return true;
    exchange += report.exchange[0].force[0];
    balance += report.balance[0].force[0];
    lift += report.exchange[0].force[1] - report.balance[0].force[1];
    return true;
  });
  EXPECT_GT(exchange, 0);
  EXPECT_NEAR(balance / exchange, 1, 0.01);
  EXPECT_LT(std::abs(lift), 0.01 * exchange);
}

/// A flow in which nothing is symmetric, or its mirror image in y.
Case lopsided_case(bool mirrored) {
  Case c = cylinder_case(30);
  const double sign = mirrored ? -1 : 1;
  c.grid.axis[1] = uniform_axis(-2, 2, 32); // stretched axes end up mirrored to rounding only
  BoundarySpec& inflow = c.boundary[0][0];
  inflow.profile = InflowProfile::values;
  inflow.position = {-2, 2};
  inflow.values = {mirrored ? 1.2 : 0.8, mirrored ? 0.8 : 1.2};
  BoundarySpec wall = side(BoundaryType::wall);
  wall.velocity = {0.5, 0, 0};
  c.boundary[1] = {wall, side(BoundaryType::slip)};
  if (mirrored) std::swap(c.boundary[1][0], c.boundary[1][1]);
  c.initial.perturbation *= sign;
  c.bodies[0].centre[1] *= sign;
  c.bodies[0].rotation = {0.6 * sign};
  return frozen(c);
}

TEST(Tunnel, MirrorsTheForcesOfAMirroredFlow) {
  const auto tunnel = cpu_tunnel(lopsided_case(false)), mirror = cpu_tunnel(lopsided_case(true));
  const Forces forces = advance(*tunnel, 30), mirrored = advance(*mirror, 30);
  double largest = 0;
  for (std::size_t n = 0; n < forces.size(); ++n) {
    const BodyForce &a = forces[n][0], &b = mirrored[n][0];
    const double scale = 1e-11 * std::abs(a.force[0]);
    EXPECT_NEAR(a.force[0], b.force[0], scale);
    EXPECT_NEAR(a.force[1], -b.force[1], scale);
    EXPECT_NEAR(a.moment, -b.moment, scale);
    largest = std::max(largest, std::abs(a.force[1]));
  }
  EXPECT_GT(largest, 0.01) << "without lift nothing is tested";
}

TEST(Tunnel, LeavesAUniformFlowAlone) {
  Case c = cylinder_case(40);
  c.bodies.clear();
  c.initial.perturbation = 0;
  const auto tunnel = cpu_tunnel(frozen(c));
  const FlowState before = tunnel->state();
  tunnel->advance(40, {});
  FlowState after = tunnel->state();
  EXPECT_EQ(before.velocity, after.velocity);
  for (double value : after.pressure) EXPECT_EQ(value, 0);
  EXPECT_EQ(tunnel->fields().velocity[0], 1);
}

TEST(Tunnel, CarriesAUniformFlowThroughAPeriodicBox) {
  Case c;
  c.grid.spacing = 0.1;
  c.grid.axis[0] = uniform_axis(0, 1.2, 12);
  c.grid.axis[1] = uniform_axis(0, 1, 10);
  for (std::size_t a = 0; a < 2; ++a) {
    c.boundary[a] = {side(BoundaryType::periodic), side(BoundaryType::periodic)};
  }
  c.initial.velocity = {0.7, -0.4, 0};
  c.time.steps = 20;
  const auto tunnel = cpu_tunnel(frozen(c));
  const FlowState before = tunnel->state();
  tunnel->advance(20, {});
  EXPECT_EQ(before.velocity, tunnel->state().velocity);
  EXPECT_EQ(tunnel->fields().velocity[1], -0.4);
}

/// Taylor-Green vortices in a box with slip walls, of unequal sides.
Case vortices(int dimension, long steps) {
  Case c;
  c.grid.dimension = dimension;
  c.grid.spacing = 1.0 / 16;
  const double length[] = {1, 2, 1};
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimension); ++a) {
    c.grid.axis[a] = uniform_axis(-0.5, length[a] - 0.5, 16);
    c.boundary[a] = {side(BoundaryType::slip), side(BoundaryType::slip)};
  }
  c.flow.viscosity = 0.01;
  c.flow.advection = Advection::central;
  c.initial.velocity = {0, 0, 0};
  c.initial.flow = InitialFlow::taylor_green;
  c.time.steps = steps;
  c.time.step = 0.002;
  return frozen(c);
}

double kinetic_energy(const FlowState& state) {
  double sum = 0;
  for (const auto& component : state.velocity) {
    for (double value : component) sum += value * value;
  }
  return sum;
}

TEST(Tunnel, StartsFromTaylorGreenVortices) {
  const auto tunnel = cpu_tunnel(vortices(3, 1));
  const Layout layout = Layout::over(16, 16, 16, 3);
  const FlowState state = tunnel->state();
  const double k = 2 * std::acos(-1.0), h = 1.0 / 16;
  const int i = 3, j = 5, l = 9;
  const auto at = static_cast<std::size_t>(layout.index(i, j, l));
  const double x = (i + 0.5) * h, y = 2 * (j + 0.5) * h, z = (l + 0.5) * h;
  EXPECT_NEAR(state.velocity[0][at], std::sin(k * i * h) * std::cos(0.5 * k * y) * std::cos(k * z),
              1e-14);
  EXPECT_NEAR(state.velocity[1][at],
              -2 * std::cos(k * x) * std::sin(0.5 * k * 2 * j * h) * std::cos(k * z), 1e-14);
  EXPECT_NEAR(state.velocity[2][at], 0, 1e-14);
}

TEST(Tunnel, LetsTaylorGreenVorticesDecay) {
  const auto tunnel = cpu_tunnel(vortices(2, 100));
  const double before = kinetic_energy(tunnel->state());
  tunnel->advance(100, {});
  const double wave = 2 * std::sin(std::acos(-1.0) / 16) * 16; // of second differences along x
  EXPECT_NEAR(kinetic_energy(tunnel->state()) / before,
              std::exp(-2 * 0.01 * 1.25 * wave * wave * 0.2), 1e-5);
}

/// A 2D flow, or the same flow in a 3D box with a span of 5 cells.
Case spanned_case(int dimension, BoundaryType ends) {
  Case c = cylinder_case(12);
  c.grid.dimension = dimension;
  c.grid.axis[2] = uniform_axis(0, 0.625, 5);
  c.boundary[2] = {side(ends), side(ends)};
  c.bodies[0].rotation = {0.5};
  c.initial.perturbation = 0; // it would differ along the span
  for (ControlKind kind :
       {ControlKind::shape, ControlKind::position, ControlKind::rotation, ControlKind::viscosity}) {
    c.controls.push_back(control(kind, 1));
  }
  c.time.step = 0.04;
  return frozen(c);
}

void expect_as_in_2d(BoundaryType ends) {
  const auto plane = cpu_tunnel(spanned_case(2, ends)), box = cpu_tunnel(spanned_case(3, ends));
  const std::vector<Functional> lift = {{{term(TermKind::drag), term(TermKind::lift, 3)}}};
  const auto in_2d = plane->gradient(lift, {})[0], in_3d = box->gradient(lift, {})[0];
  EXPECT_NEAR(in_2d.value, in_3d.value, 1e-11 * std::abs(in_2d.value));
  EXPECT_NEAR(in_2d.gradient.viscosity, in_3d.gradient.viscosity,
              1e-10 * std::abs(in_2d.gradient.viscosity));
  EXPECT_NEAR(in_2d.gradient.rotation[0][0], in_3d.gradient.rotation[0][0],
              1e-10 * std::abs(in_2d.gradient.rotation[0][0]));
  for (std::size_t n = 0; n < in_2d.gradient.body[0].size(); ++n) {
    EXPECT_NEAR(in_2d.gradient.body[0][n], in_3d.gradient.body[0][n],
                1e-9 * std::abs(in_2d.gradient.body[0][0]))
        << n;
  }
}

TEST(Tunnel, FindsIn3DTheForcesAndGradientsOfAFlowThatIs2D) {
  expect_as_in_2d(BoundaryType::periodic);
  expect_as_in_2d(BoundaryType::slip);
}

} // namespace
} // namespace contraflow::test
