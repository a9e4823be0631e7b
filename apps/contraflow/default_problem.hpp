#pragma once

#include "src/design/case.hpp"

namespace contraflow::app {

/// Gives a case without controls or without an objective all that applies to it, so that there is
/// something to certify: drag of the first body (without a body: the flow's distance from its
/// start) with respect to shape, place, angle and motion of every body, viscosity and inflow.
void complete_problem(Case& c);

} // namespace contraflow::app
