#pragma once

#include "contraflow/layout.hpp"
#include "kernels/metric.hpp"

namespace contraflow {

/// Pressure correction of all components in place:  u -= C dt grad phi,  but at prescribed faces.
/// Adjoint: adjoint/projection/correct.hpp.
template <class T> struct CorrectVelocity {
  const T* phi;   ///< in,  cells; periodic: one ghost layer below
  T* velocity[3]; ///< sum, faces
  T step;         ///< C dt
  Metric<T> metric;
  Layout layout;

  static constexpr const char* name = "correct_velocity";

  /// The components one after another, as further layers along k: no branch in a row.
  Box range() const {
    Box box = layout.interior();
    box.hi[2] *= layout.dimension;
    return box;
  }

  CONTRAFLOW_HD void operator()(int i, int j, int layer) const {
    const int axis = layer / layout.cells[2], k = layer % layout.cells[2];
    const int n = layout.index(i, j, k);
    const T across = metric.axis[axis].inv_gradient[axis == 1 ? j : k];
    const T scale = axis == 0 ? metric.axis[0].inv_gradient[i] : across;
    T* u = velocity[axis];
    u[n] = u[n] - step * (phi[n] - phi[n - layout.stride[axis]]) * scale;
  }
};

} // namespace contraflow
