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
    const T d = forward.centre[n], bar = solid_bar[n];
    const T scale = T(0.5) / constants.spacing;
    T first_bar = T(0);
    for (int a = 0; a < forward.layout.dimension; ++a) {
      first_bar = first_bar + moment_bar[a][n] * scale * forward.normal(a, n);
    }
    const T argument = forward.argument(n);
    const T chi = kernel_zeroth(argument);
    {
      const MaskMoments<T> thick = bdim_moments(constants, d), thin = robin_moments(constants, d);
      const T first = thick.first + chi * (thin.first - thick.first);
      const T chi_bar = bar * (thin.solid - thick.solid) + first_bar * (thin.first - thick.first);
      const T argument_bar = chi_bar * kernel_zeroth_slope(argument);
      const T square_bar = argument_bar * thin_argument_slope(forward.normal_square(n));
      thinness_bar[n] = -(argument_bar / constants.thin_depth);
      for (int a = 0; a < forward.layout.dimension; ++a) {
        const T normal_bar =
            moment_bar[a][n] * scale * first + T(2) * square_bar * forward.normal(a, n);
        upper_bar[a][n] = normal_bar / constants.spacing;
        lower_bar[a][n] = -(normal_bar / constants.spacing);
      }
    }
    const MaskMoments<T> thick = bdim_slopes(constants, d), thin = robin_slopes(constants, d);
    centre_bar[n] = bar * (thick.solid + chi * (thin.solid - thick.solid)) +
                    first_bar * (thick.first + chi * (thin.first - thick.first));
  }
};

} // namespace contraflow
