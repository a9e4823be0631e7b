#pragma once

#include "kernels/projection/correct.hpp"

namespace contraflow {

/// Transpose of CorrectVelocity and of p += phi, scaled for the solve that follows:
///
///   phi_bar = p_bar + C dt grad' (-u_bar),    phi_bar / V  compact, V the cell volumes
///
/// The solver's own transpose is V S V^-1 (S and V commute into a symmetric V S).
template <class T> struct CorrectVelocityAdjoint {
  const T* velocity_bar[3]; ///< in,  faces; periodic: the face of the high end repeats the low one
  const T* pressure_bar;    ///< in,  cells
  T* out;                   ///< out, phi_bar / V, compact [k][j][i]
  T step;                   ///< C dt
  Metric<T> metric;
  Layout layout;

  static constexpr const char* name = "correct_velocity_adjoint";
  Box range() const { return layout.interior(); }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    const T *x = metric.axis[0].inv_gradient, *y = metric.axis[1].inv_gradient;
    const T* z = metric.axis[2].inv_gradient; // 2D: zero, and the first component stands in
    const bool deep = layout.dimension == 3;
    const int up = deep ? layout.stride[2] : 0;
    const T *u = velocity_bar[0], *v = velocity_bar[1], *w = velocity_bar[deep ? 2 : 0];
    const T sum = (u[n + 1] * x[i + 1] - u[n] * x[i]) +
                  (v[n + layout.stride[1]] * y[j + 1] - v[n] * y[j]) +
                  (w[n + up] * z[k + 1] - w[n] * z[k]);
    const T inverse_volume =
        metric.axis[0].inv_width[i] * metric.axis[1].inv_width[j] * metric.axis[2].inv_width[k];
    out[(k * layout.cells[1] + j) * layout.cells[0] + i] =
        (pressure_bar[n] + step * sum) * inverse_volume;
  }
};

} // namespace contraflow
