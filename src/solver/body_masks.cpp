#include "src/solver/body_masks.hpp"

#include "contraflow/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace contraflow {

namespace {

/// Index of the cell that holds x along an axis.
int cell_at(const std::vector<double>& faces, double x) {
  const auto above = std::upper_bound(faces.begin(), faces.end(), x);
  return static_cast<int>(above - faces.begin()) - 1;
}

} // namespace

FacePoints face_points(const Grid& grid, const Box& box, int component, const Vec3& displacement) {
  FacePoints points;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    if (a >= grid.dimension) {
      points.x[axis] = {0};
      continue;
    }
    for (int m = box.lo[a]; m < box.hi[a]; ++m) {
      const auto n = static_cast<std::size_t>(m);
      const auto& faces = grid.faces[axis];
      const double x = a == component ? faces[n] : 0.5 * (faces[n] + faces[n + 1]);
      points.x[axis].push_back(x - displacement[axis]);
    }
  }
  return points;
}

std::array<Vec3, 2> sweep_of(const std::vector<Vec3>& displacement) {
  if (displacement.empty()) return {};
  std::array<Vec3, 2> sweep{displacement.front(), displacement.front()};
  for (const Vec3& x : displacement) {
    for (std::size_t a = 0; a < 3; ++a) {
      sweep[0][a] = std::min(sweep[0][a], x[a]);
      sweep[1][a] = std::max(sweep[1][a], x[a]);
    }
  }
  return sweep;
}

Box touched_box(const Grid& grid, const Body& body, double reach,
                const std::array<Vec3, 2>& sweep) {
  Box box{{0, 0, 0}, {grid.cells(0), grid.cells(1), grid.cells(2)}};
  const std::array<Vec3, 2> bounds = body.bounds();
  for (int a = 0; a < body.dimension(); ++a) { // a plane body is extruded through the whole span
    const auto axis = static_cast<std::size_t>(a);
    box.lo[a] = cell_at(grid.faces[axis], bounds[0][axis] + sweep[0][axis] - reach);
    box.hi[a] = cell_at(grid.faces[axis], bounds[1][axis] + sweep[1][axis] + reach) + 1;
  }
  return box;
}

Box mask_box(const Grid& grid, const Body& body, const MaskReach& reach,
             const std::array<Vec3, 2>& sweep, const std::string& name) {
  constexpr int distance_to_boundary = 3;
  const Box box = touched_box(grid, body, reach.outside, sweep);
  const Box uniform = touched_box(grid, body, reach.uniform, sweep);
  const std::array<Vec3, 2> bounds = body.bounds();
  for (int a = 0; a < body.dimension(); ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const auto& faces = grid.faces[axis];
    const double low = bounds[0][axis] + sweep[0][axis] - reach.outside;
    const double high = bounds[1][axis] + sweep[1][axis] + reach.outside;
    if (box.lo[a] < distance_to_boundary || box.hi[a] > grid.cells(a) - distance_to_boundary) {
      throw CaseError{
          fmt::format("body \"{}\" comes too close to the boundary along {}: with its mask, on "
                      "its whole way, it spans [{:g}, {:g}] of [{:g}, {:g}]",
                      name, "xyz"[a], low, high, faces.front(), faces.back())};
    }
    for (int m = uniform.lo[a] - 1; m <= uniform.hi[a]; ++m) { // differences reach one cell further
      const auto n = static_cast<std::size_t>(m);
      if (std::abs(faces[n + 1] - faces[n] - grid.spacing) > 1e-6 * grid.spacing) {
        throw CaseError{fmt::format("body \"{}\" reaches cells of width {:g} along {}, at {:g}; "
                                    "around a body all cells must "
                                    "be {:g} wide: widen grid.{}.fine to cover [{:g}, {:g}]",
                                    name, faces[n + 1] - faces[n], "xyz"[a], faces[n], grid.spacing,
                                    "xyz"[a],
                                    faces[static_cast<std::size_t>(uniform.lo[a])] - grid.spacing,
                                    faces[static_cast<std::size_t>(uniform.hi[a])] + grid.spacing)};
      }
    }
  }
  return box;
}

double thinnest_part(const DistanceSamples& samples, const MaskReach& reach) {
  double thinnest = reach.probe;
  for (std::size_t n = 0; n < samples.centre.size(); ++n) {
    const double d = samples.centre[n] / reach.spacing;
    if (d < 0.5 || d > 1.5) continue; // outside, where normals have length one
    thinnest = std::min(thinnest, std::max(0.5 * (samples.thinness[n] + reach.probe), 0.0));
  }
  return thinnest;
}

} // namespace contraflow
