#pragma once

#include "contraflow/grid.hpp"
#include "src/io/hdf5.hpp"

#include <filesystem>

namespace contraflow::hdf5 {

/// The grid as `dimension` and `faces_x`, `faces_y`, `faces_z` of a group.
void write_grid(hid_t group, const Grid& grid);

/// Throws CaseError unless write_grid wrote this grid, to rounding: names `file` and the axis that
/// differs.
void require_grid(hid_t group, const Grid& grid, const std::filesystem::path& file);

/// Equal up to rounding, relative to the length of the axis.
bool same_place(double a, double b, const std::vector<double>& faces);

} // namespace contraflow::hdf5
