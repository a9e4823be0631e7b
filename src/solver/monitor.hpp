#pragma once

#include "contraflow/layout.hpp"
#include "kernels/metric.hpp"
#include "kernels/reduce.hpp"

namespace contraflow {

/// Sums of squares of every field, to watch for blow-up: u, v, w, p. A diagnostic, without a twin.
template <class T> struct FieldNorms {
  using Value = Sums<Accumulator<T>, 4>;
  const T* field[4]; ///< in, u, v, w (2D: null), p
  Layout layout;

  static constexpr const char* name = "field_norms";
  Box range() const { return layout.interior(); }
  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    Value sum = Value::zero();
    for (int f = 0; f < 4; ++f) {
      if (field[f] == nullptr) continue;
      const Accumulator<T> value(field[f][n]);
      sum.value[f] = value * value;
    }
    return sum;
  }
};

/// Momentum in a box of cells and its flux out through the sides, with centred values: the force on
/// what is inside is -(d momentum/dt + flux). An opinion on the force that shares nothing with the
/// momentum exchange but the fields. Values: momentum along x, y, z, then flux along x, y, z.
template <class T> struct ControlVolume {
  using Value = Sums<Accumulator<T>, 6>;
  const T* velocity[3]; ///< in, faces
  const T* pressure;    ///< in, cells
  T viscosity;
  Metric<T> metric;
  Layout layout;
  Box cells; ///< of the volume; momentum of component a lives on its faces from lo[a] to hi[a]

  static constexpr const char* name = "control_volume";
  Box range() const {
    Box faces = cells;
    for (int a = 0; a < layout.dimension; ++a) ++faces.hi[a];
    return faces;
  }

  /// Momentum flux along axis b of component a, outward-normal not yet applied, at the low side of
  /// the momentum cell n along b (for a == b: at the centre of cell n - stride).
  CONTRAFLOW_HD T flux(int a, int b, int n, const int (&x)[3]) const {
    const int s = layout.stride[a], t = layout.stride[b];
    const T* u = velocity[a];
    const T mean = T(0.5) * (u[n - t] + u[n]);
    if (a == b) {
      return mean * mean - viscosity * (u[n] - u[n - t]) * metric.axis[a].inv_width[x[a] - 1] +
             pressure[n - s];
    }
    const AxisMetric<T>& along = metric.axis[a];
    const T carrier =
        T(0.5) * along.inv_spacing[x[a]] *
        (along.width[x[a] - 1] * velocity[b][n - s] + along.width[x[a]] * velocity[b][n]);
    return carrier * mean - viscosity * (u[n] - u[n - t]) * metric.axis[b].inv_spacing[x[b]];
  }

  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    const int x[3] = {i, j, k};
    const int n = layout.index(i, j, k);
    Value sum = Value::zero();
    for (int a = 0; a < layout.dimension; ++a) {
      bool inside = true; // faces of component a: one more than cells along a
      for (int b = 0; b < layout.dimension; ++b) {
        if (b != a && x[b] >= cells.hi[b]) inside = false;
      }
      if (!inside) continue;
      const T volume = face_volume(metric, a, i, j, k);
      T out = T(0);
      for (int b = 0; b < layout.dimension; ++b) {
        const int last = b == a ? cells.hi[b] : cells.hi[b] - 1;
        const T width =
            b == a ? T(1) / metric.axis[b].inv_spacing[x[b]] : metric.axis[b].width[x[b]];
        if (x[b] == cells.lo[b]) out = out - flux(a, b, n, x) * (volume / width);
        if (x[b] == last) {
          const int y[3] = {i + (b == 0), j + (b == 1), k + (b == 2)};
          out = out + flux(a, b, n + layout.stride[b], y) * (volume / width);
        }
      }
      sum.value[a] = Accumulator<T>(velocity[a][n] * volume);
      sum.value[3 + a] = Accumulator<T>(out);
    }
    return sum;
  }
};

} // namespace contraflow
