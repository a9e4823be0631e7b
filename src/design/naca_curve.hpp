#pragma once

#include "src/design/surface_modes.hpp"

namespace contraflow {

/// NACA 4-digit airfoil with a closed trailing edge (last coefficient -0.1036), thickness laid off
/// across the camber line, plus displacements. Parameters: camber, camber position, thickness (all
/// in chords), displacements. s = (1 - sigma)/2 with x = sigma^2 on the chord: sigma runs from 1 at
/// the trailing edge over the upper surface to the leading edge at 0 and back below to -1, and
/// everything is a smooth function of it there.
class NacaCurve final : public Curve {
public:
  NacaCurve(double camber, double position, double thickness, std::vector<double> displacement);

  CurvePoint at(double s, std::size_t piece) const override;
  void derivative(double s, std::size_t piece, std::span<Vec2> dx_da) const override;
  bool has_corner() const override { return true; }
  std::vector<double> values() const override;
  std::vector<std::string> names() const override;

private:
  struct Piece {
    bool front = false; ///< of the position of the highest camber
    bool upper = false;
    Cubic displacement;
  };

  double camber_, position_, thickness_;
  SurfaceModes modes_;
  std::vector<Piece> pieces_;
};

} // namespace contraflow
