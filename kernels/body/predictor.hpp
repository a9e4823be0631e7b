#pragma once

#include "contraflow/layout.hpp"
#include "kernels/body/rigid_motion.hpp"

namespace contraflow {

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
  T theta;                      ///< dt/tau
  const RigidMotion<T>* motion; ///< in,  of this stage
  int component;
  Metric<T> metric;
  Layout layout, body;
  Box box;

  static constexpr const char* name = "body_predictor";
  Box range() const { return box; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    const T euler = (advanced[n] - start_weight * start[n]) / euler_weight;
    predictor[body.index(i, j, k)] = previous[n] + (euler - previous[n]) / theta -
                                     motion->velocity.at(metric, motion->centre, component, i, j);
  }
};

} // namespace contraflow
