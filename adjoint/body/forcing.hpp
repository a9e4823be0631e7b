#pragma once

#include "kernels/body/forcing.hpp"

namespace contraflow {

/// dJ/d(force and moment) of one stage, Runge-Kutta weight included.
template <class T> struct ForceBar {
  T force[3] = {T(0), T(0), T(0)};
  T moment = T(0);
};

/// What a change of a component's force density at a face does: vol (F_bar + arm M_bar).
template <class T> CONTRAFLOW_HD T weighted_volume(const Metric<T>& metric, const ForceBar<T>& bar,
                                                   const RigidMotion<T>& motion, int component,
                                                   int i, int j, int k) {
  T arm = T(0);
  if (component == 0) arm = -(metric.axis[1].centre[j] - motion.centre[1]);
  if (component == 1) arm = metric.axis[0].centre[i] - motion.centre[0];
  return face_volume(metric, component, i, j, k) * (bar.force[component] + arm * bar.moment);
}

/// Transpose of BodyForcing and ForceSums for one component: one pass that writes every bar.
///
///   f_bar      = dt E_bar - vol (F_bar + arm M_bar)
///   H_bar      = ( -solid f_bar + sum_j (m_j f_bar)_{-j} - (m_j f_bar)_{+j} ) / tau     overwrites
///   solid_bar -= f_bar H / tau
///   m_j_bar   += f_bar (H_{+j} - H_{-j}) / tau
///
/// On the box grown by one layer; the mask is zero outside of the box.
template <class T> struct BodyForcingAdjoint {
  const T* euler_bar; ///< in,  dJ/dE of the component
  const T* predictor; ///< in,  H of the forward stage, body layout, with its layer
  const T* solid;     ///< in,  body layout, zero outside of the box
  const T* moment[3]; ///< in,  the same
  T* predictor_bar;   ///< out, dJ/dH, body layout, with its layer
  T* solid_bar;       ///< sum
  T* moment_bar[3];   ///< sum
  ForceBar<T> force_bar;
  const RigidMotion<T>* motion; ///< in,  of this stage: its centre
  T dt;
  T relaxation_time;
  int component;
  Metric<T> metric;
  Layout layout, body;
  Box box; ///< the forward box grown by one layer

  static constexpr const char* name = "body_forcing_adjoint";
  Box range() const { return box; }

  CONTRAFLOW_HD T f_bar(int i, int j, int k) const {
    return dt * euler_bar[layout.index(i, j, k)] -
           weighted_volume(metric, force_bar, *motion, component, i, j, k);
  }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int b = body.index(i, j, k);
    const T inverse = T(1) / relaxation_time;
    const T here = f_bar(i, j, k) * inverse;
    T sum = -(solid[b] * here);
    for (int a = 0; a < body.dimension; ++a) {
      const int s = body.stride[a];
      const int di = a == 0, dj = a == 1, dk = a == 2;
      sum = sum + inverse * (moment[a][b - s] * f_bar(i - di, j - dj, k - dk) -
                             moment[a][b + s] * f_bar(i + di, j + dj, k + dk));
      moment_bar[a][b] = moment_bar[a][b] + here * (predictor[b + s] - predictor[b - s]);
    }
    predictor_bar[b] = sum;
    solid_bar[b] = solid_bar[b] - here * predictor[b];
  }
};

} // namespace contraflow
