#include "src/solver/mask_shift.hpp"

#include "kernels/body/mask.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace contraflow::test {
namespace {

TEST(MaskShift, OfTheDefaultMaskIsTheTabulatedOne) {
  EXPECT_NEAR(bdim_shift(0.02, 1.5), -0.138, 5e-4);
  EXPECT_NEAR(bdim_shift(0.05, 1.5), -0.201, 5e-4);
  EXPECT_NEAR(bdim_shift(0.1, 1.5), -0.265, 5e-4);
  EXPECT_NEAR(bdim_shift(0.2, 1.5), -0.346, 5e-4);
  EXPECT_NEAR(bdim_shift(0.4, 1.5), -0.444, 5e-4);
}

/// Where the wall of a Couette flow comes to rest: the relaxation itself, step after step.
template <class Moments> double resting_wall(double lambda, double offset, const Moments& moments) {
  constexpr std::size_t nodes = 20;
  std::vector<double> u(nodes), g(nodes);
  const auto distance = [&](std::size_t n) { return static_cast<double>(n) + offset - 10; };
  for (std::size_t n = 0; n < nodes; ++n) u[n] = distance(n) > 0 ? distance(n) : 0;
  for (int step = 0; step < 4000; ++step) {
    g = u;
    for (std::size_t n = 1; n + 1 < nodes; ++n) g[n] += lambda * (u[n + 1] - 2 * u[n] + u[n - 1]);
    for (std::size_t n = 1; n + 1 < nodes; ++n) {
      const MaskMoments<double> mask = moments(distance(n));
      u[n] = (1 - mask.solid) * g[n] + mask.first * (g[n + 1] - g[n - 1]) / 2;
    }
    u[0] = 0;
    u[nodes - 1] = u[nodes - 2] + 1;
  }
  return distance(nodes - 1) - u[nodes - 1];
}

template <class Moments> double mean_resting_wall(double lambda, const Moments& moments) {
  double sum = 0;
  for (int n = 0; n < 20; ++n) sum += resting_wall(lambda, (n + 0.5) / 20, moments);
  return sum / 20;
}

TEST(MaskShift, IsWhereTheWallOfARelaxedCouetteFlowComesToRest) {
  for (double width : {1.0, 2.0}) {
    const MaskConstants<double> constants{1, width, 0, 0};
    EXPECT_NEAR(bdim_shift(0.3, width),
                mean_resting_wall(0.3, [&](double d) { return bdim_moments(constants, d); }), 1e-3);
  }
  const MaskConstants<double> constants{1, 1.5, 0, 0};
  EXPECT_NEAR(robin_shift(0.3),
              mean_resting_wall(0.3, [&](double d) { return robin_moments(constants, d); }), 1e-3);
}

TEST(MaskShift, LeavesTheWallOfTheDisplacedMaskOnTheSurface) {
  const double lambda = 0.3, spread = 0.03; // of single positions within a cell
  const MaskConstants<double> constants{1, 1.5, bdim_shift(lambda, 1.5), robin_shift(lambda)};
  const auto thick = [&](double d) { return bdim_moments(constants, d); };
  const auto thin = [&](double d) { return robin_moments(constants, d); };
  EXPECT_NEAR(mean_resting_wall(lambda, thick), 0, 1e-3);
  EXPECT_NEAR(mean_resting_wall(lambda, thin), 0, 1e-3);
  EXPECT_NEAR(resting_wall(lambda, 0, thick), 0, spread);
}

/// Wall seen from one side of a sheet in a flow that shears alike on both sides.
double sheet_wall(const MaskConstants<double>& constants, double lambda, double offset) {
  constexpr std::size_t nodes = 24;
  std::vector<double> u(nodes), g(nodes);
  const auto along = [&](std::size_t n) { return static_cast<double>(n) + offset - 12; };
  for (std::size_t n = 0; n < nodes; ++n) u[n] = std::abs(along(n));
  for (int step = 0; step < 4000; ++step) {
    g = u;
    for (std::size_t n = 1; n + 1 < nodes; ++n) g[n] += lambda * (u[n + 1] - 2 * u[n] + u[n - 1]);
    for (std::size_t n = 1; n + 1 < nodes; ++n) {
      const double y = along(n), normal = std::abs(y + 0.5) - std::abs(y - 0.5);
      const MaskMoments<double> mask = robin_moments(constants, std::abs(y));
      u[n] = (1 - mask.solid) * g[n] + mask.first * normal * (g[n + 1] - g[n - 1]) / 2;
    }
    u[0] = u[1] + 1;
    u[nodes - 1] = u[nodes - 2] + 1;
  }
  return along(nodes - 1) - u[nodes - 1];
}

TEST(MaskShift, OfTheOneSidedMaskServesBothSidesOfASheet) {
  const double lambda = 0.128; // Re 1000, 128 cells
  const MaskConstants<double> constants{1, 1.5, 0, robin_shift(lambda)};
  for (int n = 0; n < 10; ++n) EXPECT_NEAR(sheet_wall(constants, lambda, 0.1 * n), 0, 0.04) << n;
}

} // namespace
} // namespace contraflow::test
