#include "src/design/problem.hpp"
#include "tests/cuda/on_cuda.hpp"
#include "tests/cuda/small_case.hpp"

#include <algorithm>
#include <cmath>

namespace contraflow::test {
namespace {

using TunnelOnCuda = OnCuda;
using TunnelOnCudaForwardOrderOnly = OnCuda;

/// What a case says on one device: the forces of every step, and values and gradients of all
/// functionals.
struct Answers {
  std::vector<double> forces, balance;
  Problem::Values values;
};

Answers answers_of(const Case& c, const Exec& exec, bool full, int slots = 0) {
  const auto tunnel = make_wind_tunnel(c, exec, full);
  Answers answers;
  tunnel->advance(c.frozen.steps, [&](const StepReport& report) {
    for (const BodyForce& force : report.exchange) {
      answers.forces.insert(answers.forces.end(), force.force.begin(), force.force.end());
      answers.forces.push_back(force.moment);
    }
    for (const BodyForce& force : report.balance) {
      answers.balance.insert(answers.balance.end(), force.force.begin(), force.force.end());
    }
    return true;
  });
  Problem problem{*tunnel};
  Horizon horizon;
  horizon.slots = slots;
  answers.values = problem.gradients(problem.controls().start(), horizon);
  return answers;
}

/// Largest difference between two lists, over the largest entry.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double scale = 0, largest = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n) {
    scale = std::max(scale, std::abs(a[n]));
    const double difference = std::abs(a[n] - b[n]);
    if (!(difference <= largest)) largest = difference; // a NaN stays
  }
  return scale > 0 ? largest / scale : 1e300;
}

void expect_close(const Case& c, const Answers& a, const Answers& b, double tolerance) {
  EXPECT_LE(distance(a.forces, b.forces), tolerance) << "forces";
  EXPECT_LE(distance(a.balance, b.balance), tolerance) << "forces by control volume";
  EXPECT_LE(distance(a.values.value, b.values.value), tolerance) << "values";
  const auto tunnel = make_wind_tunnel(c, Exec::cpu(), true);
  const Problem problem{*tunnel};
  for (std::size_t f = 0; f < problem.functionals(); ++f) {
    for (const Controls::Group& group : problem.controls().groups()) {
      const auto part = [&](const std::vector<double>& gradient) {
        const auto first = gradient.begin() + static_cast<std::ptrdiff_t>(group.first);
        return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(group.count));
      };
      EXPECT_LE(distance(part(a.values.gradient[f]), part(b.values.gradient[f])), tolerance)
          << problem.describe(f) << " by " << group.name;
    }
  }
}

void expect_as_on_the_cpu(const Case& c, bool full, const Exec& device, double tolerance) {
  expect_close(c, answers_of(c, Exec::cpu(), full), answers_of(c, device, full), tolerance);
}
void expect_as_on_the_cpu(int dimension, int steps, bool full, const Exec& device,
                          double tolerance) {
  expect_as_on_the_cpu(read_small_case(dimension, steps), full, device, tolerance);
}

TEST_F(TunnelOnCuda, GivesTheForcesAndGradientsOfTheCpuIn2D) {
  expect_as_on_the_cpu(2, 3, true, device, 1e-11);
}
TEST_F(TunnelOnCuda, GivesTheForcesAndGradientsOfTheCpuIn3D) {
  expect_as_on_the_cpu(3, 2, true, device, 1e-11);
}
TEST_F(TunnelOnCuda, GivesTheForcesAndGradientsOfTheCpuIn2DInSinglePrecision) {
  expect_as_on_the_cpu(2, 3, false, device, 1e-4);
}
TEST_F(TunnelOnCuda, GivesTheForcesAndGradientsOfTheCpuIn3DInSinglePrecision) {
  expect_as_on_the_cpu(3, 2, false, device, 1e-4);
}

TEST_F(TunnelOnCudaForwardOrderOnly, GivesTheGradientOfTheCpuOver20Steps) {
  expect_as_on_the_cpu(2, 20, true, device, 1e-10);
}
TEST_F(TunnelOnCudaForwardOrderOnly, GivesTheForcesAndGradientsOfTheCpuForABodyThatSwings) {
  Case c = read_small_case(2, 6);
  c.bodies[0].oscillation = {0.02, 0.03, 0, 0.7, 30};
  for (const MotionPart part : {MotionPart::amplitude, MotionPart::frequency, MotionPart::phase}) {
    ControlSpec control = c.controls.front();
    control.kind = ControlKind::oscillation;
    control.part = part;
    c.controls.push_back(control);
  }
  expect_as_on_the_cpu(c, true, device, 1e-11);
}
TEST_F(TunnelOnCudaForwardOrderOnly, GivesTheSameBitsWithThreeStoredStatesAsWithAll) {
  const Case c = read_small_case(2, 20);
  const Answers few = answers_of(c, device, true, 3), all = answers_of(c, device, true, 20);
  const Answers stages = answers_of(c, device, true);
  EXPECT_EQ(few.values.value, all.values.value);
  EXPECT_EQ(few.values.gradient, all.values.gradient);
  EXPECT_EQ(few.values.gradient, stages.values.gradient);
}

} // namespace
} // namespace contraflow::test
