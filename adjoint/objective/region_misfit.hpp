#pragma once

#include "kernels/objective/region_misfit.hpp"

namespace contraflow {

/// Transpose of RegionMisfit:  u_bar += 2 weight (u - target) vol
template <class T> struct RegionMisfitAdjoint {
  RegionMisfit<T> forward; ///< its inputs
  T* velocity_bar;         ///< sum, faces
  T weight;                ///< dJ/d(the sum)

  static constexpr const char* name = "region_misfit_adjoint";
  Box range() const { return forward.faces; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = forward.layout.index(i, j, k);
    const T miss = forward.velocity[n] - forward.target[n];
    const T volume = face_volume(forward.metric, forward.component, i, j, k);
    velocity_bar[n] = velocity_bar[n] + T(2) * weight * miss * volume;
  }
};

} // namespace contraflow
