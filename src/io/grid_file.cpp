#include "src/io/grid_file.hpp"

#include "contraflow/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace contraflow::hdf5 {

namespace {

std::string faces_name(std::size_t axis) { return std::string("faces_") + "xyz"[axis]; }

/// In what way the two differ along an axis; empty if they do not.
std::string difference(const std::vector<double>& stored, const std::vector<double>& wanted) {
  if (stored.size() != wanted.size()) {
    return fmt::format("has {} cells, the case {}", stored.size() - 1, wanted.size() - 1);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (same_place(stored[i], wanted[i], wanted)) continue;
    return fmt::format("has face {} at {:.17g}, the case at {:.17g}", i, stored[i], wanted[i]);
  }
  return {};
}

} // namespace

bool same_place(double a, double b, const std::vector<double>& faces) {
  const double first = faces.front(), last = faces.back();
  const double scale = std::max({std::abs(first), std::abs(last), std::abs(last - first)});
  return std::abs(a - b) <= 1e-12 * scale;
}

void write_grid(hid_t group, const Grid& grid) {
  write_attribute(group, "dimension", std::vector<std::int64_t>{grid.dimension});
  for (std::size_t a = 0; a < 3; ++a) {
    write_array(group, faces_name(a), {grid.faces[a].size()}, std::span(grid.faces[a]));
  }
}

void require_grid(hid_t group, const Grid& grid, const std::filesystem::path& file) {
  const std::string what = fmt::format("{} is of another grid: ", file.string());
  const std::int64_t dimension = read_integer(group, "dimension");
  if (dimension != grid.dimension) {
    throw CaseError(
        fmt::format("{}it has {} dimensions, the case {}", what, dimension, grid.dimension));
  }
  for (std::size_t a = 0; a < 3; ++a) {
    const Array stored = read_array(group, faces_name(a));
    if (stored.full.empty()) throw FileError(faces_name(a) + ": not a list of doubles");
    const std::string found = difference(stored.full, grid.faces[a]);
    if (!found.empty()) throw CaseError(fmt::format("{}along {} it {}", what, "xyz"[a], found));
  }
}

} // namespace contraflow::hdf5
