#pragma once

#include "contraflow/layout.hpp"

namespace contraflow {

/// Where a time lies between the knots of an inflow: (1-weight) knot[first] + weight knot[first+1].
template <class T> struct KnotTime {
  int first = 0;
  T weight = T(0);
};

/// Prescribes the velocity through the faces of an inflow plane from its values at knots in time.
/// Planes are compact: face (a, b) of knot m is knots[(m nb + b) na + a], a the first and b the
/// second axis across. Adjoint: adjoint/boundary/inflow.hpp.
template <class T> struct PrescribeInflow {
  const T* knots;          ///< in,  velocity along `axis` (signed), [knot][b][a]
  const KnotTime<T>* time; ///< in,  of this stage
  T* velocity;             ///< out, faces of the plane
  int axis, face;          ///< normal axis and the index of the plane along it
  Layout layout;

  static constexpr const char* name = "prescribe_inflow";
  Box range() const {
    Box plane = layout.interior();
    plane.lo[axis] = face;
    plane.hi[axis] = face + 1;
    return plane;
  }

  CONTRAFLOW_HD int in_plane(int i, int j, int k) const {
    const int x[3] = {i, j, k};
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    return x[b] * layout.cells[a] + x[a];
  }
  CONTRAFLOW_HD int plane_size() const {
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    return layout.cells[a] * layout.cells[b];
  }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const T* knot = knots + time->first * plane_size() + in_plane(i, j, k);
    T value = knot[0];
    if (time->weight > T(0)) {
      value = (T(1) - time->weight) * value + time->weight * knot[plane_size()];
    }
    velocity[layout.index(i, j, k)] = value;
  }
};

} // namespace contraflow
