#pragma once

#include "contraflow/hd.hpp"
#include "kernels/metric.hpp"

namespace contraflow {

/// A vector field that a rigid body carries, linear in space: linear + angular x (x - centre), the
/// angular part about z, counter-clockwise.
template <class T> struct RigidField {
  T linear[3] = {T(0), T(0), T(0)};
  T angular = T(0);

  /// A component, seen from the centre of rotation, at the face (or cell) i, j.
  CONTRAFLOW_HD T at(const Metric<T>& metric, const T (&centre)[3], int component, int i,
                     int j) const {
    if (component == 0) return linear[0] - angular * (metric.axis[1].centre[j] - centre[1]);
    if (component == 1) return linear[1] + angular * (metric.axis[0].centre[i] - centre[0]);
    return linear[2];
  }
};

/// How a body moves at one stage: an entry of the table that the step reads.
template <class T> struct RigidMotion {
  T centre[3] = {T(0), T(0), T(0)}; ///< of rotation and moments, where it is at that time
  RigidField<T> velocity;           ///< u_b, the relaxation time ahead
  RigidField<T> acceleration;       ///< du_b/dt, of what is inside

  /// Moment about the centre, along z, of a force at the face (or cell) i, j.
  template <class S>
  CONTRAFLOW_HD S moment(const Metric<T>& metric, int i, int j, const S& x, const S& y) const {
    return S(metric.axis[0].centre[i] - centre[0]) * y -
           S(metric.axis[1].centre[j] - centre[1]) * x;
  }
};

} // namespace contraflow
