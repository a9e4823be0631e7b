#include "src/design/plate.hpp"

#include <algorithm>
#include <numbers>

namespace contraflow {

Plate::Plate(double thickness, const Placement& place)
    : thickness_(thickness), place_(place), cosine_(std::cos(place.angle)),
      sine_(std::sin(place.angle)) {}

Vec2 Plate::turned(const Vec2& v) const {
  return {cosine_ * v[0] + sine_ * v[1], cosine_ * v[1] - sine_ * v[0]};
}

Vec2 Plate::placed(const Vec2& shape_point) const {
  return Vec2{place_.centre[0], place_.centre[1]} +
         place_.scale * turned(shape_point - place_.pivot);
}

double Plate::quarter() const { return std::numbers::pi / 4 * thickness_; }
double Plate::flat() const { return 1 - thickness_; }

/// s is the length along the outline from the tail over the upper side, in its whole length.
ClosestPoint Plate::closest(const Vec3& x) const {
  const Vec2 r = 1 / place_.scale * Vec2{x[0] - place_.centre[0], x[1] - place_.centre[1]};
  const Vec2 own =
      place_.pivot + Vec2{cosine_ * r[0] - sine_ * r[1], cosine_ * r[1] + sine_ * r[0]};
  const double radius = thickness_ / 2;
  const double along = std::clamp(own[0], radius, 1 - radius);
  const Vec2 away{own[0] - along, own[1]};
  const double length = std::sqrt(dot(away, away));
  const Vec2 normal = length > 0 ? 1 / length * away : Vec2{0, 1};
  const Vec2 point = placed(Vec2{along, 0} + radius * normal), n = turned(normal);
  const double upper = std::atan2(std::abs(normal[1]), normal[0]) * radius + (1 - radius - along);
  const double around = 4 * quarter() + 2 * flat();
  return {.distance = place_.scale * (length - radius),
          .point = {point[0], point[1], x[2]},
          .normal = {n[0], n[1], 0},
          .s = (normal[1] < 0 ? around - upper : upper) / around};
}

/// The middle of a round end moves inwards by half of what the thickness grows; on a side, whose
/// normal is square to the chord, it does not matter.
void Plate::displacement(const ClosestPoint& at, std::span<Vec3> dx_da) const {
  const double nose = cosine_ * at.normal[0] - sine_ * at.normal[1]; // normal along the chord
  const double inwards = nose > 0 ? -0.5 : nose < 0 ? 0.5 : 0;
  const Vec2 end = turned({inwards, 0});
  dx_da[0] = {};
  for (std::size_t a = 0; a < 2; ++a) {
    dx_da[0][a] = place_.scale * (0.5 * at.normal[a] + end[a]);
  }
  placement_displacement(place_, 2, {at.point[0], at.point[1], 0}, dx_da.subspan(1));
}

std::vector<double> Plate::values() const {
  std::vector<double> all = placement_values(place_, 2);
  all.insert(all.begin(), thickness_);
  return all;
}

std::vector<std::string> Plate::names() const {
  std::vector<std::string> all = placement_names(2);
  all.insert(all.begin(), "thickness");
  return all;
}

std::array<Vec3, 2> Plate::bounds() const {
  const double radius = thickness_ / 2;
  const Vec2 nose = placed({radius, 0}), tail = placed({1 - radius, 0});
  std::array<Vec3, 2> corners{};
  for (std::size_t a = 0; a < 2; ++a) {
    corners[0][a] = std::min(nose[a], tail[a]) - place_.scale * radius;
    corners[1][a] = std::max(nose[a], tail[a]) + place_.scale * radius;
  }
  return corners;
}

double Plate::area(std::span<double> d_area) const {
  const double square = place_.scale * place_.scale;
  const double own = thickness_ * flat() + thickness_ * quarter();
  if (d_area.empty()) return square * own;
  for (double& value : d_area) value = 0;
  d_area.front() = square * (1 - 2 * thickness_ + std::numbers::pi / 2 * thickness_);
  d_area.back() = 2 * place_.scale * own;
  return square * own;
}

/// The point of the outline at a part s of its length, in its own frame.
Vec2 Plate::at(double s) const {
  const double around = 4 * quarter() + 2 * flat(), radius = thickness_ / 2;
  const double upper = std::min(s, 1 - s) * around, side = s > 0.5 ? -1 : 1;
  if (upper < quarter()) {
    const double angle = upper / radius;
    return {1 - radius + radius * std::cos(angle), side * radius * std::sin(angle)};
  }
  if (upper < quarter() + flat()) return {1 - radius - (upper - quarter()), side * radius};
  const double angle = radius > 0 ? (2 * quarter() + flat() - upper) / radius : 0;
  return {radius - radius * std::cos(angle), side * radius * std::sin(angle)};
}

std::vector<Vec3> Plate::outline(int points) const {
  std::vector<Vec3> outline;
  for (int i = 0; i < points; ++i) {
    const Vec2 x = placed(at(static_cast<double>(i) / (points - 1)));
    outline.push_back({x[0], x[1], place_.centre[2]});
  }
  return outline;
}

} // namespace contraflow
