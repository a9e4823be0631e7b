#pragma once

#include "contraflow/grid.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace contraflow {

/// The state of a flow between two steps: all it takes to go on bit for bit.
struct FlowState {
  long step = 0;
  double time = 0;
  double dt = 0;
  /// Per component with its ghosts, as the solver lays it out.
  std::array<std::vector<double>, 3> velocity;
  std::vector<double> pressure;
};

/// Published by rename. `provenance` as in FieldSeries. Throws FileError.
void write_restart(const std::filesystem::path& file, const Grid& grid, const FlowState& state,
                   const std::string& provenance);

/// The state, bit for bit. Throws FileError: missing, not a restart file, torn or changed since it
/// was written (it ends in a checksum); CaseError: of another grid (says which axis differs).
FlowState read_restart(const std::filesystem::path& file, const Grid& grid);

/// Version, commit and resolved case of what wrote a restart file. Throws FileError.
std::string read_provenance(const std::filesystem::path& file);

} // namespace contraflow
