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

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int x[3] = {i, j, k};
    const int n = layout.index(i, j, k);
    T sum = T(0);
    for (int a = 0; a < layout.dimension; ++a) {
      sum = sum +
            (velocity[a][n + layout.stride[a]] - velocity[a][n]) * metric.axis[a].inv_width[x[a]];
    }
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
