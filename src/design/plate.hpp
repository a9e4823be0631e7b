#pragma once

#include "src/design/placed_curve.hpp"

namespace contraflow {

/// A flat plate with round ends (in 3D extruded along z): all points within half the thickness of a
/// line from its nose to its tail, one chord long over all. Parameter: thickness in chords, from 0
/// (a sheet, which has two sides and no inside) to 1 (a circle). At the middle of the thickness the
/// upper side counts.
class Plate final : public Body {
public:
  Plate(double thickness, const Placement& place);

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
  double quarter() const; ///< length of a quarter circle at an end [chords]
  double flat() const;    ///< length of the line, of a flat side [chords]
  Vec2 at(double s) const;

  double thickness_;
  Placement place_;
  double cosine_, sine_;
};

} // namespace contraflow
