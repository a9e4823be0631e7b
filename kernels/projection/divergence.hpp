#pragma once

#include "contraflow/layout.hpp"
#include "kernels/metric.hpp"

namespace contraflow {

/// Right-hand side of the pressure equation:  b = scale div u,  on the cells, compact.
/// Adjoint: adjoint/projection/divergence.hpp.
template <class T> struct Divergence {
  const T* velocity[3]; ///< in,  faces; periodic: with the face of the high end
  T* divergence;        ///< out, compact cells [k][j][i]
  T scale;              ///< 1/(C dt)
  Metric<T> metric;
  Layout layout;

  static constexpr const char* name = "divergence";
  Box range() const { return layout.interior(); }

  CONTRAFLOW_HD T along(int axis, int n, int m) const {
    const T* u = velocity[axis];
    return (u[n + layout.stride[axis]] - u[n]) * metric.axis[axis].inv_width[m];
  }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    T sum = along(0, n, i) + along(1, n, j);
    if (layout.dimension == 3) sum = sum + along(2, n, k);
    divergence[(k * layout.cells[1] + j) * layout.cells[0] + i] = scale * sum;
  }
};

/// phi from compact cells into a field with ghosts; adds it to the pressure where there is one.
template <class T> struct UnpackCells {
  const T* cells; ///< in,  compact [k][j][i]
  T* field;       ///< out, cells of a padded field
  T* pressure;    ///< sum, or null
  Layout layout;

  static constexpr const char* name = "unpack_cells";
  Box range() const { return layout.interior(); }
  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    const T value = cells[(k * layout.cells[1] + j) * layout.cells[0] + i];
    field[n] = value;
    if (pressure != nullptr) pressure[n] = pressure[n] + value;
  }
};

} // namespace contraflow
