#pragma once

#include "contraflow/layout.hpp"
#include "kernels/metric.hpp"

namespace contraflow {

/// Linear convective outflow (u_t + U du/dn = 0, upwind), one Runge-Kutta stage for the plane of
/// one velocity component: the boundary faces of the normal one, the first ghosts of the others.
///
///   out[plane] = A u0[plane] + B (v[plane] - dt U (v[plane] - v[inner]) / distance)
///
/// Adjoint: adjoint/boundary/outflow.hpp.
template <class T> struct ConvectOutflow {
  const T* velocity; ///< in,  v
  const T* start;    ///< in,  u0
  T* out;            ///< out, the plane
  T start_weight, euler_weight;
  T courant;  ///< dt U / distance between the plane and its inner neighbour
  int inward; ///< stride to the inner neighbour, signed
  Layout layout;
  Box plane;

  static constexpr const char* name = "convect_outflow";
  Box range() const { return plane; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    const T euler = velocity[n] - courant * (velocity[n] - velocity[n + inward]);
    out[n] = start_weight * start[n] + euler_weight * euler;
  }
};

} // namespace contraflow
