#pragma once

#include "kernels/momentum/flux.hpp"

namespace contraflow {

// Derivatives of advective_flux(q, a, b, c, d) with respect to each argument.

template <class T> CONTRAFLOW_HD T flux_by_a(const AdvectionWeights<T>& weights, T q, T magnitude) {
  return q * weights.outer - magnitude * weights.upwind;
}
template <class T> CONTRAFLOW_HD T flux_by_b(const AdvectionWeights<T>& weights, T q, T magnitude) {
  return q * weights.inner + T(3) * magnitude * weights.upwind;
}
template <class T> CONTRAFLOW_HD T flux_by_c(const AdvectionWeights<T>& weights, T q, T magnitude) {
  return q * weights.inner - T(3) * magnitude * weights.upwind;
}
template <class T> CONTRAFLOW_HD T flux_by_d(const AdvectionWeights<T>& weights, T q, T magnitude) {
  return q * weights.outer + magnitude * weights.upwind;
}
template <class T> CONTRAFLOW_HD T flux_by_q(const AdvectionWeights<T>& weights, T q, T magnitude,
                                             T a, T b, T c, T d) {
  const T centred = weights.inner * (b + c) + weights.outer * (a + d);
  const T upwinded = weights.upwind * (d - a + T(3) * (b - c));
  return centred + q / magnitude * upwinded;
}

} // namespace contraflow
