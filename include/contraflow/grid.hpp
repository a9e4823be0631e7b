#pragma once

#include <array>
#include <vector>

namespace contraflow {

/// A tensor-product grid: the coordinates of the faces along each axis, ascending. Cell (i,j,k)
/// lies between faces i and i+1 (j and j+1, k and k+1). In 2D the third axis has one cell of unit
/// width.
struct Grid {
  int dimension = 2;
  double spacing = 0; ///< h where the grid is uniform, around the bodies
  std::array<std::vector<double>, 3> faces;

  int cells(int axis) const {
    return static_cast<int>(faces[static_cast<std::size_t>(axis)].size()) - 1;
  }
};

} // namespace contraflow
