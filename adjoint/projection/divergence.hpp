#pragma once

#include "kernels/projection/divergence.hpp"

namespace contraflow {

/// Transpose of Divergence after the pressure solve, and of the Runge-Kutta combination with it, on
/// the faces that are advanced along `axis`. q is the solve's result, b_bar = V q (V cell volumes):
///
///   u*_bar  = u_bar + scale area (q[below] - q[here])
///   E_bar   = B u*_bar           overwrites
///   u0_bar += A u*_bar
template <class T> struct DivergenceAdjoint {
  const T* velocity_bar; ///< in,  dJ/du of the corrected velocity along `axis`
  const T* q;            ///< in,  cells and, zero or periodic, one ghost below
  T* euler_bar;          ///< out, dJ/dE
  T* start_bar;          ///< sum, dJ/du0
  T scale;               ///< 1/(C dt)
  T start_weight, euler_weight;
  int axis;
  Metric<T> metric;
  Layout layout;
  Box faces;

  static constexpr const char* name = "divergence_adjoint";
  Box range() const { return faces; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    const T area = face_area(metric, axis, i, j, k);
    const T bar = velocity_bar[n] + scale * area * (q[n - layout.stride[axis]] - q[n]);
    euler_bar[n] = euler_weight * bar;
    start_bar[n] = start_bar[n] + start_weight * bar;
  }
};

/// The same for the faces of an open side, which the pressure does not correct: in place.
template <class T> struct SideDivergenceAdjoint {
  const T* q;      ///< in,  cells, zero ghosts
  T* velocity_bar; ///< sum, faces of the plane
  T scale;
  int axis;
  Metric<T> metric;
  Layout layout;
  Box plane;

  static constexpr const char* name = "side_divergence_adjoint";
  Box range() const { return plane; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    const T area = face_area(metric, axis, i, j, k);
    velocity_bar[n] = velocity_bar[n] + scale * area * (q[n - layout.stride[axis]] - q[n]);
  }
};

} // namespace contraflow
