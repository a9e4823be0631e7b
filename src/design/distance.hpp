#pragma once

#include "src/design/shape.hpp"

#include <functional>

namespace contraflow {

/// Coordinates of the faces of one velocity component in the box around a body: x[0], x[1], x[2]
/// along each axis (2D: x[2] holds one value). Arrays over them have x fastest.
struct FacePoints {
  std::array<std::vector<double>, 3> x;
  std::size_t count() const { return x[0].size() * x[1].size() * x[2].size(); }
};

/// Signed distances from which the mask of one velocity component is made, one entry a face:
/// at the face x; at x +- h/2 e_j along each axis j, from which the normal is
/// n_j = (upper[j] - lower[j])/h; and seen from the probe point x - (d + c) n inside the body,
/// whose distance tells how thin the body is (thinness: T = -distance there - (d + c)(1 - n.n), for
/// within half a cell of the medial axis n is short). In a slab of half-thickness t it is 2 t - c.
struct DistanceSamples {
  std::vector<double> centre;
  std::array<std::vector<double>, 3> lower, upper; ///< axes below the dimension
  std::vector<double> thinness;                    ///< T
};

/// `reach`: faces farther than this from the surface outside get no probe (thinness = c), since
/// their mask does not depend on it. Runs on all threads; the result does not depend on how many.
DistanceSamples sample_distance(const Body& body, const FacePoints& faces, int dimension, double h,
                                double c, double reach);

/// Adds to parameter_bar [body.parameters()] the transpose of sample_distance, through the moving
/// probe point as well. Sums in a fixed order: same bits on any number of threads.
void sample_distance_adjoint(const Body& body, const FacePoints& faces, int dimension, double h,
                             double c, double reach, const DistanceSamples& samples,
                             const DistanceSamples& samples_bar, std::span<double> parameter_bar);

/// The same, as forces on the surface: calls `pull(at, bar)` for every closest point that a sample
/// of a bar depends on, in a fixed order. Moving the surface outwards there by e changes the
/// functional by -bar e.
void for_each_pull(const Body& body, const FacePoints& faces, int dimension, double h, double c,
                   double reach, const DistanceSamples& samples, const DistanceSamples& samples_bar,
                   const std::function<void(const ClosestPoint& at, double bar)>& pull);

} // namespace contraflow
