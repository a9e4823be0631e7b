#pragma once

#include "contraflow/layout.hpp"
#include "kernels/body/rigid_motion.hpp"
#include "kernels/reduce.hpp"

namespace contraflow {

/// The relaxed, displaced boundary data immersion of one component (Weymouth & Yue 2011, with the
/// changes of the design, section 2), as a force per volume on the fluid:
///
///   f    = ( -solid H + sum_j m_j (H_{+j} - H_{-j}) ) / tau
///   out += B dt f
///
/// Adjoint: adjoint/body/forcing.hpp.
template <class T> struct BodyForcing {
  const T* predictor; ///< in,  H, body layout, one layer past the box
  const T* solid;     ///< in,  1 - mu0
  const T* moment[3]; ///< in,  m_j = mu1 n_j/(2h)
  T* force;           ///< out, f, body layout
  T* advanced;        ///< sum, the stage's velocity before projection
  T step;             ///< B dt
  T relaxation_time;  ///< tau
  Layout layout, body;
  Box box;

  static constexpr const char* name = "body_forcing";
  Box range() const { return box; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int b = body.index(i, j, k), n = layout.index(i, j, k);
    T sum = -(solid[b] * predictor[b]);
    for (int a = 0; a < body.dimension; ++a) {
      const int s = body.stride[a];
      sum = sum + moment[a][b] * (predictor[b + s] - predictor[b - s]);
    }
    const T f = sum / relaxation_time;
    force[b] = f;
    advanced[n] = advanced[n] + step * f;
  }
};

/// Force of the fluid on the body and its moment about a point along z, from all components:
/// F = -sum f vol, M = -sum ((x - x_c) f_y - (y - y_c) f_x) vol. Momentum exchange of one stage.
template <class T> struct ForceSums {
  using Value = Sums<Accumulator<T>, 4>;
  const T* force[3];            ///< in, f per component, body layout
  const RigidMotion<T>* motion; ///< in, of this stage: its centre
  Metric<T> metric;
  Layout body;
  Box box;

  static constexpr const char* name = "force_sums";
  Box range() const { return box; }

  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    const int b = body.index(i, j, k);
    Value sum = Value::zero();
    for (int a = 0; a < body.dimension; ++a) {
      sum.value[a] = Accumulator<T>(-(force[a][b] * face_volume(metric, a, i, j, k)));
    }
    sum.value[3] = motion->moment(metric, i, j, sum.value[0], sum.value[1]);
    return sum;
  }
};

} // namespace contraflow
