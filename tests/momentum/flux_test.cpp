#include "adjoint/momentum/flux.hpp"
#include "tests/support/dual.hpp"

#include <gtest/gtest.h>

#include <random>

namespace contraflow::test {
namespace {

double kappa_flux(double q, double smoothing, double a, double b, double c, double d) {
  return advective_flux(AdvectionWeights<double>::kappa(smoothing), q, a, b, c, d);
}

TEST(AdvectiveFlux, OfKappaIsTheThirdOrderUpwindBiasedOneWithoutSmoothing) {
  EXPECT_NEAR(kappa_flux(2, 0, 1, 3, 7, 100), 2 * (-1 + 5 * 3 + 2 * 7) / 6.0, 1e-13);
  EXPECT_NEAR(kappa_flux(2, 0, 1, 3, 7, -50), kappa_flux(2, 0, 1, 3, 7, 100), 1e-13);
  EXPECT_NEAR(kappa_flux(-2, 0, 100, 3, 7, 1), -2 * (2 * 3 + 5 * 7 - 1) / 6.0, 1e-13);
  EXPECT_NEAR(kappa_flux(-2, 0, -50, 3, 7, 1), kappa_flux(-2, 0, 100, 3, 7, 1), 1e-13);
}

TEST(AdvectiveFlux, OfKappaIsExactForCellMeansOfQuadratics) {
  const auto mean = [](double low) { // of 2 - 3 x + 4 x^2 over [low, low + 1]
    const double high = low + 1;
    return 2 - 1.5 * (high + low) + 4.0 / 3 * (high * high + high * low + low * low);
  };
  for (double q : {-0.7, 0.0, 0.7}) {
    EXPECT_NEAR(kappa_flux(q, 0.05, mean(-2), mean(-1), mean(0), mean(1)), q * 2, 1e-13);
  }
}

TEST(AdvectiveFlux, OfCentralIsTheMeanTimesTheMassFlux) {
  const auto weights = AdvectionWeights<double>::central(0.05);
  EXPECT_DOUBLE_EQ(advective_flux(weights, -2.0, 50.0, 3.0, 8.0, -50.0), -11.0);
}

TEST(AdvectiveFlux, IsSmoothWhereTheFlowTurns) {
  EXPECT_DOUBLE_EQ(smooth_magnitude(0.0, 0.05), 0.05);
  EXPECT_DOUBLE_EQ(smooth_magnitude(-0.3, 0.4), 0.5);
}

TEST(AdvectiveFlux, HasTheDerivativesOfDualNumbers) {
  std::mt19937_64 engine{3};
  std::uniform_real_distribution<double> uniform{-1.0, 1.0};
  for (int n = 0; n < 200; ++n) {
    const bool kappa = n % 2 == 0;
    const auto weights =
        kappa ? AdvectionWeights<double>::kappa(0.05) : AdvectionWeights<double>::central(0.05);
    const auto dual_weights =
        kappa ? AdvectionWeights<Dual>::kappa(0.05) : AdvectionWeights<Dual>::central(0.05);
    double x[5]; // q a b c d
    for (double& value : x) value = uniform(engine);
    if (n < 4) x[0] = 0;
    const double s = smooth_magnitude(x[0], weights.smoothing);
    const double by_hand[5] = {flux_by_q(weights, x[0], s, x[1], x[2], x[3], x[4]),
                               flux_by_a(weights, x[0], s), flux_by_b(weights, x[0], s),
                               flux_by_c(weights, x[0], s), flux_by_d(weights, x[0], s)};
    for (int input = 0; input < 5; ++input) {
      Dual y[5];
      for (int m = 0; m < 5; ++m) y[m] = {x[m], m == input ? 1.0 : 0.0};
      EXPECT_NEAR(by_hand[input], advective_flux(dual_weights, y[0], y[1], y[2], y[3], y[4]).dot,
                  1e-14)
          << "input " << input;
    }
  }
}

} // namespace
} // namespace contraflow::test
