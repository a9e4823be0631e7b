#pragma once

#include "contraflow/hd.hpp"

#include <cmath>

namespace contraflow {

/// The advective flux between the values b | c, with outer neighbours a and d, carried by the mass
/// flux q (design, section 2):
///
///   F = q (inner (b+c) + outer (a+d)) + S(q) upwind (d - 3c + 3b - a),  S = sqrt(q^2 +
///   smoothing^2)
///
/// kappa = 1/3:  inner 7/12, outer -1/12, upwind 1/12;   central:  inner 1/2, outer 0, upwind 0.
template <class T> struct AdvectionWeights {
  T inner, outer, upwind, smoothing;

  static AdvectionWeights kappa(T smoothing) {
    return {T(7.0 / 12), T(-1.0 / 12), T(1.0 / 12), smoothing};
  }
  static AdvectionWeights central(T smoothing) { return {T(0.5), T(0), T(0), smoothing}; }
};

/// |q| without its kink: the choice of the upwind side, smooth in everything.
template <class T> CONTRAFLOW_HD T smooth_magnitude(T q, T smoothing) {
  using std::sqrt;
  return sqrt(q * q + smoothing * smoothing);
}

template <class T>
CONTRAFLOW_HD T advective_flux(const AdvectionWeights<T>& weights, T q, T a, T b, T c, T d) {
  const T centred = weights.inner * (b + c) + weights.outer * (a + d);
  const T upwinded = weights.upwind * (d - a + T(3) * (b - c));
  return q * centred + smooth_magnitude(q, weights.smoothing) * upwinded;
}

} // namespace contraflow
