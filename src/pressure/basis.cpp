#include "src/pressure/basis.hpp"

#include "contraflow/error.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace contraflow {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_uniform(const std::vector<double>& faces, double width) {
  const double reach = std::max(std::abs(faces.front()), std::abs(faces.back()));
  const double tolerance = 1e-12 * width + 4 * std::numeric_limits<double>::epsilon() * reach;
  for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
    if (std::abs(faces[i + 1] - faces[i] - width) > tolerance) return false;
  }
  return true;
}

// cos(pi numerator / denominator), reduced in integers: exact symmetries, no error of large angles.
double cosine(long long numerator, long long denominator) {
  const long long folded = std::abs(numerator) % (2 * denominator);
  return std::cos(std::numbers::pi * static_cast<double>(folded) /
                  static_cast<double>(denominator));
}

// sin(x) = cos(x - pi/2)
double sine(long long numerator, long long denominator) {
  return cosine(2 * numerator - denominator, 2 * denominator);
}

double squared(double value) { return value * value; }

Eigenbasis cosines(const AxisOperator& axis) {
  const int n = axis.cells();
  const double width = axis.widths[0];
  Eigenbasis basis{std::vector<double>(at(n)), std::vector<double>(at(n) * at(n))};
  for (int m = 0; m < n; ++m) {
    basis.eigenvalues[at(m)] = squared(2 / width * std::sin(std::numbers::pi * m / (2 * n)));
    const double scale = std::sqrt((m == 0 ? 1 : 2) / (width * n));
    for (int i = 0; i < n; ++i) {
      basis.modes[at(i) * at(n) + at(m)] = scale * cosine(m * (2LL * i + 1), 2LL * n);
    }
  }
  return basis;
}

// Mode 0, then cosine and sine of each wave number; for an even n the last is (-1)^i.
Eigenbasis fourier(const AxisOperator& axis) {
  const int n = axis.cells();
  const double width = axis.widths[0];
  Eigenbasis basis{std::vector<double>(at(n)), std::vector<double>(at(n) * at(n))};
  for (int m = 0; m < n; ++m) {
    const int wave = (m + 1) / 2;
    basis.eigenvalues[at(m)] = squared(2 / width * std::sin(std::numbers::pi * wave / n));
    const bool single = m == 0 || 2 * wave == n;
    const double scale = std::sqrt((single ? 1 : 2) / (width * n));
    for (int i = 0; i < n; ++i) {
      const long long turn = 2LL * wave * i;
      const double value = m % 2 == 1 ? cosine(turn, n) : sine(turn, n);
      basis.modes[at(i) * at(n) + at(m)] = scale * (m == 0 ? 1 : value);
    }
  }
  return basis;
}

// V^(1/2) A V^(-1/2), dense because of the corners of the periodic case.
Eigen::MatrixXd symmetrised(const AxisOperator& axis) {
  const int n = axis.cells();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (int face = 0; face < n; ++face) {
    const int high = face, low = face == 0 ? n - 1 : face - 1;
    const double coupling = axis.couplings[at(face)];
    matrix(high, high) += coupling / axis.widths[at(high)];
    matrix(low, low) += coupling / axis.widths[at(low)];
    const double across = coupling / std::sqrt(axis.widths[at(low)] * axis.widths[at(high)]);
    matrix(low, high) -= across;
    matrix(high, low) -= across;
  }
  return matrix;
}

// Rayleigh quotient of one mode by differences: keeps the small eigenvalues to relative precision,
// which the eigensolver gives only relative to the largest.
double rayleigh_quotient(const AxisOperator& axis, const Eigen::VectorXd& mode) {
  double energy = 0, norm = 0;
  for (int i = 0; i < axis.cells(); ++i) {
    const double before = mode(i == 0 ? axis.cells() - 1 : i - 1);
    energy += axis.couplings[at(i)] * squared(mode(i) - before);
    norm += axis.widths[at(i)] * squared(mode(i));
  }
  return energy / norm;
}

Eigenbasis dense(const AxisOperator& axis) {
  const int n = axis.cells();
  const Eigen::MatrixXd matrix = symmetrised(axis);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  if (axis.periodic) {
    solver.compute(matrix);
  } else {
    solver.computeFromTridiagonal(matrix.diagonal(), matrix.diagonal(-1));
  }
  if (solver.info() != Eigen::Success)
    throw SolveError{"eigenbasis: the eigensolver did not converge"};

  // A copy: Eigen's sums start where memory is aligned, so a map's bits would depend on its
  // address.
  const Eigen::VectorXd widths = Eigen::Map<const Eigen::VectorXd>(axis.widths.data(), n);
  Eigen::MatrixXd modes = widths.cwiseSqrt().cwiseInverse().asDiagonal() * solver.eigenvectors();
  modes.col(0).setConstant(1 / std::sqrt(widths.sum()));
  // The solver's own null mode was a little off, and the others orthogonal to that.
  for (int m = 1; m < n; ++m) modes.col(m).array() -= widths.dot(modes.col(m)) / widths.sum();

  Eigenbasis basis{std::vector<double>(at(n), 0.0), std::vector<double>(at(n) * at(n))};
  for (int m = 0; m < n; ++m) {
    if (m > 0) basis.eigenvalues[at(m)] = rayleigh_quotient(axis, modes.col(m));
    for (int i = 0; i < n; ++i) basis.modes[at(i) * at(n) + at(m)] = modes(i, m);
  }
  return basis;
}

} // namespace

AxisOperator axis_operator(const std::vector<double>& faces, bool periodic) {
  const std::size_t n = faces.size() - 1;
  AxisOperator axis;
  axis.periodic = periodic;
  const double mean = (faces.back() - faces.front()) / static_cast<double>(n);
  axis.uniform = is_uniform(faces, mean);
  for (std::size_t i = 0; i < n; ++i) {
    axis.widths.push_back(axis.uniform ? mean : faces[i + 1] - faces[i]);
  }
  axis.couplings.assign(n + 1, 0.0);
  for (std::size_t i = 1; i < n; ++i) {
    axis.couplings[i] = 2 / (axis.widths[i - 1] + axis.widths[i]);
  }
  if (periodic) {
    axis.couplings.front() = 2 / (axis.widths.back() + axis.widths.front());
    axis.couplings.back() = axis.couplings.front();
  }
  return axis;
}

Eigenbasis eigenbasis(const AxisOperator& axis) {
  if (!axis.uniform) return dense(axis);
  return axis.periodic ? fourier(axis) : cosines(axis);
}

} // namespace contraflow
