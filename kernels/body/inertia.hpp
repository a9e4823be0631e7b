#pragma once

#include "contraflow/layout.hpp"
#include "kernels/body/kernel.hpp"
#include "kernels/body/rigid_motion.hpp"
#include "kernels/reduce.hpp"

namespace contraflow {

/// Rate of change of the momentum of the fluid inside a body, and of its moment about the centre
/// along z: the forces of the mask accelerate that fluid too
/// (docs/decisions/0006-moving-bodies.md).
///
///   inside = 1 - k0(d/eps)
///   F = sum inside a vol,   M = sum ((x - x_c) inside a_y - (y - y_c) inside a_x) vol
///
/// Inside is what lies within the surface itself, smoothed; the mask is displaced from it, and
/// larger.
///
/// Adjoint: adjoint/body/inertia.hpp.
template <class T> struct BodyInertia {
  using Value = Sums<Accumulator<T>, 4>;
  const T* distance[3];         ///< in, d at the faces of a component, body layout
  T width;                      ///< eps
  const RigidMotion<T>* motion; ///< in, of this stage
  Metric<T> metric;
  Layout body;
  Box box;

  static constexpr const char* name = "body_inertia";
  Box range() const { return box; }

  CONTRAFLOW_HD T inside(int component, int b) const {
    return T(1) - kernel_zeroth(distance[component][b] / width);
  }
  CONTRAFLOW_HD T inside_slope(int component, int b) const {
    return -kernel_zeroth_slope(distance[component][b] / width) / width;
  }

  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    const int b = body.index(i, j, k);
    Value sum = Value::zero();
    for (int a = 0; a < body.dimension; ++a) {
      const T rate = motion->acceleration.at(metric, motion->centre, a, i, j);
      sum.value[a] = Accumulator<T>(inside(a, b) * rate * face_volume(metric, a, i, j, k));
    }
    sum.value[3] = motion->moment(metric, i, j, sum.value[0], sum.value[1]);
    return sum;
  }
};

} // namespace contraflow
