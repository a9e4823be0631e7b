#pragma once

#include "kernels/body/mask.hpp"

namespace contraflow {

/// Transpose of BodyMask: from the bars of the mask to those of every distance sample.
template <class T> struct BodyMaskAdjoint {
  BodyMask<T> forward;    ///< its inputs
  const T* solid_bar;     ///< in,  dJ/dsolid
  const T* moment_bar[3]; ///< in,  dJ/dm_j
  T* centre_bar;          ///< out, dJ/dd
  T* lower_bar[3];        ///< out
  T* upper_bar[3];        ///< out
  T* thinness_bar;        ///< out

  static constexpr const char* name = "body_mask_adjoint";
  Box range() const { return forward.box; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const MaskConstants<T>& constants = forward.constants;
    const int n = forward.layout.index(i, j, k);
    const T d = forward.centre[n];
    const T argument = thin_argument(constants, forward.thinness[n]);
    const T chi = kernel_zeroth(argument);
    const MaskMoments<T> thick = bdim_moments(constants, d), thin = robin_moments(constants, d);
    const MaskMoments<T> thick_slope = bdim_slopes(constants, d);
    const MaskMoments<T> thin_slope = robin_slopes(constants, d);
    const T first = thick.first + chi * (thin.first - thick.first);
    const T scale = T(0.5) / (constants.spacing * constants.spacing);
    T first_bar = T(0);
    for (int a = 0; a < forward.layout.dimension; ++a) {
      const T difference = forward.upper[a][n] - forward.lower[a][n];
      first_bar = first_bar + moment_bar[a][n] * scale * difference;
      upper_bar[a][n] = moment_bar[a][n] * scale * first;
      lower_bar[a][n] = -(moment_bar[a][n] * scale * first);
    }
    const T bar = solid_bar[n];
    const T chi_bar = bar * (thin.solid - thick.solid) + first_bar * (thin.first - thick.first);
    centre_bar[n] = bar * (thick_slope.solid + chi * (thin_slope.solid - thick_slope.solid)) +
                    first_bar * (thick_slope.first + chi * (thin_slope.first - thick_slope.first));
    thinness_bar[n] = -(chi_bar * kernel_zeroth_slope(argument) * (T(2) / constants.spacing));
  }
};

} // namespace contraflow
