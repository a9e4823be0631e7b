#include "src/pressure/self_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace contraflow {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// Cells [nz][ny][nx] of a host array.
template <class T> struct Cells {
  const std::vector<T>& values;
  int n[3];

  std::size_t index(const std::array<int, 3>& cell) const {
    return (at(cell[2]) * at(n[1]) + at(cell[1])) * at(n[0]) + at(cell[0]);
  }
  double operator()(const std::array<int, 3>& cell) const {
    return static_cast<double>(values[index(cell)]);
  }
};

template <class T> double laplacian_along(const AxisOperator& axis, int direction,
                                          const Cells<T>& phi, std::array<int, 3> cell) {
  const std::size_t a = at(direction);
  const int n = axis.cells(), i = cell[a];
  const double here = phi(cell);
  cell[a] = i == 0 ? n - 1 : i - 1;
  const double low = axis.couplings[at(i)] * (phi(cell) - here);
  cell[a] = i == n - 1 ? 0 : i + 1;
  const double high = axis.couplings[at(i) + 1] * (phi(cell) - here);
  return (low + high) / axis.widths[at(i)];
}

// Largest sum of absolute entries of a row.
double norm(const AxisOperator& axis) {
  double largest = 0;
  for (std::size_t i = 0; i < axis.widths.size(); ++i) {
    largest = std::max(largest, 2 * (axis.couplings[i] + axis.couplings[i + 1]) / axis.widths[i]);
  }
  return largest;
}

template <class Visit> void for_each_cell(const std::array<AxisOperator, 3>& axes, Visit visit) {
  for (int k = 0; k < axes[2].cells(); ++k) {
    for (int j = 0; j < axes[1].cells(); ++j) {
      for (int i = 0; i < axes[0].cells(); ++i) visit(std::array<int, 3>{i, j, k});
    }
  }
}

} // namespace

template <class T> double backward_error(const std::array<AxisOperator, 3>& axes,
                                         const std::vector<T>& phi, const std::vector<T>& b) {
  const Cells<T> x{phi, {axes[0].cells(), axes[1].cells(), axes[2].cells()}};
  const Cells<T> y{b, {axes[0].cells(), axes[1].cells(), axes[2].cells()}};
  double sum = 0, volume = 0, largest_phi = 0, largest_b = 0, largest_residual = 0;
  for_each_cell(axes, [&](const std::array<int, 3>& cell) {
    const double size =
        axes[0].widths[at(cell[0])] * axes[1].widths[at(cell[1])] * axes[2].widths[at(cell[2])];
    sum += size * y(cell);
    volume += size;
    largest_phi = std::max(largest_phi, std::abs(x(cell)));
    largest_b = std::max(largest_b, std::abs(y(cell)));
  });
  bool finite = true;
  for_each_cell(axes, [&](const std::array<int, 3>& cell) {
    double residual = sum / volume - y(cell);
    for (int a = 0; a < 3; ++a) residual += laplacian_along(axes[at(a)], a, x, cell);
    finite = finite && std::isfinite(residual);
    largest_residual = std::max(largest_residual, std::abs(residual));
  });
  if (!finite) return INFINITY;
  const double norms = norm(axes[0]) + norm(axes[1]) + norm(axes[2]);
  return largest_residual / (norms * largest_phi + largest_b);
}

template <class T> std::vector<T> noise(std::size_t size) {
  std::vector<T> values(size);
  std::uint64_t state = 1;
  for (T& value : values) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    value = static_cast<T>(static_cast<double>(state >> 11) * 0x1p-52 - 1);
  }
  return values;
}

template <class T> double distance_from_identity(const std::vector<T>& product, int n) {
  double largest = 0;
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      const double value = static_cast<double>(product[at(row) * at(n) + at(column)]);
      const double distance = std::abs(value - (row == column ? 1 : 0));
      if (!(distance <= largest)) largest = std::isnan(distance) ? INFINITY : distance;
    }
  }
  return largest;
}

template double backward_error(const std::array<AxisOperator, 3>&, const std::vector<float>&,
                               const std::vector<float>&);
template double backward_error(const std::array<AxisOperator, 3>&, const std::vector<double>&,
                               const std::vector<double>&);
template std::vector<float> noise(std::size_t);
template std::vector<double> noise(std::size_t);
template double distance_from_identity(const std::vector<float>&, int);
template double distance_from_identity(const std::vector<double>&, int);

} // namespace contraflow
