#pragma once

#include "adjoint/body/forcing.hpp"
#include "kernels/body/inertia.hpp"

namespace contraflow {

/// Transpose of BodyInertia with respect to the distance of one component:
///
///   d_bar += inside'(d) a vol (F_bar + arm M_bar)
template <class T> struct BodyInertiaAdjoint {
  BodyInertia<T> forward;
  ForceBar<T> force_bar;
  int component;
  T* distance_bar; ///< sum

  static constexpr const char* name = "body_inertia_adjoint";
  Box range() const { return forward.box; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int b = forward.body.index(i, j, k);
    const RigidMotion<T>& motion = *forward.motion;
    const T rate = motion.acceleration.at(forward.metric, motion.centre, component, i, j);
    distance_bar[b] = distance_bar[b] +
                      forward.inside_slope(component, b) * rate *
                          weighted_volume(forward.metric, force_bar, motion, component, i, j, k);
  }
};

/// Transpose with respect to the acceleration: the bars of its linear part, then of its angular
/// one.
template <class T> struct AccelerationBar {
  using Value = Sums<Accumulator<T>, 4>;
  BodyInertia<T> forward;
  ForceBar<T> force_bar;

  static constexpr const char* name = "acceleration_bar";
  Box range() const { return forward.box; }

  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    const int b = forward.body.index(i, j, k);
    const RigidMotion<T>& motion = *forward.motion;
    T bar[3] = {T(0), T(0), T(0)};
    for (int a = 0; a < forward.body.dimension; ++a) {
      bar[a] =
          forward.inside(a, b) * weighted_volume(forward.metric, force_bar, motion, a, i, j, k);
    }
    const T moment = motion.moment(forward.metric, i, j, bar[0], bar[1]);
    return {{Accumulator<T>(bar[0]), Accumulator<T>(bar[1]), Accumulator<T>(bar[2]),
             Accumulator<T>(moment)}};
  }
};

} // namespace contraflow
