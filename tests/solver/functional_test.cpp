#include "src/design/functional.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace contraflow::test {
namespace {

TermSpec window(double from, double to, Window kind = Window::square) {
  TermSpec term;
  term.from = from;
  term.to = to;
  term.window = kind;
  return term;
}

double sum(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

TEST(StepWeights, AreEqualForStepsWhoseMiddleLiesInTheWindow) {
  const auto weights = step_weights(window(0.3, 0.6), 0.1, 10); // middles .35, .45, .55
  for (std::size_t n = 0; n < 10; ++n) {
    EXPECT_DOUBLE_EQ(weights[n], n >= 3 && n <= 5 ? 1.0 / 3 : 0) << n;
  }
}

TEST(StepWeights, ReachTheEndOfTheRunByDefault) {
  const auto weights = step_weights(window(0.5, -1), 0.1, 10);
  for (std::size_t n = 0; n < 10; ++n) EXPECT_NEAR(weights[n], n >= 5 ? 0.2 : 0, 1e-15) << n;
}

TEST(StepWeights, FollowHannsWindow) {
  const auto weights = step_weights(window(0, 1, Window::hann), 0.25, 4);
  const double outer = std::pow(std::sin(std::acos(-1.0) / 8), 2) / 2;
  EXPECT_NEAR(weights[0], outer, 1e-15);
  EXPECT_NEAR(weights[1], 0.5 - outer, 1e-15);
  EXPECT_NEAR(weights[2], 0.5 - outer, 1e-15);
  EXPECT_NEAR(weights[3], outer, 1e-15);
}

TEST(StepWeights, SumToOneForEveryWindow) {
  for (Window kind : {Window::square, Window::hann}) {
    for (double from : {0.0, 0.13, 0.5, 0.99, 3.0}) {
      for (double to : {-1.0, 0.1, 0.52, 1.0, 7.0}) {
        const auto weights = step_weights(window(from, to, kind), 0.04, 25);
        ASSERT_EQ(weights.size(), 25u);
        EXPECT_NEAR(sum(weights), 1, 1e-14) << from << " to " << to;
        for (double weight : weights) EXPECT_GE(weight, 0);
      }
    }
  }
}

TEST(StepWeights, FallOnTheNearestStepWhereAWindowHoldsNone) {
  EXPECT_EQ(step_weights(window(0.31, 0.33), 0.1, 10)[3], 1);
  EXPECT_EQ(step_weights(window(0.31, 0.33, Window::hann), 0.1, 10)[3], 1);
  EXPECT_EQ(step_weights(window(0.38, 0.4), 0.1, 10)[3], 1);
  EXPECT_EQ(step_weights(window(5, 6), 0.1, 10)[9], 1); // past the end of the run
}

TEST(StateWeights, BelongToTheTimesOfStates) {
  const auto weights = state_weights(window(0.2, 0.4), 0.1, 10);
  ASSERT_EQ(weights.size(), 11u);
  for (std::size_t n = 0; n < 11; ++n) {
    EXPECT_DOUBLE_EQ(weights[n], n >= 2 && n <= 4 ? 1.0 / 3 : 0) << n;
  }
  EXPECT_DOUBLE_EQ(state_weights(window(0, 0), 0.1, 10)[0], 1);
}

TEST(Coefficients, AreTwiceTheForceOverDynamicPressureAndArea) {
  Case c;
  c.flow.reference_length = 0.5;
  c.flow.reference_speed = 2;
  c.grid.axis[2].low = -1;
  c.grid.axis[2].high = 3;
  BodySpec body;
  body.kind = ShapeKind::circle;
  EXPECT_DOUBLE_EQ(coefficients_of(c, body).force, 2 / (4 * 0.5));
  EXPECT_DOUBLE_EQ(coefficients_of(c, body).moment, 2 / (4 * 0.5 * 0.5));
  c.grid.dimension = 3;
  EXPECT_DOUBLE_EQ(coefficients_of(c, body).force, 2 / (4 * 0.5 * 4));
  body.kind = ShapeKind::sphere;
  body.radius = 0.5;
  body.scale = 2;
  EXPECT_DOUBLE_EQ(coefficients_of(c, body).force, 2 / (4 * std::acos(-1.0)));
}

} // namespace
} // namespace contraflow::test
