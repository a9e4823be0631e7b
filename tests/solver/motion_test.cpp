#include "contraflow/error.hpp"
#include "tests/solver/certified.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace contraflow::test {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr long steps_2d = 6, steps_3d = 2;
#else
constexpr long steps_2d = 20, steps_3d = 3;
#endif

/// A circle that swings across the flow and turns to and fro.
Case swinging_case(long steps) {
  Case c = cylinder_case(steps);
  c.grid.axis[0] = stretched_axis(-2.5, -1.375, 1.375, 4);
  c.grid.axis[1] = stretched_axis(-2.5, -1.375, 1.375, 2.5);
  c.bodies[0].oscillation = {0.1, 0.25, 0, 0.4, 20};
  c.bodies[0].rotation = {0.2, 0.7, 0.3, 40};
  c.bodies[0].harmonic_rotation = true;
  return c;
}

ControlSpec part(ControlKind kind, MotionPart which, double scale) {
  ControlSpec spec = control(kind, scale);
  spec.part = which;
  return spec;
}

/// Every number of the motion and the shape and place of what moves.
Case controlled_swing(long steps) {
  Case c = swinging_case(steps);
  c.controls = {part(ControlKind::oscillation, MotionPart::amplitude, 0.05),
                part(ControlKind::oscillation, MotionPart::frequency, 0.05),
                part(ControlKind::oscillation, MotionPart::phase, 10),
                part(ControlKind::rotation, MotionPart::mean, 0.3),
                part(ControlKind::rotation, MotionPart::amplitude, 0.3),
                part(ControlKind::rotation, MotionPart::frequency, 0.05),
                part(ControlKind::rotation, MotionPart::phase, 10),
                control(ControlKind::shape, 0.03),
                control(ControlKind::position, 0.03),
                control(ControlKind::viscosity, 0.005)};
  c.objective = {term(TermKind::drag), term(TermKind::lift, 0.5), term(TermKind::moment, 2)};
  return frozen(c);
}

void expect_certified_and_felt(const Case& c) {
  for (const CertificateRow& row : expect_certified(c).rows) {
    EXPECT_GT(std::abs(row.derivative), 1e-6) << row.group;
  }
}

TEST(Motion, IsCertifiedInEveryNumber) {
  expect_certified_and_felt(controlled_swing(steps_2d));
  Case c = controlled_swing(steps_2d / 2);
  c.time.scheme = TimeScheme::ssp_rk3;
  expect_certified_and_felt(c);
}

TEST(Motion, OfASphereIsCertified) {
  Case c = swinging_case(steps_3d);
  c.grid.dimension = 3;
  c.grid.axis[2] = stretched_axis(-2, -1.125, 1.125, 2);
  c.bodies[0].kind = ShapeKind::sphere;
  c.bodies[0].oscillation[2] = 0.1;
  c.controls = {part(ControlKind::oscillation, MotionPart::amplitude, 0.05),
                part(ControlKind::oscillation, MotionPart::frequency, 0.05),
                control(ControlKind::shape, 0.03)};
  c.objective = {term(TermKind::drag)};
  expect_certified_and_felt(frozen(c));
}

std::vector<BodyForce> forces_of(WindTunnel& tunnel, long to, bool by_balance = false) {
  std::vector<BodyForce> forces;
  tunnel.advance(to, [&](const StepReport& report) {
    forces.push_back((by_balance ? report.balance : report.exchange)[0]);
    return true;
  });
  return forces;
}

TEST(Motion, GoesOnFromARestartWithTheSameBits) {
  const Case c = frozen(swinging_case(40));
  const auto whole = cpu_tunnel(c), first = cpu_tunnel(c), second = cpu_tunnel(c);
  const auto unbroken = forces_of(*whole, 40);
  forces_of(*first, 23);
  const FlowState state = first->state();
  second->start(&state);
  const auto rest = forces_of(*second, 40);
  for (std::size_t n = 0; n < rest.size(); ++n) {
    EXPECT_EQ(rest[n].force, unbroken[n + 23].force) << n;
    EXPECT_EQ(rest[n].moment, unbroken[n + 23].moment) << n;
  }
}

/// A box of still fluid around a circle of diameter 1 that starts from rest with the largest
/// acceleration of its swing.
Case started_case(double spacing) {
  Case c;
  c.path = "started_case";
  c.grid.spacing = spacing;
  c.grid.axis[0] = stretched_axis(-6, -1.25, 0.875, 6);
  c.grid.axis[1] = stretched_axis(-6, -0.875, 0.875, 6);
  c.flow.viscosity = 1e-4;
  c.initial.velocity = {0, 0, 0};
  c.bodies = {circle("body", 0, 0, 0.5)};
  c.bodies[0].oscillation = {0.25, 0, 0, 0.4, -90};
  c.time.cfl = 0.1;
  c.time.end = 0.05;
  return frozen(c);
}

/// Force over that on the displaced fluid, pi/4 dU/dt, at the end.
double added_mass(double spacing) {
  const Case c = started_case(spacing);
  const auto tunnel = cpu_tunnel(c);
  const auto forces = forces_of(*tunnel, c.frozen.steps);
  const double rate = 2 * std::numbers::pi * 0.4;
  const double acceleration = 0.25 * rate * rate * std::cos(rate * c.time.end);
  return -forces.back().force[0] / (std::numbers::pi / 4 * acceleration);
}

TEST(Motion, GivesAStartedCylinderTheAddedMassOfIdealFlow) {
  // Beside it the growing boundary layer: 8 sqrt(nu t/pi)/D (Bearman et al. 1985).
  const double layer = 8 * std::sqrt(1e-4 * 0.05 / std::numbers::pi);
  const double coarse = added_mass(1.0 / 16) - layer, fine = added_mass(1.0 / 64) - layer;
  EXPECT_NEAR(fine, 1, 0.06);
  EXPECT_LT(std::abs(fine - 1), 0.6 * std::abs(coarse - 1));
}

TEST(Motion, GivesABodyTowedThroughStillFluidTheForcesOfOneInAStream) {
  Case still = cylinder_case(1);
  still.grid.spacing = 1.0 / 32;
  still.grid.axis[0] = stretched_axis(-9, -2.75, 0.9375, 9);
  still.grid.axis[1] = stretched_axis(-8, -0.9375, 0.9375, 8);
  still.boundary[0] = {side(BoundaryType::slip), side(BoundaryType::slip)};
  still.initial.perturbation = 0;
  still.bodies = {circle("body", 0, 0, 0.5)};
  still.time.steps = 0;
  still.time.end = 1.6;
  still.time.cfl = 0.2;
  Case stream = still;
  stream.boundary[0] = {side(BoundaryType::inflow), side(BoundaryType::outflow)};
  still.initial.velocity = {0, 0, 0};
  still.bodies[0].velocity = {-1, 0, 0};
  still.frozen.dt = stream.frozen.dt = 0.005;
  still.frozen.steps = stream.frozen.steps = 320;
  const auto towed = cpu_tunnel(frozen(still)), blown = cpu_tunnel(frozen(stream));
  const auto of_towed = forces_of(*towed, 320), of_blown = forces_of(*blown, 320);
  const auto mean = [](const std::vector<BodyForce>& forces) {
    double sum = 0;
    for (std::size_t n = 160; n < forces.size(); ++n) sum += forces[n].force[0];
    return sum / static_cast<double>(forces.size() - 160);
  };
  EXPECT_NEAR(mean(of_towed), mean(of_blown), 0.01 * mean(of_blown));
}

TEST(Motion, HasTheForceThatTheControlVolumeFinds) {
  const Case c = frozen(swinging_case(200));
  const auto one = cpu_tunnel(c), other = cpu_tunnel(c);
  const auto exchange = forces_of(*one, 200), balance = forces_of(*other, 200, true);
  double difference = 0, size = 0;
  for (std::size_t n = 100; n < 200; ++n) {
    for (std::size_t a = 0; a < 2; ++a) {
      difference += std::pow(exchange[n].force[a] - balance[n].force[a], 2);
      size += std::pow(exchange[n].force[a], 2);
    }
  }
  EXPECT_LT(std::sqrt(difference / size), 0.02);
}

TEST(Motion, OutOfTheUniformPartOfTheGridIsRefused) {
  Case c = swinging_case(100);
  c.bodies[0].oscillation[1] = 2;
  EXPECT_THROW(cpu_tunnel(frozen(c)), CaseError);
}

} // namespace
} // namespace contraflow::test
