#include "src/design/round_body.hpp"

#include <numbers>

namespace contraflow {

RoundBody::RoundBody(double radius, int dimension, const Placement& place)
    : radius_(radius), dimension_(dimension), place_(place) {}

ClosestPoint RoundBody::closest(const Vec3& x) const {
  Vec3 normal{x[0] - place_.centre[0], x[1] - place_.centre[1],
              dimension_ == 3 ? x[2] - place_.centre[2] : 0};
  const double r = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  if (r == 0) normal[0] = 1;
  for (double& component : normal) component /= r > 0 ? r : 1;
  const double radius = place_.scale * radius_;
  const double turns = std::atan2(normal[1], normal[0]) / (2 * std::numbers::pi);
  ClosestPoint at{.distance = r - radius, .point = x, .normal = normal, .s = turns};
  if (turns < 0) at.s += 1;
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimension_); ++a) {
    at.point[a] = place_.centre[a] + radius * normal[a];
  }
  return at;
}

void RoundBody::displacement(const ClosestPoint& at, std::span<Vec3> dx_da) const {
  for (std::size_t a = 0; a < 3; ++a) dx_da[0][a] = place_.scale * at.normal[a];
  placement_displacement(place_, dimension_, at.point, dx_da.subspan(1));
}

std::vector<double> RoundBody::values() const {
  std::vector<double> all = placement_values(place_, dimension_);
  all.insert(all.begin(), radius_);
  return all;
}

std::vector<std::string> RoundBody::names() const {
  std::vector<std::string> all = placement_names(dimension_);
  all.insert(all.begin(), "radius");
  return all;
}

std::array<Vec3, 2> RoundBody::bounds() const {
  std::array<Vec3, 2> corners{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimension_); ++a) {
    corners[0][a] = place_.centre[a] - place_.scale * radius_;
    corners[1][a] = place_.centre[a] + place_.scale * radius_;
  }
  return corners;
}

double RoundBody::area(std::span<double> d_area) const {
  const double radius = place_.scale * radius_;
  const double area = dimension_ == 2 ? std::numbers::pi * radius * radius
                                      : 4 * std::numbers::pi / 3 * radius * radius * radius;
  if (d_area.empty()) return area;
  for (double& value : d_area) value = 0;
  d_area.front() = dimension_ * area / radius_;
  d_area.back() = dimension_ * area / place_.scale;
  return area;
}

std::vector<Vec3> RoundBody::outline(int points) const {
  std::vector<Vec3> outline;
  const double radius = place_.scale * radius_;
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * std::numbers::pi * i / (points - 1);
    outline.push_back({place_.centre[0] + radius * std::cos(angle),
                       place_.centre[1] + radius * std::sin(angle), place_.centre[2]});
  }
  return outline;
}

/// Rings of equal latitude between two poles along z.
SurfaceMesh RoundBody::surface(int points) const {
  if (dimension_ == 2) return Body::surface(points);
  const auto around = static_cast<std::size_t>(points), rings = around / 2;
  const double radius = place_.scale * radius_;
  SurfaceMesh mesh;
  const auto add = [&](double latitude, double longitude) {
    const Vec3 n{std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
                 std::sin(latitude)};
    mesh.points.push_back({place_.centre[0] + radius * n[0], place_.centre[1] + radius * n[1],
                           place_.centre[2] + radius * n[2]});
  };
  const double pi = std::numbers::pi;
  add(-pi / 2, 0);
  for (std::size_t ring = 1; ring < rings; ++ring) {
    for (std::size_t n = 0; n < around; ++n) {
      add(pi * (static_cast<double>(ring) / static_cast<double>(rings) - 0.5),
          2 * pi * static_cast<double>(n) / static_cast<double>(around));
    }
  }
  add(pi / 2, 0);
  const std::size_t north = mesh.points.size() - 1;
  const auto on = [&](std::size_t ring, std::size_t n) {
    return 1 + (ring - 1) * around + n % around;
  };
  for (std::size_t n = 0; n < around; ++n) {
    mesh.triangles.push_back({0, on(1, n + 1), on(1, n)});
    for (std::size_t ring = 1; ring + 1 < rings; ++ring) {
      mesh.triangles.push_back({on(ring, n), on(ring, n + 1), on(ring + 1, n + 1)});
      mesh.triangles.push_back({on(ring, n), on(ring + 1, n + 1), on(ring + 1, n)});
    }
    mesh.triangles.push_back({north, on(rings - 1, n), on(rings - 1, n + 1)});
  }
  return mesh;
}

} // namespace contraflow
