#pragma once

#include "src/design/shape.hpp"

namespace contraflow {

/// Shares what acts on single points of a surface among the points of its mesh: along the line, or
/// within the triangle, that a point lies on, so that sums are kept.
class SurfaceShares {
public:
  explicit SurfaceShares(const SurfaceMesh& mesh);

  /// The points that share what acts at one place, and their parts, which sum up to 1.
  struct Share {
    std::array<std::size_t, 3> at{};
    std::array<double, 3> weight{};
    double worst = 0; ///< least weight before clipping: >= 0 inside

    /// Adds `amount` to `values`, [mesh.points].
    void add(double amount, std::span<double> values) const;
  };
  Share of(const Vec3& x) const;

  /// Length (2D) or area (3D) that belongs to each point, [mesh.points].
  const std::vector<double>& measure() const { return measure_; }

private:
  std::size_t nearest(const Vec3& x) const;
  Share within(const Vec3& x, std::size_t element) const;

  const SurfaceMesh& mesh_;
  std::vector<std::array<std::size_t, 3>> elements_; ///< lines have their second point twice
  std::vector<std::vector<std::size_t>> around_;     ///< elements at each point
  std::vector<double> measure_;
};

} // namespace contraflow
