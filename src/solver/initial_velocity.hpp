#pragma once

#include "contraflow/grid.hpp"
#include "src/design/case.hpp"

#include <array>

namespace contraflow {

/// A component of the velocity that a case starts from, at one of its faces, before projection: the
/// uniform flow, Taylor-Green vortices where it asks for them, and its puff of cross-flow. Zero on
/// closed sides; on ghost faces the uniform flow alone.
///
/// Taylor-Green, U the reference speed, k_a = 2 pi / length of the box along axis a, x from its low
/// corner (3D: times cos k_z z, and w = 0):
///
///   u = U sin k_x x cos k_y y        v = -U (k_x / k_y) cos k_x x sin k_y y
double initial_velocity(const Case& c, const Grid& grid, std::size_t component,
                        const std::array<int, 3>& face);

} // namespace contraflow
