#pragma once

#include "contraflow/error.hpp"
#include "contraflow/hd.hpp"
#include "src/pressure/poisson.hpp"

#include <cmath>
#include <vector>

namespace contraflow::test {

/// Forward-mode dual number: a value and its derivative along one direction.
/// Comparisons look at the value only, so a kernel takes the same branch as it does in plain
/// double.
struct Dual {
  double value = 0;
  double dot = 0;

  Dual() = default;
  Dual(double v) : value{v} {} // NOLINT(google-explicit-constructor): literals mix in freely
  Dual(double v, double d) : value{v}, dot{d} {}

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.dot + b.dot}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.dot - b.dot}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.dot * b.value + a.value * b.dot};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return {quotient, (a.dot - quotient * b.dot) / b.value};
  }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.dot}; }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return {root, a.dot / (2 * root)};
  }
  friend Dual sin(const Dual& a) { return {std::sin(a.value), a.dot * std::cos(a.value)}; }
  friend Dual cos(const Dual& a) { return {std::cos(a.value), -a.dot * std::sin(a.value)}; }
};

} // namespace contraflow::test

namespace contraflow {

/// A dual solve is two solves.
template <> class PoissonSolver<test::Dual> {
public:
  PoissonSolver(const Grid& grid, const std::array<bool, 3>& periodic, const Exec& exec)
      : solver_{grid, periodic, exec}, size_{static_cast<std::size_t>(grid.cells(0)) *
                                             static_cast<std::size_t>(grid.cells(1)) *
                                             static_cast<std::size_t>(grid.cells(2))} {}

  void solve(test::Dual* b) {
    std::vector<double> value(size_), dot(size_);
    for (std::size_t n = 0; n < size_; ++n) {
      value[n] = b[n].value;
      dot[n] = b[n].dot;
    }
    solver_.solve(value.data());
    solver_.solve(dot.data());
    for (std::size_t n = 0; n < size_; ++n) b[n] = {value[n], dot[n]};
  }

private:
  PoissonSolver<double> solver_;
  std::size_t size_;
};

} // namespace contraflow
