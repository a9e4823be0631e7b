#pragma once

#include "contraflow/hd.hpp"

#include <cmath>

namespace contraflow {

// Smoothing kernels of the boundary data immersion method (Maertens & Weymouth 2015, eq. 7) and of
// the one-sided Robin mask for thin parts, with their derivatives. A branch is taken in one place
// only.

constexpr double pi = 3.14159265358979323846;

template <class T> CONTRAFLOW_HD T clamp_to_unit(T x) {
  if (x < T(-1)) return T(-1);
  if (x > T(1)) return T(1);
  return x;
}

/// k0(x): 0 below -1, 1 above 1.
template <class T> CONTRAFLOW_HD T kernel_zeroth(T x) {
  using std::sin;
  x = clamp_to_unit(x);
  return T(0.5) * (T(1) + x + sin(T(pi) * x) / T(pi));
}

/// k0'(x)
template <class T> CONTRAFLOW_HD T kernel_zeroth_slope(T x) {
  using std::cos;
  return T(0.5) * (T(1) + cos(T(pi) * clamp_to_unit(x)));
}

/// k1(x) = mu1/eps: 0 outside of [-1, 1].
template <class T> CONTRAFLOW_HD T kernel_first(T x) {
  using std::cos;
  using std::sin;
  x = clamp_to_unit(x);
  const T angle = T(pi) * x;
  return T(0.25) * (T(1) - x * x) - (x * sin(angle) + (T(1) + cos(angle)) / T(pi)) / T(2 * pi);
}

/// k1'(x) = -x k0'(x)
template <class T> CONTRAFLOW_HD T kernel_first_slope(T x) {
  return -clamp_to_unit(x) * kernel_zeroth_slope(x);
}

} // namespace contraflow
