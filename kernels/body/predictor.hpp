#pragma once

#include "contraflow/layout.hpp"
#include "kernels/metric.hpp"
#include "kernels/reduce.hpp"

namespace contraflow {

/// Surface velocity of a rigid body, extended linearly: u_b = (-omega (y - y_c), omega (x - x_c),
/// 0).
template <class T> struct RigidMotion {
  const T* rotation; ///< omega of this stage, counter-clockwise
  T centre[3];

  CONTRAFLOW_HD T velocity(const Metric<T>& metric, int component, int i, int j) const {
    if (component == 0) return -rotation[0] * (metric.axis[1].centre[j] - centre[1]);
    if (component == 1) return rotation[0] * (metric.axis[0].centre[i] - centre[0]);
    return T(0);
  }
};

/// What the body acts on: the Euler step over the relaxation time, relative to the surface,
///
///   H = v + (E - v)/theta - u_b,   E = (pre - A u0)/B
///
/// where pre = A u0 + B E is what Tendency left. On the faces of `box`, which reaches one layer
/// past the mask. Adjoint: adjoint/body/predictor.hpp.
template <class T> struct BodyPredictor {
  const T* previous; ///< in,  v
  const T* start;    ///< in,  u0
  const T* advanced; ///< in,  pre
  T* predictor;      ///< out, H, body layout
  T start_weight, euler_weight;
  T theta; ///< dt/tau
  RigidMotion<T> motion;
  int component;
  Metric<T> metric;
  Layout layout, body;
  Box box;

  static constexpr const char* name = "body_predictor";
  Box range() const { return box; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    const T euler = (advanced[n] - start_weight * start[n]) / euler_weight;
    predictor[body.index(i, j, k)] =
        previous[n] + (euler - previous[n]) / theta - motion.velocity(metric, component, i, j);
  }
};

} // namespace contraflow
