#pragma once

#include "src/design/curve.hpp"

namespace contraflow {

/// Displacements of the two surfaces of an airfoil along y: y += sum a_k B_k(u). u runs on each
/// surface from 0 at the leading edge to 1 at the trailing edge, linearly in s, and B_k is a
/// uniform cubic B-spline of height 2/3 on [k, k + 4]/(modes + 3), k = 0 .. modes - 1. All of them
/// vanish with two derivatives at both edges, so that the displaced curve stays as smooth as it
/// was.
class SurfaceModes {
public:
  SurfaceModes() = default;

  /// `coefficients`: upper surface (s below `leading_edge`), then lower, each from the leading edge
  /// on, in chords; even in number.
  SurfaceModes(std::vector<double> coefficients, double leading_edge);

  const std::vector<double>& coefficients() const { return coefficients_; }
  std::vector<std::string> names() const; ///< "upper 1", ..., "lower 1", ...
  std::vector<double> breaks() const;     ///< values of s between which y is a cubic polynomial
  Cubic polynomial(double s0, double s1) const; ///< displacement between two such values

  /// B_k at s, [coefficients().size()].
  void basis(double s, std::span<double> values) const;

private:
  Jet mode(std::size_t k, double s, bool upper) const;

  std::vector<double> coefficients_;
  std::size_t modes_ = 0;
  double leading_edge_ = 0.5;
};

} // namespace contraflow
