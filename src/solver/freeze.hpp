#pragma once

#include "src/design/case.hpp"

namespace contraflow {

/// Fills what the discretisation keeps fixed through gradients and optimisations, from the baseline
/// case: dt from CFL and viscous limit (design, section 2, "Time step"), the number of steps, tau,
/// the mask displacements and the smoothing speed. Entries that are set already (a resolved case)
/// stay. Throws CaseError: dt above its stable limit or above tau.
void freeze_constants(Case& c);

} // namespace contraflow
