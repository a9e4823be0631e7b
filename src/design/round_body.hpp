#pragma once

#include "src/design/placed_curve.hpp"

namespace contraflow {

/// Circle (dimension 2, in 3D a cylinder along z) or sphere (3). Parameter: radius. At the centre,
/// where all points are equally near, the one along +x counts.
class RoundBody final : public Body {
public:
  RoundBody(double radius, int dimension, const Placement& place);

  ClosestPoint closest(const Vec3& x) const override;
  void displacement(const ClosestPoint& at, std::span<Vec3> dx_da) const override;
  int shape_parameters() const override { return 1; }
  int dimension() const override { return dimension_; }
  std::vector<double> values() const override;
  std::vector<std::string> names() const override;
  std::array<Vec3, 2> bounds() const override;
  double area(std::span<double> d_area) const override;
  std::vector<Vec3> outline(int points) const override;
  SurfaceMesh surface(int points) const override;

private:
  double radius_;
  int dimension_;
  Placement place_;
};

} // namespace contraflow
