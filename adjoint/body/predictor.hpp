#pragma once

#include "kernels/body/predictor.hpp"
#include "kernels/reduce.hpp"

namespace contraflow {

/// Transpose of BodyPredictor with respect to E (weight 1/theta) or to v (weight 1 - 1/theta): the
/// two are wanted before and after the transpose of the tendency.
///
///   bar += weight H_bar
template <class T> struct BodyPredictorAdjoint {
  const T* predictor_bar; ///< in,  dJ/dH, body layout
  T* bar;                 ///< sum, dJ/dE or dJ/dv
  T weight;
  Layout layout, body;
  Box box;

  static constexpr const char* name = "body_predictor_adjoint";
  Box range() const { return box; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    bar[n] = bar[n] + weight * predictor_bar[body.index(i, j, k)];
  }
};

/// Transpose with respect to the surface velocity, from u_b_bar = -H_bar: the bars of its linear
/// part, then of its angular one.
template <class T> struct MotionBar {
  using Value = Sums<Accumulator<T>, 4>;
  const T* predictor_bar[3];    ///< in, dJ/dH per component (2D: two), body layout
  const RigidMotion<T>* motion; ///< in, of this stage: its centre
  Metric<T> metric;
  Layout body;
  Box box;

  static constexpr const char* name = "motion_bar";
  Box range() const { return box; }

  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    const int n = body.index(i, j, k);
    T bar[3] = {T(0), T(0), T(0)};
    for (int a = 0; a < body.dimension; ++a) bar[a] = -predictor_bar[a][n];
    const T moment = bar[1] * (metric.axis[0].centre[i] - motion->centre[0]) -
                     bar[0] * (metric.axis[1].centre[j] - motion->centre[1]);
    return {{Accumulator<T>(bar[0]), Accumulator<T>(bar[1]), Accumulator<T>(bar[2]),
             Accumulator<T>(moment)}};
  }
};

} // namespace contraflow
