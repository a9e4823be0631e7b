#pragma once

#include "src/design/airfoil_file.hpp"
#include "src/design/surface_modes.hpp"

namespace contraflow {

/// The C2 cubic spline through the points of an airfoil (natural at the trailing edge) by chord
/// length, moved and scaled so that its foremost point has x = 0 and its trailing edge is (1, 0),
/// plus displacements, which are the parameters.
class SplineCurve final : public Curve {
public:
  SplineCurve(const AirfoilPoints& airfoil, std::vector<double> displacement);

  CurvePoint at(double s, std::size_t piece) const override;
  void derivative(double s, std::size_t piece, std::span<Vec2> dx_da) const override;
  bool has_corner() const override { return true; }
  std::vector<double> values() const override { return modes_.coefficients(); }
  std::vector<std::string> names() const override { return modes_.names(); }
  double spread(double t) const override;

private:
  double leading_edge_ = 0.5; ///< its s
  SurfaceModes modes_;
  std::vector<std::array<Cubic, 2>> pieces_; ///< x, y
};

} // namespace contraflow
