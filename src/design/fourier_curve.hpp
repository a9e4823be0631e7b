#pragma once

#include "src/design/curve.hpp"

namespace contraflow {

/// r(t) = radius + sum cosine[m-1] cos m t + sine[m-1] sin m t around the origin, t = 2 pi s.
/// Parameters: radius, cosines, sines.
class FourierCurve final : public Curve {
public:
  FourierCurve(double radius, std::vector<double> cosine, std::vector<double> sine);

  CurvePoint at(double s, std::size_t piece) const override;
  void derivative(double s, std::size_t piece, std::span<Vec2> dx_da) const override;
  bool has_corner() const override { return false; }
  std::vector<double> values() const override;
  std::vector<std::string> names() const override;

  double smallest_radius() const; ///< over 64 samples a wave of the highest mode

private:
  double radius_;
  std::vector<double> cosine_, sine_;
};

} // namespace contraflow
