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
    const int x[3] = {i, j, k};
    const int n = layout.index(i, j, k);
    T sum = T(0), inverse_volume = T(1);
    for (int a = 0; a < layout.dimension; ++a) {
      const AxisMetric<T>& along = metric.axis[a];
      const T* u_bar = velocity_bar[a];
      sum = sum + u_bar[n + layout.stride[a]] * along.inv_gradient[x[a] + 1] -
            u_bar[n] * along.inv_gradient[x[a]];
      inverse_volume = inverse_volume * along.inv_width[x[a]];
    }
    out[(k * layout.cells[1] + j) * layout.cells[0] + i] =
        (pressure_bar[n] + step * sum) * inverse_volume;
  }
};

} // namespace contraflow
