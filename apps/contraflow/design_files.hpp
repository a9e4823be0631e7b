#pragma once

#include "apps/contraflow/results.hpp"

#include <span>
#include <string>

namespace contraflow::app {

/// NAME.dat and, in 2D, NAME.vtp with the outline of every body of a design (with several bodies
/// BODY_NAME; `name` may begin with a folder). Airfoils in the .dat as airfoil files have them:
/// unit chord, from the trailing edge over the upper surface and back below, so that `shape =
/// "airfoil"` and other programs read them. Other shapes, and everything in the .vtp, as they stand
/// in the flow.
void write_design(const Job& job, const Controls& controls, std::span<const double> x,
                  const std::string& name);

/// best.csv: every control at the start and at `x`.
void write_controls(const Job& job, const Controls& controls, std::span<const double> x);

} // namespace contraflow::app
