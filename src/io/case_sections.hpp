#pragma once

#include "src/io/case_file.hpp"
#include "src/io/toml_table.hpp"

namespace contraflow {

// The sections of a case file. Each function reads its part of the root table into the case, in the
// order of this list, for later ones take defaults from earlier ones. All throw CaseError.

void read_flow(const TomlTable& root, Case& c);
void read_grid(const TomlTable& root, Case& c);
void read_boundaries(const TomlTable& root, Case& c);
void read_time(const TomlTable& root, Case& c);
void read_initial(const TomlTable& root, Case& c);
void read_method(const TomlTable& root, Case& c); ///< numerics, frozen, output, check, tape
void read_bodies(const TomlTable& root, Case& c);
void read_controls(const TomlTable& root, Case& c);
void read_terms(const TomlTable& root, Case& c, CaseUse use); ///< objective, constraints
void read_optimiser(const TomlTable& root, Case& c);

// What cannot be seen in one section alone. All throw CaseError.

/// Boundaries that fit each other, the size of the grid, the time step, what is written when.
void check_case(const Case& c, const TomlFile& file);

/// Every body: its shape can be built, it stands clear of boundaries and of the others, in the
/// uniform part of a grid that is fine enough for it.
void check_bodies(const Case& c, const TomlFile& file);

/// Controls, objective and constraints: of things that are there, with bounds around the start,
/// windows within the run, for an optimiser that can take them.
void check_design(const Case& c, const TomlFile& file);

/// The length of the run, or infinity where only the time step, not yet known, would tell.
inline double end_of(const Case& c) {
  const double dt = c.time.step > 0 ? c.time.step : c.frozen.dt;
  if (c.time.steps == 0) return c.time.end;
  return dt > 0 ? dt * static_cast<double>(c.time.steps) : std::numeric_limits<double>::infinity();
}

} // namespace contraflow
