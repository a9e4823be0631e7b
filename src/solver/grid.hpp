#pragma once

#include "contraflow/grid.hpp"
#include "src/design/case.hpp"

namespace contraflow {

/// Builds the faces of every axis. A stretched axis has cells of width h on its fine part (widened
/// to a whole number of them); outside, dh/dx rises smoothly from 0 to growth h over a length 1/(2
/// growth). The growth is adjusted slightly so that the last face meets the end of the domain.
/// Throws CaseError where an axis cannot be built (a uniform axis that is no multiple of h).
Grid make_grid(const GridSpec& spec);

} // namespace contraflow
