#pragma once

#include "contraflow/layout.hpp"
#include "kernels/metric.hpp"
#include "kernels/reduce.hpp"

namespace contraflow {

/// Squared distance of one velocity component to its target in a region, summed over its faces:
/// sum (u - target)^2 vol. Adjoint: adjoint/objective/region_misfit.hpp.
template <class T> struct RegionMisfit {
  using Value = Sums<Accumulator<T>, 1>;
  const T* velocity; ///< in, faces
  const T* target;   ///< in, the same layout
  int component;
  Metric<T> metric;
  Layout layout;
  Box faces; ///< of the region

  static constexpr const char* name = "region_misfit";
  Box range() const { return faces; }

  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    const T miss = velocity[n] - target[n];
    return {{Accumulator<T>(miss * miss * face_volume(metric, component, i, j, k))}};
  }
};

} // namespace contraflow
