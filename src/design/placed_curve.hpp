#pragma once

#include "src/design/curve_search.hpp"
#include "src/design/shape.hpp"

#include <memory>

namespace contraflow {

/// Where a shape stands: X = centre + scale R(-angle) (X_shape - pivot).
struct Placement {
  Vec3 centre{};
  double angle = 0; ///< [rad], nose up against flow along +x
  double scale = 1;
  Vec2 pivot{};
};

/// Names of the parameters that place a body: centre x, y (, z), angle, scale.
std::vector<std::string> placement_names(int dimension);
std::vector<double> placement_values(const Placement& place, int dimension);

/// Their derivatives at a point of the surface, [dimension + 2].
void placement_displacement(const Placement& place, int dimension, const Vec3& point,
                            std::span<Vec3> dx_da);

/// A curve as a body of the plane; in 3D it is extruded along z.
class PlacedCurve final : public Body {
public:
  PlacedCurve(std::unique_ptr<Curve> curve, const Placement& place);

  ClosestPoint closest(const Vec3& x) const override;
  void displacement(const ClosestPoint& at, std::span<Vec3> dx_da) const override;
  int shape_parameters() const override { return shape_parameters_; }
  int dimension() const override { return 2; }
  std::vector<double> values() const override;
  std::vector<std::string> names() const override;
  std::array<Vec3, 2> bounds() const override;
  double area(std::span<double> d_area) const override;
  std::vector<Vec3> outline(int points) const override;

  const CurveSearch& search() const { return search_; } ///< of the curve in its own frame

private:
  Vec2 turned(const Vec2& v) const; ///< R(-angle) v
  Vec2 placed(const Vec2& shape_point) const;

  std::unique_ptr<Curve> curve_;
  CurveSearch search_;
  Placement place_;
  double cosine_, sine_;
  int shape_parameters_;
};

} // namespace contraflow
