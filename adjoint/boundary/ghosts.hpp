#pragma once

#include "kernels/boundary/ghosts.hpp"

namespace contraflow {

/// Transpose of FillGhosts: what a ghost fed goes to its source, and the ghost is zero afterwards
/// (it was overwritten). Axes in reverse order.
///
///   source_bar += sign target_bar,   target_bar = 0
template <class T> struct FillGhostsAdjoint {
  T* field_bar[3];
  GhostRules<T> rules[3];
  int fields;
  int axis;
  Layout layout;

  static constexpr const char* name = "fill_ghosts_adjoint";
  Box range() const {
    Box lines = layout.padded();
    lines.lo[axis] = 0;
    lines.hi[axis] = 1;
    return lines;
  }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int line = layout.index(i, j, k);
    for (int f = 0; f < fields; ++f) {
      for (int g = 0; g < rules[f].count; ++g) {
        T& target = field_bar[f][line + rules[f].target[g] * layout.stride[axis]];
        T& source = field_bar[f][line + rules[f].source[g] * layout.stride[axis]];
        source = source + rules[f].sign[g] * target;
        target = T(0);
      }
    }
  }
};

} // namespace contraflow
