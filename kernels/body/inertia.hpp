#pragma once

#include "contraflow/layout.hpp"
#include "kernels/body/rigid_motion.hpp"
#include "kernels/reduce.hpp"

namespace contraflow {

/// Rate of change of the momentum that a body carries inside its mask, and of its moment about the
/// centre along z: the fluid in there is accelerated by the forces of the mask, but not by the flow
/// around it (docs/decisions/0006-moving-bodies.md).
///
///   F = sum solid a vol,   M = sum ((x - x_c) solid a_y - (y - y_c) solid a_x) vol
///
/// Adjoint: adjoint/body/inertia.hpp.
template <class T> struct BodyInertia {
  using Value = Sums<Accumulator<T>, 4>;
  const T* solid[3];            ///< in, 1 - mu0 per component, body layout
  const RigidMotion<T>* motion; ///< in, of this stage
  Metric<T> metric;
  Layout body;
  Box box;

  static constexpr const char* name = "body_inertia";
  Box range() const { return box; }

  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    const int b = body.index(i, j, k);
    Value sum = Value::zero();
    for (int a = 0; a < body.dimension; ++a) {
      const T rate = motion->acceleration.at(metric, motion->centre, a, i, j);
      sum.value[a] = Accumulator<T>(solid[a][b] * rate * face_volume(metric, a, i, j, k));
    }
    sum.value[3] = motion->moment(metric, i, j, sum.value[0], sum.value[1]);
    return sum;
  }
};

} // namespace contraflow
