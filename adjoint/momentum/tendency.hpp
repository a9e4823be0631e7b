#pragma once

#include "adjoint/momentum/flux.hpp"
#include "kernels/momentum/tendency.hpp"

namespace contraflow {

/// Transpose of the Euler step E(v, p, nu) of all Tendency<Axis>, linearised about v: one pass that
/// writes every bar. Each point asks which fluxes read it, as a neighbour (a, b, c or d) in those
/// of its own component, and as the mass flux q in those of the others:
///
///   v_bar = carried_weight carried + E_bar + dt (d rate/d v)' E_bar      overwrites, ghosts too
///   p_bar += dt (d rate/d p)' E_bar
///   nu_bar += dt lap v . E_bar, a field that is summed at the end        only if Viscosity
///
/// E_bar must be zero outside the faces that were advanced. Along x the zeros at the ends of the
/// rows stand in for fluxes that do not exist; along y and z they are read clamped, times zero.
template <class T, int Dim, bool Viscosity> struct TendencyAdjoint {
  const T* velocity[3];  ///< in,  v, as in the forward call
  const T* euler_bar[3]; ///< in,  dJ/dE
  const T* carried[3];   ///< in,  what v_bar starts from
  T* velocity_bar[3];    ///< out, dJ/dv, faces and ghosts
  T* pressure_bar;       ///< sum, dJ/dp
  T* viscosity_bar;      ///< sum, [padded]; its total is dJ/dnu
  T carried_weight;
  T dt;
  T viscosity;
  AdvectionWeights<T> advection;
  Metric<T> metric;
  Layout layout;
  Box faces[3]; ///< the faces that were advanced, per component

  static constexpr const char* name = "tendency_adjoint";
  Box range() const { return layout.padded(); }

  template <int D> CONTRAFLOW_HD int stride() const { return D == 0 ? 1 : layout.stride[D]; }

  /// Moves the index m along D into [low, high] and n with it; returns 1 where it was inside, else
  /// 0.
  template <int D> CONTRAFLOW_HD T clamp(int& n, int& m, int low, int high) const {
    if constexpr (D == 0) return T(1);
    const int inside = m + (m < low) * (low - m) - (m > high) * (m - high); // no branch: vectorises
    n += (inside - m) * stride<D>();
    const T weight = T(inside == m);
    m = inside;
    return weight;
  }

  /// dJ/d flux along D of component C between the faces n-stride and n; m is the index along D.
  template <int C, int D> CONTRAFLOW_HD T flux_bar(int n, int m) const {
    const AxisMetric<T>& along = metric.axis[D];
    const T* scale = C == D ? along.inv_spacing : along.inv_width;
    return dt * (euler_bar[C][n] * scale[m] - euler_bar[C][n - stride<D>()] * scale[m - 1]);
  }

  /// Mass flux of that flux. f is the index along C.
  template <int C, int D> CONTRAFLOW_HD T mass_flux(int n, int f) const {
    if constexpr (C == D) {
      return T(0.5) * (velocity[C][n - stride<C>()] + velocity[C][n]);
    } else {
      const AxisMetric<T>& along = metric.axis[C];
      return T(0.5) * along.inv_spacing[f] *
             (along.width[f - 1] * velocity[D][n - stride<C>()] + along.width[f] * velocity[D][n]);
    }
  }

  /// dJ/dq of that flux, for a given flux_bar.
  template <int C, int D> CONTRAFLOW_HD T mass_flux_bar(int n, T q, T magnitude, T bar) const {
    const int t = stride<D>();
    const T* u = velocity[C];
    return bar * flux_by_q(advection, q, magnitude, u[n - 2 * t], u[n - t], u[n], u[n + t]);
  }

  /// What the flux `Step` faces up along D, of its own component, gives to the face n of component
  /// C: the face is its d, c, b or a for Step = -1, 0, 1 or 2.
  template <int C, int D, int Step> CONTRAFLOW_HD T own_share(int n, const int (&x)[3]) const {
    const AxisMetric<T>& along = metric.axis[D];
    int at = n + Step * stride<D>(), m = x[D] + Step, f = x[C];
    T bar = clamp<D>(at, m, C == D ? faces[C].lo[D] : 0, C == D ? faces[C].hi[D] : layout.cells[D]);
    if constexpr (C != D) bar = bar * clamp<C>(at, f, faces[C].lo[C], faces[C].hi[C] - 1);
    bar = bar * flux_bar<C, D>(at, m);
    const T q = mass_flux<C, D>(at, C == D ? m : f);
    const T magnitude = smooth_magnitude(q, advection.smoothing);
    const T gradient = viscosity * (C == D ? along.inv_width[m - 1] : along.inv_spacing[m]);
    T derivative;
    if constexpr (Step == -1) derivative = flux_by_d(advection, q, magnitude);
    if constexpr (Step == 0) derivative = flux_by_c(advection, q, magnitude) - gradient;
    if constexpr (Step == 1) derivative = flux_by_b(advection, q, magnitude) + gradient;
    if constexpr (Step == 2) derivative = flux_by_a(advection, q, magnitude);
    T share = bar * derivative;
    if constexpr (C == D && (Step == 0 || Step == 1)) {
      share = share + T(0.5) * mass_flux_bar<C, D>(at, q, magnitude, bar);
    }
    return share;
  }

  /// What all fluxes along D of its own component give to the face n of component C.
  template <int C, int D> CONTRAFLOW_HD T own(int n, const int (&x)[3]) const {
    return own_share<C, D, -1>(n, x) + own_share<C, D, 0>(n, x) + own_share<C, D, 1>(n, x) +
           own_share<C, D, 2>(n, x);
  }

  /// What the velocity along C gave as the mass flux in the momentum of component B, in the flux at
  /// the face itself (Step = 0) or at the next one along B.
  template <int C, int B, int Step> CONTRAFLOW_HD T carrier_share(int n, const int (&x)[3]) const {
    const AxisMetric<T>& across = metric.axis[B];
    int at = n + Step * stride<B>(), f = x[B] + Step, m = x[C];
    T bar = clamp<B>(at, f, faces[B].lo[B], faces[B].hi[B] - 1);
    bar = bar * clamp<C>(at, m, 0, layout.cells[C]);
    bar = bar * flux_bar<B, C>(at, m);
    const T q = mass_flux<B, C>(at, f);
    const T magnitude = smooth_magnitude(q, advection.smoothing);
    return T(0.5) * across.width[x[B]] * across.inv_spacing[f] *
           mass_flux_bar<B, C>(at, q, magnitude, bar);
  }

  template <int C, int B> CONTRAFLOW_HD T carrier(int n, const int (&x)[3]) const {
    return carrier_share<C, B, 0>(n, x) + carrier_share<C, B, 1>(n, x);
  }

  template <int C> CONTRAFLOW_HD void write_velocity_bar(int n, const int (&x)[3]) const {
    T sum = own<C, 0>(n, x) + own<C, 1>(n, x);
    if constexpr (Dim == 3) sum = sum + own<C, 2>(n, x);
    sum = sum + carrier<C, (C + 1) % Dim>(n, x);
    if constexpr (Dim == 3) sum = sum + carrier<C, (C + 2) % Dim>(n, x);
    velocity_bar[C][n] = carried_weight * carried[C][n] + euler_bar[C][n] + sum;
  }

  template <int C> CONTRAFLOW_HD T pressure_gradient_bar(int n, const int (&x)[3]) const {
    const T* scale = metric.axis[C].inv_spacing;
    int next = n + stride<C>(), m = x[C] + 1;
    const T inside = clamp<C>(next, m, -Layout::halo, layout.cells[C] + 1);
    return dt * (inside * euler_bar[C][next] * scale[m] - euler_bar[C][n] * scale[x[C]]);
  }

  /// Laplacian of component C at a face that was advanced (elsewhere E_bar is zero).
  template <int C, int D> CONTRAFLOW_HD T curvature(int n, const int (&x)[3]) const {
    const T* u = velocity[C];
    int at = n, m = x[D];
    if constexpr (D > 0) clamp<D>(at, m, -1, layout.cells[D]);
    const int t = stride<D>();
    const AxisMetric<T>& along = metric.axis[D];
    const T above = (u[at + t] - u[at]) * (C == D ? along.inv_width[m] : along.inv_spacing[m + 1]);
    const T below = (u[at] - u[at - t]) * (C == D ? along.inv_width[m - 1] : along.inv_spacing[m]);
    return (above - below) * (C == D ? along.inv_spacing[m] : along.inv_width[m]);
  }

  template <int C> CONTRAFLOW_HD T viscosity_share(int n, const int (&x)[3]) const {
    T laplacian = curvature<C, 0>(n, x) + curvature<C, 1>(n, x);
    if constexpr (Dim == 3) laplacian = laplacian + curvature<C, 2>(n, x);
    return dt * euler_bar[C][n] * laplacian;
  }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int x[3] = {i, j, k};
    const int n = layout.index(i, j, k);
    write_velocity_bar<0>(n, x);
    write_velocity_bar<1>(n, x);
    T from_gradient = pressure_gradient_bar<0>(n, x) + pressure_gradient_bar<1>(n, x);
    if constexpr (Dim == 3) {
      write_velocity_bar<2>(n, x);
      from_gradient = from_gradient + pressure_gradient_bar<2>(n, x);
    }
    pressure_bar[n] = pressure_bar[n] + from_gradient;
    if constexpr (Viscosity) {
      T share = viscosity_share<0>(n, x) + viscosity_share<1>(n, x);
      if constexpr (Dim == 3) share = share + viscosity_share<2>(n, x);
      viscosity_bar[n] = viscosity_bar[n] + share;
    }
  }
};

} // namespace contraflow
