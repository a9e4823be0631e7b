#pragma once

#include "kernels/boundary/mass_correction.hpp"

namespace contraflow {

/// dJ/dc of the mass correction: the sum over the faces of an outlet of outward velocity_bar.
template <class T> struct CorrectionBar {
  using Value = Sums<Accumulator<T>, 1>;
  const T* velocity_bar; ///< in, along the side's axis
  OpenSide side;
  Layout layout;

  static constexpr const char* name = "correction_bar";
  Box range() const { return side.plane(layout); }
  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    return {{Accumulator<T>(T(side.outward) * velocity_bar[layout.index(i, j, k)])}};
  }
};

/// Transpose of SideFlux and CorrectMass together: every open face fed c with its area.
///
///   velocity_bar -= outward area (sum of the outlets' correction bars) / (area of all outlets)
template <class T> struct CorrectMassAdjoint {
  const Sums<Accumulator<T>, 1>* correction_bars; ///< in, of every outlet
  T* velocity_bar;                                ///< sum, faces of this open side
  int outlets;
  T outlet_area;
  OpenSide side;
  Metric<T> metric;
  Layout layout;

  static constexpr const char* name = "correct_mass_adjoint";
  Box range() const { return side.plane(layout); }
  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    Accumulator<T> total = Accumulator<T>(0);
    for (int s = 0; s < outlets; ++s) total = total + correction_bars[s].value[0];
    const int n = layout.index(i, j, k);
    const T share = T(side.outward) * face_area(metric, side.axis, i, j, k) / outlet_area;
    velocity_bar[n] = velocity_bar[n] - share * T(total);
  }
};

} // namespace contraflow
