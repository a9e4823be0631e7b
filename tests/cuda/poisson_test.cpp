#include "src/pressure/poisson.hpp"

#include "src/core/buffer.hpp"
#include "tests/pressure/poisson_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace contraflow::test {
namespace {

// Solves twice, so that what the first solve leaves in the workspace is seen if it matters.
template <class T>
std::vector<T> solved(const PoissonCase& test, const std::vector<T>& b, const Exec& exec) {
  PoissonSolver<T> solver(test.grid(), test.periodic(), exec);
  Buffer<T> values(exec, b);
  solver.solve(values.data());
  values.upload(b);
  solver.solve(values.data());
  return values.download();
}

template <class T> double difference(const PoissonCase& test, const Exec& device) {
  const auto b = random_cells<T>(test.size(), 8);
  const auto on_cpu = solved(test, b, Exec::cpu()), on_device = solved(test, b, device);
  double largest = 0, scale = 0;
  for (std::size_t n = 0; n < b.size(); ++n) {
    largest = std::max(largest, std::abs(static_cast<double>(on_cpu[n] - on_device[n])));
    scale = std::max(scale, std::abs(static_cast<double>(on_cpu[n])));
  }
  return largest / scale;
}

TEST(PoissonSolverOnCuda, AgreesWithTheCpu) {
  if (cuda_devices() == 0) GTEST_SKIP() << "no CUDA device";
  const Exec device = open_cuda_device(0);
  for (const PoissonCase& test : {PoissonCase{"ss", {24, 16, 1}}, PoissonCase{"up", {16, 24, 1}},
                                  PoissonCase{"qp", {9, 7, 1}}, PoissonCase{"sus", {12, 10, 8}},
                                  PoissonCase{"usp", {8, 12, 10}}, PoissonCase{"qps", {10, 8, 12}},
                                  PoissonCase{"pqp", {6, 5, 7}}}) {
    EXPECT_LT(difference<double>(test, device), 1e-12) << test.kinds;
    EXPECT_LT(difference<float>(test, device), 2e-5) << test.kinds;
  }
}

} // namespace
} // namespace contraflow::test
