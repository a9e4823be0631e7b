#pragma once

#include "contraflow/grid.hpp"

#include <cmath>

namespace contraflow::test {

/// Small grids with different numbers of cells on each axis.
inline Grid make_grid(int dimension, bool stretched) {
  const int cells[3] = {7, 5, dimension == 3 ? 4 : 1};
  const double from[3] = {-1.5, 2, dimension == 3 ? 0.25 : 0}, h[3] = {0.1, 0.25, 0.125};
  Grid grid;
  grid.dimension = dimension;
  grid.spacing = 0.1;
  for (std::size_t a = 0; a < 3; ++a) {
    const bool flat = dimension == 2 && a == 2;
    double at = from[a];
    for (int i = 0; i <= cells[a]; ++i) {
      grid.faces[a].push_back(stretched ? at : from[a] + i * (flat ? 1 : h[a]));
      at += flat ? 1 : h[a] * std::pow(1.1, i);
    }
  }
  return grid;
}

} // namespace contraflow::test
