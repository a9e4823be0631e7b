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
  T thin_depth;  ///< c, how deep the thin detector probes
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

/// The one-sided Robin mask, which seals thin trailing edges.
template <class T>
CONTRAFLOW_HD MaskMoments<T> robin_moments(const MaskConstants<T>& constants, T d) {
  const T h = constants.spacing, wall = d + constants.robin_shift;
  const T solid = T(1) - kernel_zeroth((wall - h) / (T(1.5) * h));
  return {solid, solid * (T(0.25) * h) * kernel_ramp(T(4) * wall / h)};
}
template <class T>
CONTRAFLOW_HD MaskMoments<T> robin_slopes(const MaskConstants<T>& constants, T d) {
  const T h = constants.spacing, wall = d + constants.robin_shift;
  const T solid = T(1) - kernel_zeroth((wall - h) / (T(1.5) * h));
  const T slope = -kernel_zeroth_slope((wall - h) / (T(1.5) * h)) / (T(1.5) * h);
  return {slope, slope * (T(0.25) * h) * kernel_ramp(T(4) * wall / h) +
                     solid * kernel_zeroth(T(4) * wall / h)};
}

/// Argument of the blend: chi = k0(z/c - 1) with z = c - T.
template <class T> CONTRAFLOW_HD T thin_argument(const MaskConstants<T>& constants, T thinness) {
  return -thinness / constants.thin_depth;
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
