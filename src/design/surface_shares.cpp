#include "src/design/surface_shares.hpp"

#include <algorithm>
#include <cmath>

namespace contraflow {

namespace {

Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }

/// Barycentric coordinates in a triangle, of the projection of x onto its plane.
std::array<double, 3> within_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = cross(minus(b, a), minus(c, a));
  const double square = dot(normal, normal);
  const double to_b = dot(cross(minus(x, a), minus(c, a)), normal) / square;
  const double to_c = dot(cross(minus(b, a), minus(x, a)), normal) / square;
  return {1 - to_b - to_c, to_b, to_c};
}

std::array<double, 3> along_line(const Vec3& x, const Vec3& a, const Vec3& b) {
  const Vec3 line = minus(b, a);
  const double to_b = dot(minus(x, a), line) / dot(line, line);
  return {1 - to_b, to_b, 0};
}

} // namespace

SurfaceShares::SurfaceShares(const SurfaceMesh& mesh)
    : mesh_{mesh}, elements_{mesh.triangles}, around_(mesh.points.size()),
      measure_(mesh.points.size(), 0.0) {
  const std::size_t points = mesh.points.size();
  for (std::size_t n = 0; mesh.triangles.empty() && n < points; ++n) {
    elements_.push_back({n, (n + 1) % points, (n + 1) % points});
  }
  const std::size_t corners = mesh.triangles.empty() ? 2 : 3;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Vec3& a = mesh.points[elements_[e][0]];
    const Vec3 ab = minus(mesh.points[elements_[e][1]], a);
    const Vec3 ac = minus(mesh.points[elements_[e][2]], a);
    const double size = corners == 2 ? norm(ab) : norm(cross(ab, ac)) / 2;
    for (std::size_t corner = 0; corner < corners; ++corner) {
      measure_[elements_[e][corner]] += size / static_cast<double>(corners);
      around_[elements_[e][corner]].push_back(e);
    }
  }
}

std::size_t SurfaceShares::nearest(const Vec3& x) const {
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t n = 0; n < mesh_.points.size(); ++n) {
    const Vec3 off = minus(mesh_.points[n], x);
    const double square = dot(off, off);
    if (square >= least) continue;
    least = square;
    best = n;
  }
  return best;
}

SurfaceShares::Share SurfaceShares::within(const Vec3& x, std::size_t element) const {
  Share share{elements_[element], {}, 0};
  const auto point = [&](std::size_t corner) -> const Vec3& {
    return mesh_.points[share.at[corner]];
  };
  share.weight = mesh_.triangles.empty() ? along_line(x, point(0), point(1))
                                         : within_triangle(x, point(0), point(1), point(2));
  share.worst = *std::min_element(share.weight.begin(), share.weight.end());
  double sum = 0;
  for (double& weight : share.weight) sum += weight = std::max(weight, 0.0);
  for (double& weight : share.weight) weight /= sum;
  return share;
}

SurfaceShares::Share SurfaceShares::of(const Vec3& x) const {
  Share best;
  best.worst = -INFINITY;
  for (const std::size_t element : around_[nearest(x)]) {
    const Share candidate = within(x, element);
    if (candidate.worst > best.worst) best = candidate;
  }
  return best;
}

void SurfaceShares::Share::add(double amount, std::span<double> values) const {
  for (std::size_t corner = 0; corner < 3; ++corner) values[at[corner]] += weight[corner] * amount;
}

} // namespace contraflow
