#pragma once

#include "contraflow/layout.hpp"
#include "kernels/body/kernel.hpp"

namespace contraflow {

/// Constants of the mask, in the units of the grid (design, section 2).
template <class T> struct MaskConstants {
  T spacing;     ///< h
  T width;       ///< eps, half-width of the mask
  T shift;       ///< s*, displaces the mask so that the effective wall lies on the surface
  T robin_shift; ///< s_R, the same for the one-sided mask of thin parts
};

/// Zeroth and first moment of a mask at signed distance d, and their derivatives.
template <class T> struct MaskMoments {
  T solid, first; ///< 1 - mu0, mu1
};

/// The displaced BDIM mask, for bodies thicker than a few cells.
template <class T>
CONTRAFLOW_HD MaskMoments<T> bdim_moments(const MaskConstants<T>& constants, T d) {
  const T x = (d + constants.shift) / constants.width;
  return {T(1) - kernel_zeroth(x), constants.width * kernel_first(x)};
}
template <class T>
CONTRAFLOW_HD MaskMoments<T> bdim_slopes(const MaskConstants<T>& constants, T d) {
  const T x = (d + constants.shift) / constants.width;
  return {-kernel_zeroth_slope(x) / constants.width, kernel_first_slope(x)};
}

/// The one-sided Robin mask, for parts thinner than the BDIM mask can seal: solid within half a
/// cell of the surface on both of its sides, where the flow is at rest, and a linear profile from
/// the displaced wall outwards, so that each side of a sheet follows its own flow
/// (docs/decisions/0007-thin-bodies.md).
template <class T>
CONTRAFLOW_HD MaskMoments<T> robin_moments(const MaskConstants<T>& constants, T d) {
  const T h = constants.spacing, wall = d + constants.robin_shift;
  const T solid = T(1) - kernel_zeroth((wall - T(1.35) * h) / (T(1.75) * h));
  return {solid, solid * wall * kernel_zeroth((wall - T(0.25) * h) / (T(0.5) * h))};
}
template <class T>
CONTRAFLOW_HD MaskMoments<T> robin_slopes(const MaskConstants<T>& constants, T d) {
  const T h = constants.spacing, wall = d + constants.robin_shift;
  const T edge = (wall - T(1.35) * h) / (T(1.75) * h), onset = (wall - T(0.25) * h) / (T(0.5) * h);
  const T solid = T(1) - kernel_zeroth(edge), slope = -kernel_zeroth_slope(edge) / (T(1.75) * h);
  return {slope, (slope * wall + solid) * kernel_zeroth(onset) +
                     solid * wall * kernel_zeroth_slope(onset) / (T(0.5) * h)};
}

/// Argument of the blend chi = k0(1 - 2 T/h): 0 from a half-thickness (T + c)/2 of 1.25 h on, which
/// the BDIM mask seals, 1 below 0.75 h.
template <class T> CONTRAFLOW_HD T thin_argument(const MaskConstants<T>& constants, T thinness) {
  return T(1) - T(2) * thinness / constants.spacing;
}

/// Mask of one velocity component from its signed distances (see DistanceSamples):
///
///   n_j    = (upper_j - lower_j)/h
///   solid  = 1 - mu0        of the blend of the two masks above
///   m_j    = mu1 n_j/(2h)
///
/// Adjoint: adjoint/body/mask.hpp.
template <class T> struct BodyMask {
  const T* centre;   ///< in,  d at the face
  const T* lower[3]; ///< in,  d half a cell below along each axis
  const T* upper[3]; ///< in,  d half a cell above
  const T* thinness; ///< in,  T, distance seen from inside
  T* solid;          ///< out, 0 in the fluid, 1 in the body
  T* moment[3];      ///< out, m_j
  MaskConstants<T> constants;
  Layout layout; ///< of the box around the body
  Box box;

  static constexpr const char* name = "body_mask";
  Box range() const { return box; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const int n = layout.index(i, j, k);
    const T d = centre[n];
    const T chi = kernel_zeroth(thin_argument(constants, thinness[n]));
    const MaskMoments<T> thick = bdim_moments(constants, d), thin = robin_moments(constants, d);
    solid[n] = thick.solid + chi * (thin.solid - thick.solid);
    const T first = thick.first + chi * (thin.first - thick.first);
    const T scale = T(0.5) / (constants.spacing * constants.spacing);
    for (int a = 0; a < layout.dimension; ++a) {
      moment[a][n] = first * scale * (upper[a][n] - lower[a][n]);
    }
  }
};

} // namespace contraflow
