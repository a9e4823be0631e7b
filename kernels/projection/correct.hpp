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
  Box range() const { return layout.interior(); }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int x[3] = {i, j, k};
    const int n = layout.index(i, j, k);
    for (int a = 0; a < layout.dimension; ++a) {
      const T gradient = (phi[n] - phi[n - layout.stride[a]]) * metric.axis[a].inv_gradient[x[a]];
      velocity[a][n] = velocity[a][n] - step * gradient;
    }
  }
};

} // namespace contraflow
