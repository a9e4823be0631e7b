#include "src/design/plate_body.hpp"

#include <algorithm>
#include <numbers>

namespace contraflow {

namespace {

/// The outline at a fraction of its length, from the right end over the upper side.
Vec2 outline_point(double thickness, double fraction) {
  const double pi = std::numbers::pi, radius = thickness / 2, flat = 1 - thickness;
  const double half = flat + pi * radius; // of the outline
  double along = 2 * fraction * half;
  const bool lower = along > half;
  if (lower) along = 2 * half - along;
  const double quarter = pi / 2 * radius, side = lower ? -1 : 1;
  const auto on_arc = [&](double centre, double angle) {
    return Vec2{centre + radius * std::cos(angle), side * radius * std::sin(angle)};
  };
  if (along < quarter) return on_arc(1 - radius, along / radius);
  if (along <= quarter + flat) return {1 - radius - (along - quarter), side * radius};
  return on_arc(radius, pi / 2 + (along - quarter - flat) / radius);
}

} // namespace

PlateBody::PlateBody(double thickness, const Placement& place)
    : thickness_(thickness), place_(place), cosine_(std::cos(place.angle)),
      sine_(std::sin(place.angle)) {}

Vec2 PlateBody::turned(const Vec2& v) const {
  return {cosine_ * v[0] + sine_ * v[1], cosine_ * v[1] - sine_ * v[0]};
}

Vec2 PlateBody::placed(const Vec2& shape_point) const {
  return Vec2{place_.centre[0], place_.centre[1]} +
         place_.scale * turned(shape_point - place_.pivot);
}

ClosestPoint PlateBody::closest(const Vec3& x) const {
  const double radius = thickness_ / 2;
  const Vec2 r = 1 / place_.scale * Vec2{x[0] - place_.centre[0], x[1] - place_.centre[1]};
  const Vec2 own =
      place_.pivot + Vec2{cosine_ * r[0] - sine_ * r[1], cosine_ * r[1] + sine_ * r[0]};
  const Vec2 foot{std::clamp(own[0], radius, 1 - radius), 0};
  const double away = norm(own - foot);
  const Vec2 side = away > 0 ? 1 / away * (own - foot) : Vec2{0, 1};
  const Vec2 point = placed(foot + radius * side), normal = turned(side);
  return {.distance = place_.scale * (away - radius),
          .point = {point[0], point[1], x[2]},
          .normal = {normal[0], normal[1], 0}};
}

void PlateBody::displacement(const ClosestPoint& at, std::span<Vec3> dx_da) const {
  const double forward = cosine_ * at.normal[0] - sine_ * at.normal[1]; // of the normal
  // Where the plate gets thicker the centres of its ends move inwards.
  const double inwards = forward > 0 ? -0.5 : forward < 0 ? 0.5 : 0;
  const Vec2 end = inwards * Vec2{cosine_, -sine_};
  for (std::size_t a = 0; a < 2; ++a) {
    dx_da[0][a] = place_.scale * (0.5 * at.normal[a] + end[a]);
  }
  dx_da[0][2] = 0;
  placement_displacement(place_, 2, {at.point[0], at.point[1], 0}, dx_da.subspan(1));
}

std::vector<double> PlateBody::values() const {
  std::vector<double> all = placement_values(place_, 2);
  all.insert(all.begin(), thickness_);
  return all;
}

std::vector<std::string> PlateBody::names() const {
  std::vector<std::string> all = placement_names(2);
  all.insert(all.begin(), "thickness");
  return all;
}

std::array<Vec3, 2> PlateBody::bounds() const {
  const double radius = thickness_ / 2, reach = place_.scale * radius;
  const Vec2 front = placed({radius, 0}), rear = placed({1 - radius, 0});
  std::array<Vec3, 2> corners{};
  for (std::size_t a = 0; a < 2; ++a) {
    corners[0][a] = std::min(front[a], rear[a]) - reach;
    corners[1][a] = std::max(front[a], rear[a]) + reach;
  }
  return corners;
}

double PlateBody::area(std::span<double> d_area) const {
  constexpr double rounding = 1 - std::numbers::pi / 4;
  const double square = place_.scale * place_.scale;
  const double area = square * thickness_ * (1 - rounding * thickness_);
  if (d_area.empty()) return area;
  for (double& value : d_area) value = 0;
  d_area.front() = square * (1 - 2 * rounding * thickness_);
  d_area.back() = 2 * area / place_.scale;
  return area;
}

std::vector<Vec3> PlateBody::outline(int points) const {
  std::vector<Vec3> outline;
  for (int i = 0; i < points; ++i) {
    const Vec2 x = placed(outline_point(thickness_, static_cast<double>(i) / (points - 1)));
    outline.push_back({x[0], x[1], place_.centre[2]});
  }
  return outline;
}

} // namespace contraflow
