#include "src/pressure/self_check.hpp"

#include "src/pressure/poisson.hpp"
#include "tests/pressure/poisson_cases.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace contraflow::test {
namespace {

TEST(BackwardError, IsRoundingForASolutionAndLargeForAnythingElse) {
  const PoissonCase test{"sqs", {12, 9, 10}};
  const Grid grid = test.grid();
  std::array<AxisOperator, 3> axes;
  for (std::size_t a = 0; a < 3; ++a) axes[a] = axis_operator(grid.faces[a], test.periodic()[a]);
  const auto b = noise<double>(test.size());
  auto phi = b;
  PoissonSolver<double>(grid, test.periodic(), Exec::cpu()).solve(phi.data());

  EXPECT_LT(backward_error(axes, phi, b), 1e-15);
  phi[400] *= 1 + 1e-6;
  EXPECT_GT(backward_error(axes, phi, b), 1e-9);
  phi[400] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_GT(backward_error(axes, phi, b), 1);
}

TEST(DistanceFromIdentity, SeesEveryEntry) {
  std::vector<float> matrix{1, 0, 0, 1};
  EXPECT_EQ(distance_from_identity(matrix, 2), 0);
  matrix[2] = -0.25;
  EXPECT_EQ(distance_from_identity(matrix, 2), 0.25);
  matrix[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_GT(distance_from_identity(matrix, 2), 1);
}

} // namespace
} // namespace contraflow::test
