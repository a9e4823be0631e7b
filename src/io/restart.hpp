#pragma once

#include "contraflow/grid.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace contraflow {

/// The state of a flow between two steps: all it takes to go on bit for bit.
struct FlowState {
  long step = 0;
  double time = 0;
  double dt = 0;
  std::array<std::vector<double>, 3> velocity; ///< per component with its ghosts, as the solver lays it out
  std::vector<double> pressure;
};

/// A recorded flow for sensor misfits: velocities at the faces, one entry a step.
/// Published by rename. `provenance` as in FieldSeries.
void write_restart(const std::filesystem::path& file, const Grid& grid, const FlowState& state,
                   const std::string& provenance);

/// Throws FileError: not a restart file, or CaseError: of another grid (says which axis differs).
FlowState read_restart(const std::filesystem::path& file, const Grid& grid);

} // namespace contraflow
