#pragma once

#include "contraflow/box.hpp"

namespace contraflow {

/// One padded index space that all fields of a grid (or of the box around a body) share: two ghost
/// layers on each side of an axis, rows padded to a multiple of 32, x fastest. A kernel holds plain
/// pointers and one Layout, and one linear index serves all its fields. Cell (i,j,k) and the faces
/// on its low sides have the same index.
struct Layout {
  int cells[3] = {1, 1, 1};
  int dimension = 2;
  int stride[3] = {1, 0, 0};
  int origin = 0; ///< linear index of (0,0,0)
  int size = 0;   ///< elements of a field

  static constexpr int halo = 2;
  static constexpr int guard = 8; ///< zeros before the first row, and at the end of each row

  static Layout over(int nx, int ny, int nz, int dimension) {
    Layout layout;
    layout.cells[0] = nx;
    layout.cells[1] = ny;
    layout.cells[2] = nz;
    layout.dimension = dimension;
    layout.stride[1] = (nx + 2 * halo + guard + 31) / 32 * 32;
    layout.stride[2] = layout.stride[1] * (ny + 2 * halo);
    const int depth = dimension == 3 ? halo : 0;
    layout.origin = 32 + halo + halo * layout.stride[1] + depth * layout.stride[2];
    layout.size = 32 + layout.stride[2] * (nz + 2 * depth) + 32;
    return layout;
  }

  CONTRAFLOW_HD int index(int i, int j, int k) const {
    return origin + i + j * stride[1] + k * stride[2];
  }

  /// All indices that exist along every axis: cells, faces and ghosts.
  CONTRAFLOW_HD Box padded() const {
    Box box;
    for (int a = 0; a < 3; ++a) {
      const int layers = a < dimension ? halo : 0;
      box.lo[a] = -layers;
      box.hi[a] = cells[a] + layers;
    }
    return box;
  }

  CONTRAFLOW_HD Box interior() const {
    Box box;
    for (int a = 0; a < 3; ++a) box.hi[a] = cells[a];
    return box;
  }
};

} // namespace contraflow
