#include "contraflow/error.hpp"
#include "tests/solver/certified.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
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

/// A box of still fluid around a circle of diameter 1.
Case still_case(double spacing) {
  Case c;
  c.path = "still_case";
  c.grid.spacing = spacing;
  c.grid.axis[0] = stretched_axis(-12, -1, 1, 12);
  c.grid.axis[1] = stretched_axis(-10, -1, 1, 10);
  c.initial.velocity = {0, 0, 0};
  c.bodies = {circle("body", 0, 0, 0.5)};
  c.time.cfl = 0.1;
  return c;
}

constexpr double period = 1, stokes_number = 25; // D^2/(nu T)

/// The part of the force or moment of the second period that goes with a velocity or acceleration
/// of amplitude 1, cos(2 pi t + phase).
double share_of(const std::vector<BodyForce>& forces, double dt, double phase,
                double (*value)(const BodyForce&)) {
  double product = 0, square = 0;
  for (std::size_t n = 0; n < forces.size(); ++n) {
    const double time = (static_cast<double>(n) + 0.5) * dt; // of the mean over a step
    if (time < period) continue;
    const double wave = std::cos(2 * std::numbers::pi * time + phase);
    product += value(forces[n]) * wave;
    square += wave * wave;
  }
  return product / square;
}

struct OscillatingForce {
  double added_mass, damping; ///< F = -added_mass pi/4 D^2 dU/dt - damping U
};

OscillatingForce force_on_oscillating(double spacing) {
  Case c = still_case(spacing);
  c.flow.viscosity = 1 / stokes_number;
  const double amplitude = 0.5 / (2 * std::numbers::pi), rate = 2 * std::numbers::pi / period;
  c.bodies[0].oscillation = {amplitude, 0, 0, 1 / period, 0};
  c.time.end = 2 * period;
  c = frozen(c);
  const auto tunnel = cpu_tunnel(c);
  const auto forces = forces_of(*tunnel, c.frozen.steps);
  const auto along = [](double phase, const std::vector<BodyForce>& of, double dt) {
    return share_of(of, dt, phase, [](const BodyForce& f) { return f.force[0]; });
  };
  const double by_velocity = along(0, forces, c.frozen.dt);
  const double by_acceleration = along(std::numbers::pi / 2, forces, c.frozen.dt);
  return {-by_acceleration / (amplitude * rate * rate) / (std::numbers::pi / 4),
          -by_velocity / (amplitude * rate)};
}

TEST(Motion, GivesAnOscillatingCylinderTheForceOfStokesAndWang) {
  // Wang 1968, J. Fluid Mech. 32: to third order in the thickness of the layer.
  const double layer = 1 / std::sqrt(std::numbers::pi * stokes_number);
  const double added_mass = 1 + 4 * layer + std::pow(layer, 3);
  const double damping =
      2 * std::pow(std::numbers::pi, 2) * (layer + layer * layer - 0.25 * std::pow(layer, 3));
  const OscillatingForce coarse = force_on_oscillating(1.0 / 16);
  const OscillatingForce fine = force_on_oscillating(1.0 / 32);
  EXPECT_NEAR(fine.added_mass, added_mass, 0.015 * added_mass);
  EXPECT_LT(std::abs(fine.added_mass - added_mass), 0.5 * std::abs(coarse.added_mass - added_mass));
  EXPECT_NEAR(fine.damping, damping, 0.01 * damping);
}

/// Moment over the amplitude of the angular velocity: in phase with it, and with its rate.
std::complex<double> moment_on_turning(double spacing) {
  Case c = still_case(spacing);
  c.flow.viscosity = 1 / stokes_number;
  const double spin = 0.5;
  c.bodies[0].rotation = {0, spin, 1 / period, 0};
  c.bodies[0].harmonic_rotation = true;
  c.time.end = 2 * period;
  c = frozen(c);
  const auto tunnel = cpu_tunnel(c);
  const auto forces = forces_of(*tunnel, c.frozen.steps);
  const auto share = [&](double phase) {
    return share_of(forces, c.frozen.dt, phase, [](const BodyForce& f) { return f.moment; }) / spin;
  };
  return {share(-std::numbers::pi / 2), share(0)};
}

TEST(Motion, GivesATurningCylinderTheMomentOfStokes) {
  // M = -4 pi nu R^2 spin (1 + z K0(z) / (2 K1(z))), z = R sqrt(2 pi i/(nu T)).
  const double radius = 0.5, viscosity = 1 / stokes_number;
  const std::complex<double> z =
      radius * std::sqrt(std::complex<double>{0, 2 * std::numbers::pi / (viscosity * period)});
  const auto bessel = [&](double order) { // without a factor that is common to all orders
    std::complex<double> term = 1, sum = 1;
    for (int n = 1; n <= 6; ++n) {
      term *= (4 * order * order - std::pow(2 * n - 1, 2)) / (8.0 * n * z);
      sum += term;
    }
    return sum;
  };
  const std::complex<double> exact =
      -4 * std::numbers::pi * viscosity * radius * radius * (1.0 + 0.5 * z * bessel(0) / bessel(1));
  const auto coarse = moment_on_turning(1.0 / 16), fine = moment_on_turning(1.0 / 32);
  EXPECT_LT(std::abs(fine - exact), 0.02 * std::abs(exact));
  EXPECT_LT(std::abs(fine - exact), 0.5 * std::abs(coarse - exact));
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
