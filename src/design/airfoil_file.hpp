#pragma once

#include "src/design/curve.hpp"

namespace contraflow {

/// Points of an airfoil from its trailing edge over the upper surface and back below: the first and
/// the last are (1, 0), the foremost has x = 0.
struct AirfoilPoints {
  std::vector<Vec2> points;
  std::size_t leading_edge = 0; ///< index of the point with the smallest x
};

/// Reads an airfoil in Selig order (one loop from the trailing edge) or Lednicer order (leading to
/// trailing edge, upper then lower surface, with or without the line of counts). Header and blank
/// lines, commas and CR LF are tolerated; a loop that runs clockwise is turned round. An open
/// trailing edge is closed by moving both surfaces to its middle, linearly in x; a chord is moved
/// and scaled but not rotated. Throws CaseError naming file and line.
AirfoilPoints read_airfoil(const std::string& path);

} // namespace contraflow
