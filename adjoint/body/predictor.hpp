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
    const T x_bar = -predictor_bar[0][n], y_bar = -predictor_bar[1][n];
    const T z_bar = body.dimension == 3 ? -predictor_bar[2][n] : T(0);
    const T moment = motion->moment(metric, i, j, x_bar, y_bar);
    return {{Accumulator<T>(x_bar), Accumulator<T>(y_bar), Accumulator<T>(z_bar),
             Accumulator<T>(moment)}};
  }
};

} // namespace contraflow
