#pragma once

#include "contraflow/layout.hpp"
#include "kernels/metric.hpp"
#include "kernels/reduce.hpp"

namespace contraflow {

/// A plane of boundary faces through which fluid passes: an inflow or an outflow side.
struct OpenSide {
  int axis = 0;
  int face = 0;        ///< index of the plane along the axis
  int outward = 1;     ///< +1 on the high side, -1 on the low one
  bool outlet = false; ///< takes part in the correction

  CONTRAFLOW_HD Box plane(const Layout& layout) const {
    Box box = layout.interior();
    box.lo[axis] = face;
    box.hi[axis] = face + 1;
    return box;
  }
};

/// Volume flux out through a side: the sum over its faces of outward velocity times area.
template <class T> struct SideFlux {
  using Value = Sums<Accumulator<T>, 1>;
  const T* velocity; ///< in, along the side's axis
  OpenSide side;
  Metric<T> metric;
  Layout layout;

  static constexpr const char* name = "side_flux";
  Box range() const { return side.plane(layout); }
  CONTRAFLOW_HD Value operator()(int i, int j, int k) const {
    const T out = T(side.outward) * velocity[layout.index(i, j, k)];
    return {{Accumulator<T>(out * face_area(metric, side.axis, i, j, k))}};
  }
};

/// Adds the same outward velocity to every face of an outlet, so that as much leaves as enters:
///
///   velocity += outward c,   c = -(sum of the fluxes out of all open sides) / (area of all
///   outlets)
///
/// Adjoint: adjoint/boundary/mass_correction.hpp.
template <class T> struct CorrectMass {
  const Sums<Accumulator<T>, 1>* fluxes; ///< in, of every open side
  T* velocity;                           ///< sum, faces of this outlet
  int sides;
  T outlet_area;
  OpenSide side;
  Layout layout;

  static constexpr const char* name = "correct_mass";
  Box range() const { return side.plane(layout); }
  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    Accumulator<T> total = Accumulator<T>(0);
    for (int s = 0; s < sides; ++s) total = total + fluxes[s].value[0];
    const int n = layout.index(i, j, k);
    velocity[n] = velocity[n] - T(side.outward) * (T(total) / outlet_area);
  }
};

} // namespace contraflow
