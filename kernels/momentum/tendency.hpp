#pragma once

#include "contraflow/layout.hpp"
#include "kernels/metric.hpp"
#include "kernels/momentum/flux.hpp"

namespace contraflow {

/// The explicit part of one Runge-Kutta stage for the velocity along `Axis`:
///
///   E   = v + dt (-div(v v) + nu lap v - grad p)
///   out = A u0 + B E
///
/// on the faces of `faces`. Conservative; transverse mass fluxes are weighted with the cell widths,
/// so that momentum cells are exactly conservative on stretched grids. Ghosts of v must be filled.
/// Adjoint: adjoint/momentum/tendency.hpp.
template <class T, int Dim, int Axis> struct Tendency {
  const T* velocity[3]; ///< in,  v, faces and two ghost layers
  const T* pressure;    ///< in,  cells (periodic: one ghost layer below)
  const T* start;       ///< in,  u0, the velocity along Axis at the start of the step
  T* out;               ///< out, faces of the velocity along Axis
  T start_weight;       ///< A
  T euler_weight;       ///< B
  T dt;
  T viscosity;
  AdvectionWeights<T> advection;
  Metric<T> metric;
  Layout layout;
  Box faces; ///< the faces that are advanced, without prescribed ones

  static constexpr const char* name = "tendency";
  Box range() const { return faces; }

  template <int D> CONTRAFLOW_HD int stride() const { return D == 0 ? 1 : layout.stride[D]; }

  /// Flux along D of the velocity along Axis, on the low side: between the faces n-stride and n.
  template <int D> CONTRAFLOW_HD T flux(int n, const int (&x)[3], int m) const {
    const int t = stride<D>(), s = stride<Axis>();
    const T* u = velocity[Axis];
    const T b = u[n - t], c = u[n];
    T q, inverse_distance;
    if constexpr (D == Axis) {
      q = T(0.5) * (b + c);
      inverse_distance = metric.axis[D].inv_width[m - 1];
    } else {
      const AxisMetric<T>& along = metric.axis[Axis];
      const int f = x[Axis];
      q = T(0.5) * along.inv_spacing[f] *
          (along.width[f - 1] * velocity[D][n - s] + along.width[f] * velocity[D][n]);
      inverse_distance = metric.axis[D].inv_spacing[m];
    }
    return advective_flux(advection, q, u[n - 2 * t], b, c, u[n + t]) -
           viscosity * (c - b) * inverse_distance;
  }

  template <int D> CONTRAFLOW_HD T divergence(int n, const int (&x)[3]) const {
    const T difference = flux<D>(n + stride<D>(), x, x[D] + 1) - flux<D>(n, x, x[D]);
    const AxisMetric<T>& along = metric.axis[D];
    return difference * (D == Axis ? along.inv_spacing[x[D]] : along.inv_width[x[D]]);
  }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int x[3] = {i, j, k};
    const int n = layout.index(i, j, k);
    T rate = (pressure[n] - pressure[n - stride<Axis>()]) * metric.axis[Axis].inv_spacing[x[Axis]];
    rate = rate + divergence<0>(n, x) + divergence<1>(n, x);
    if constexpr (Dim == 3) rate = rate + divergence<2>(n, x);
    out[n] = start_weight * start[n] + euler_weight * (velocity[Axis][n] - dt * rate);
  }
};

} // namespace contraflow
