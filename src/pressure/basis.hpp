#pragma once

#include <vector>

namespace contraflow {

/// Minus the two-point Laplacian along one axis, in symmetric form:
///
///   (A phi)[i] = { couplings[i] (phi[i] - phi[i-1]) + couplings[i+1] (phi[i] - phi[i+1]) } /
///   widths[i]
///
/// with neighbours that wrap around: where the ends are homogeneous Neumann the end couplings are
/// 0.
struct AxisOperator {
  std::vector<double> widths;    ///< of the cells; all the same bits where uniform
  std::vector<double> couplings; ///< 1 / distance of cell centres, one per face; first = last
  bool uniform = false;          ///< to 1e-12 of a width and the rounding of the coordinates
  bool periodic = false;

  int cells() const { return static_cast<int>(widths.size()); }
};

/// `faces` are ascending coordinates, one more than there are cells.
AxisOperator axis_operator(const std::vector<double>& faces, bool periodic);

/// A = Q diag(eigenvalues) Q' V with Q' V Q = I, V = diag(widths).
struct Eigenbasis {
  std::vector<double> eigenvalues; ///< not negative; the first is exactly 0, no other is
  std::vector<double> modes;       ///< Q, [cell][mode]; the first mode is constant, exactly
};

/// Cosines or the real Fourier basis where uniform, else a dense eigensolver. Throws SolveError if
/// that does not converge.
Eigenbasis eigenbasis(const AxisOperator& axis);

} // namespace contraflow
