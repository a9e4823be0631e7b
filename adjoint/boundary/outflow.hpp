#pragma once

#include "kernels/boundary/outflow.hpp"

namespace contraflow {

/// Transpose of ConvectOutflow. Each point of the plane owns its inner neighbour as well.
template <class T> struct ConvectOutflowAdjoint {
  ConvectOutflow<T> forward; ///< its weights and plane
  const T* out_bar;          ///< in,  dJ/dout, the plane
  T* velocity_bar;           ///< sum, dJ/dv, the plane and its inner neighbours
  T* start_bar;              ///< sum, dJ/du0, the plane

  static constexpr const char* name = "convect_outflow_adjoint";
  Box range() const { return forward.plane; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = forward.layout.index(i, j, k), inner = n + forward.inward;
    const T bar = forward.euler_weight * out_bar[n];
    velocity_bar[n] = velocity_bar[n] + (T(1) - forward.courant) * bar;
    velocity_bar[inner] = velocity_bar[inner] + forward.courant * bar;
    start_bar[n] = start_bar[n] + forward.start_weight * out_bar[n];
  }
};

} // namespace contraflow
