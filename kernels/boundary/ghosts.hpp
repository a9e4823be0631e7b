#pragma once

#include "contraflow/layout.hpp"

namespace contraflow {

/// The ghosts of one field along one axis: target = sign * source + value, for both ends together.
/// Sources are never targets.
template <class T> struct GhostRules {
  int count = 0;
  int target[4] = {0, 0, 0, 0}; ///< index along the axis
  int source[4] = {0, 0, 0, 0};
  T sign[4];
  T value[4];

  CONTRAFLOW_HD void add(int to, int from, T factor, T offset) {
    target[count] = to;
    source[count] = from;
    sign[count] = factor;
    value[count] = offset;
    ++count;
  }
};

/// Fills the ghosts of up to `fields` fields along `axis`, one thread a line. Lines run through the
/// ghosts of the other axes as well; filling axis after axis makes corners right.
/// Adjoint: adjoint/boundary/ghosts.hpp.
template <class T> struct FillGhosts {
  T* field[3];
  GhostRules<T> rules[3];
  int fields;
  int axis;
  Layout layout;

  static constexpr const char* name = "fill_ghosts";
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
        const T source = field[f][line + rules[f].source[g] * layout.stride[axis]];
        field[f][line + rules[f].target[g] * layout.stride[axis]] =
            rules[f].sign[g] * source + rules[f].value[g];
      }
    }
  }
};

} // namespace contraflow
