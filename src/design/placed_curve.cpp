#include "src/design/placed_curve.hpp"

#include <utility>

namespace contraflow {

std::vector<std::string> placement_names(int dimension) {
  std::vector<std::string> names{"centre x", "centre y"};
  if (dimension == 3) names.emplace_back("centre z");
  names.insert(names.end(), {"angle", "scale"});
  return names;
}

std::vector<double> placement_values(const Placement& place, int dimension) {
  std::vector<double> values(place.centre.begin(), place.centre.begin() + dimension);
  values.insert(values.end(), {place.angle, place.scale});
  return values;
}

void placement_displacement(const Placement& place, int dimension, const Vec3& point,
                            std::span<Vec3> dx_da) {
  const auto axes = static_cast<std::size_t>(dimension);
  Vec3 r{};
  for (std::size_t a = 0; a < axes; ++a) {
    r[a] = point[a] - place.centre[a];
    dx_da[a] = {};
    dx_da[a][a] = 1;
  }
  dx_da[axes] = {r[1], -r[0], 0};
  dx_da[axes + 1] = {r[0] / place.scale, r[1] / place.scale, r[2] / place.scale};
}

PlacedCurve::PlacedCurve(std::unique_ptr<Curve> curve, const Placement& place)
    : curve_(std::move(curve)), search_(*curve_), place_(place), cosine_(std::cos(place.angle)),
      sine_(std::sin(place.angle)), shape_parameters_(static_cast<int>(curve_->values().size())) {}

Vec2 PlacedCurve::turned(const Vec2& v) const {
  return {cosine_ * v[0] + sine_ * v[1], cosine_ * v[1] - sine_ * v[0]};
}

Vec2 PlacedCurve::placed(const Vec2& shape_point) const {
  return Vec2{place_.centre[0], place_.centre[1]} +
         place_.scale * turned(shape_point - place_.pivot);
}

ClosestPoint PlacedCurve::closest(const Vec3& x) const {
  const Vec2 r = 1 / place_.scale * Vec2{x[0] - place_.centre[0], x[1] - place_.centre[1]};
  const Vec2 back{cosine_ * r[0] - sine_ * r[1], cosine_ * r[1] + sine_ * r[0]};
  const CurveSearch::Nearest near = search_.nearest(place_.pivot + back);
  const Vec2 point = placed(near.point), normal = turned(near.normal);
  return {.distance = place_.scale * near.distance,
          .point = {point[0], point[1], x[2]},
          .normal = {normal[0], normal[1], 0},
          .s = near.s};
}

void PlacedCurve::displacement(const ClosestPoint& at, std::span<Vec3> dx_da) const {
  const auto shape = static_cast<std::size_t>(shape_parameters());
  std::vector<Vec2> own(shape);
  curve_->derivative(at.s, curve_->piece_of(at.s), own);
  for (std::size_t k = 0; k < shape; ++k) {
    const Vec2 moved = place_.scale * turned(own[k]);
    dx_da[k] = {moved[0], moved[1], 0};
  }
  placement_displacement(place_, 2, {at.point[0], at.point[1], 0}, dx_da.subspan(shape));
}

std::vector<double> PlacedCurve::values() const {
  std::vector<double> all = curve_->values();
  const auto place = placement_values(place_, 2);
  all.insert(all.end(), place.begin(), place.end());
  return all;
}

std::vector<std::string> PlacedCurve::names() const {
  std::vector<std::string> all = curve_->names();
  const auto place = placement_names(2);
  all.insert(all.end(), place.begin(), place.end());
  return all;
}

std::array<Vec3, 2> PlacedCurve::bounds() const {
  const auto box = search_.bounds({Vec2{cosine_, sine_}, Vec2{-sine_, cosine_}});
  const Vec2 pivot = turned(place_.pivot);
  std::array<Vec3, 2> corners{};
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t a = 0; a < 2; ++a) {
      corners[side][a] = place_.centre[a] + place_.scale * (box[side][a] - pivot[a]);
    }
  }
  return corners;
}

double PlacedCurve::area(std::span<double> d_area) const {
  const auto shape = static_cast<std::size_t>(shape_parameters());
  const double square = place_.scale * place_.scale;
  if (d_area.empty()) return square * search_.area({});
  for (double& value : d_area) value = 0;
  const double own = search_.area(d_area.subspan(0, shape));
  for (std::size_t k = 0; k < shape; ++k) d_area[k] *= square;
  d_area.back() = 2 * place_.scale * own;
  return square * own;
}

std::vector<Vec3> PlacedCurve::outline(int points) const {
  std::vector<Vec3> outline;
  for (int i = 0; i < points; ++i) {
    const double s = curve_->spread(static_cast<double>(i) / (points - 1));
    const Vec2 x = placed(curve_->at(s, curve_->piece_of(s)).x);
    outline.push_back({x[0], x[1], place_.centre[2]});
  }
  return outline;
}

} // namespace contraflow
