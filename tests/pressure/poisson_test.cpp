#include "src/pressure/poisson.hpp"

#include "tests/pressure/poisson_cases.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace contraflow::test {
namespace {

/// Every kind of axis with x, y or z the longest, and lines enough for full bundles and a rest.
std::vector<PoissonCase> every_case() {
  std::vector<PoissonCase> cases = all_kinds(2, {45, 22, 1});
  for (const auto& cells : {std::array{13, 70, 1}, std::array{9, 8, 7}, std::array{5, 6, 11}}) {
    const auto more = all_kinds(cells[2] == 1 ? 2 : 3, cells);
    cases.insert(cases.end(), more.begin(), more.end());
  }
  cases.push_back({"ss", {170, 150, 1}});
  cases.push_back({"ss", {150, 170, 1}});
  return cases;
}

template <class T> std::vector<T> solved(const PoissonCase& test, std::vector<T> b) {
  PoissonSolver<T> solver(test.grid(), test.periodic(), Exec::cpu());
  solver.solve(b.data());
  return b;
}

template <class T> double largest(const std::vector<T>& values) {
  double result = 0;
  for (const T value : values) result = std::max(result, std::abs(static_cast<double>(value)));
  return result;
}

/// max |lap phi - (b - mean b)| in roundings of T: of b and of the largest terms of lap phi.
template <class T> double residual(const PoissonCase& test, const std::vector<T>& b) {
  const Grid grid = test.grid();
  const std::vector<T> phi = solved(test, b);
  std::vector<double> difference = flux_laplacian(grid, test.periodic(), phi);
  const double average = mean(grid, b);
  for (std::size_t n = 0; n < b.size(); ++n) {
    difference[n] -= static_cast<double>(b[n]) - average;
  }
  double norm = 0;
  for (int a = 0; a < grid.dimension; ++a) {
    double narrowest = width(grid, a, 0);
    for (int i = 0; i < grid.cells(a); ++i) narrowest = std::min(narrowest, width(grid, a, i));
    norm += 4 / (narrowest * narrowest);
  }
  const double scale = largest(b) + norm * largest(phi);
  return largest(difference) / (scale * static_cast<double>(std::numeric_limits<T>::epsilon()));
}

TEST(PoissonSolver, SolvesTheEquationForEveryCombinationOfAxes) {
  for (const PoissonCase& test : every_case()) {
    EXPECT_LT(residual(test, random_cells<double>(test.size(), 1)), 8) << test.kinds;
    EXPECT_LT(residual(test, random_cells<float>(test.size(), 1)), 8) << test.kinds;
  }
}

TEST(PoissonSolver, ReturnsAMeanOfZero) {
  for (const PoissonCase& test : every_case()) {
    const auto phi = solved(test, random_cells<double>(test.size(), 2));
    EXPECT_LT(std::abs(mean(test.grid(), phi)), 1e-15) << test.kinds;
  }
}

TEST(PoissonSolver, IgnoresTheMeanOfTheRightHandSide) {
  for (const PoissonCase& test : every_case()) {
    auto b = random_cells<double>(test.size(), 3);
    auto phi = solved(test, b);
    for (double& value : b) value += 5;
    const auto shifted = solved(test, b);
    for (std::size_t n = 0; n < phi.size(); ++n) phi[n] -= shifted[n];
    EXPECT_LT(largest(phi), 1e-13) << test.kinds;
  }
}

TEST(PoissonSolver, IsSymmetricInTheVolumes) {
  for (const PoissonCase& test : every_case()) {
    const Grid grid = test.grid();
    auto a = random_cells<double>(test.size(), 4), b = random_cells<double>(test.size(), 5);
    for (double& value : a) value += 0.3; // not balanced: the null mode takes part
    const auto solved_a = solved(test, a), solved_b = solved(test, b);
    const double scale =
        std::sqrt(inner_product(grid, a, a) * inner_product(grid, solved_b, solved_b));
    EXPECT_NEAR(inner_product(grid, a, solved_b), inner_product(grid, solved_a, b), 1e-13 * scale)
        << test.kinds;
  }
}

// lap cos(pi x / L) cos(2 pi y / H) on cells [0, L] x [0, H], Neumann.
double error_against_a_cosine(int n, bool stretched) {
  PoissonCase test{stretched ? "ss" : "uu", {2 * n, n, 1}};
  const Grid grid = test.grid();
  const auto phase = [&](std::size_t a, int i) {
    const auto& faces = grid.faces[a];
    const double centre =
        (faces[static_cast<std::size_t>(i)] + faces[static_cast<std::size_t>(i) + 1]) / 2;
    return std::numbers::pi * static_cast<double>(a + 1) * (centre - faces.front()) /
           (faces.back() - faces.front());
  };
  double eigenvalue = 0;
  for (std::size_t a = 0; a < 2; ++a) {
    const double wave = std::numbers::pi * static_cast<double>(a + 1) /
                        (grid.faces[a].back() - grid.faces[a].front());
    eigenvalue -= wave * wave;
  }
  std::vector<double> exact(test.size()), b(test.size());
  for_each_cell(grid, [&](std::size_t index, int i, int j, int, double) {
    exact[index] = std::cos(phase(0, i)) * std::cos(phase(1, j));
    b[index] = eigenvalue * exact[index];
  });
  const auto phi = solved(test, b);
  const double average = mean(grid, exact);
  double error = 0;
  for (std::size_t index = 0; index < phi.size(); ++index) {
    error = std::max(error, std::abs(phi[index] - (exact[index] - average)));
  }
  return error;
}

TEST(PoissonSolver, ConvergesToACosineAtSecondOrder) {
  for (const bool stretched : {false, true}) {
    const double coarse = error_against_a_cosine(32, stretched);
    const double fine = error_against_a_cosine(64, stretched);
    EXPECT_LT(fine, 2e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05) << coarse << " " << fine;
  }
}

template <class T> void expect_the_same_bits_on_any_number_of_threads(const PoissonCase& test) {
  const auto b = random_cells<T>(test.size(), 6);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto one = solved(test, b);
  for (const int threads : {2, 3}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(one, solved(test, b)) << threads;
  }
  omp_set_num_threads(before);
}

TEST(PoissonSolver, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const PoissonCase& test :
       {PoissonCase{"ss", {333, 150, 1}}, PoissonCase{"up", {150, 333, 1}},
        PoissonCase{"pp", {200, 130, 1}}, PoissonCase{"usp", {40, 24, 20}},
        PoissonCase{"ppu", {24, 20, 30}}}) {
    expect_the_same_bits_on_any_number_of_threads<float>(test);
    expect_the_same_bits_on_any_number_of_threads<double>(test);
  }
}

TEST(PoissonSolver, SolvesOnASingleRowOrColumn) {
  for (const auto& cells : {std::array{17, 1, 1}, std::array{1, 17, 1}}) {
    for (const char* kinds : {"us", "pu", "uq"}) {
      const PoissonCase test{kinds, cells};
      EXPECT_LT(residual(test, random_cells<double>(test.size(), 7)), 8) << kinds;
    }
  }
}

} // namespace
} // namespace contraflow::test
