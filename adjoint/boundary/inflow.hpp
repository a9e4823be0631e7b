#pragma once

#include "kernels/boundary/inflow.hpp"

namespace contraflow {

/// Transpose of PrescribeInflow: adds to the two knots around the time, face by face.
template <class T> struct PrescribeInflowAdjoint {
  PrescribeInflow<T> forward; ///< its time, plane and layout
  const T* velocity_bar;      ///< in,  dJ/dvelocity, faces of the plane
  T* knots_bar;               ///< sum, dJ/dknots, [knot][b][a]

  static constexpr const char* name = "prescribe_inflow_adjoint";
  Box range() const { return forward.range(); }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const T bar = velocity_bar[forward.layout.index(i, j, k)];
    const T weight = forward.time->weight;
    T* knot = knots_bar + forward.time->first * forward.plane_size() + forward.in_plane(i, j, k);
    knot[0] = knot[0] + (T(1) - weight) * bar;
    if (weight > T(0)) knot[forward.plane_size()] = knot[forward.plane_size()] + weight * bar;
  }
};

} // namespace contraflow
