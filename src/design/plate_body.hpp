#pragma once

#include "src/design/placed_curve.hpp"

namespace contraflow {

/// A flat plate of length 1 with round ends, from (0, 0) to (1, 0) in its own frame; in 3D it is
/// extruded along z. Parameter: thickness, in lengths; at 0 it is a sheet, whose distance is never
/// negative. Of points on the axis of the plate the upper side counts.
class PlateBody final : public Body {
public:
  PlateBody(double thickness, const Placement& place);

  ClosestPoint closest(const Vec3& x) const override;
  void displacement(const ClosestPoint& at, std::span<Vec3> dx_da) const override;
  int shape_parameters() const override { return 1; }
  int dimension() const override { return 2; }
  std::vector<double> values() const override;
  std::vector<std::string> names() const override;
  std::array<Vec3, 2> bounds() const override;
  double area(std::span<double> d_area) const override;
  std::vector<Vec3> outline(int points) const override;

private:
  Vec2 turned(const Vec2& v) const; ///< R(-angle) v
  Vec2 placed(const Vec2& shape_point) const;

  double thickness_;
  Placement place_;
  double cosine_, sine_;
};

} // namespace contraflow
