#include "src/solver/initial_velocity.hpp"

#include <cmath>
#include <numbers>

namespace contraflow {

namespace {

int cells(const Grid& grid, std::size_t axis) {
  return static_cast<int>(grid.faces[axis].size()) - 1;
}

/// Whether a face has a place in the box: ghosts have none.
bool has_place(const Case& c, const Grid& grid, std::size_t component,
               const std::array<int, 3>& face) {
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    const int end = cells(grid, a) + (a == component ? 1 : 0);
    if (face[a] < 0 || face[a] >= end) return false;
  }
  return true;
}

Vec3 place_of(const Case& c, const Grid& grid, std::size_t component,
              const std::array<int, 3>& face) {
  Vec3 at{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    const auto& x = grid.faces[a];
    const auto m = static_cast<std::size_t>(face[a]);
    at[a] = a == component ? x[m] : 0.5 * (x[m] + x[m + 1]);
  }
  return at;
}

bool on_closed_side(const Case& c, const Grid& grid, std::size_t component, int face) {
  const auto closed = [&](std::size_t end) {
    const BoundaryType type = c.boundary[component][end].type;
    return type == BoundaryType::slip || type == BoundaryType::wall;
  };
  return (face == 0 && closed(0)) || (face == cells(grid, component) && closed(1));
}

double taylor_green(const Case& c, std::size_t component, const Vec3& at) {
  Vec3 wave{}, phase{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    const AxisSpec& axis = c.grid.axis[a];
    wave[a] = 2 * std::numbers::pi / (axis.high - axis.low);
    phase[a] = wave[a] * (at[a] - axis.low);
  }
  const double speed = c.flow.reference_speed * std::cos(phase[2]);
  if (component == 0) return speed * std::sin(phase[0]) * std::cos(phase[1]);
  if (component == 1) {
    return -speed * wave[0] / wave[1] * std::cos(phase[0]) * std::sin(phase[1]);
  }
  return 0;
}

double puff(const Case& c, const Vec3& at) {
  double distance = 0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    const double off = (at[a] - c.initial.perturbation_centre[a]) / c.initial.perturbation_width;
    distance += off * off;
  }
  return c.initial.perturbation * std::exp(-distance);
}

} // namespace

double initial_velocity(const Case& c, const Grid& grid, std::size_t component,
                        const std::array<int, 3>& face) {
  if (on_closed_side(c, grid, component, face[component])) return 0;
  double value = c.initial.velocity[component];
  if (!has_place(c, grid, component, face)) return value;
  const Vec3 at = place_of(c, grid, component, face);
  if (c.initial.flow == InitialFlow::taylor_green) value += taylor_green(c, component, at);
  const bool inside = face[1] > 0 && face[1] < cells(grid, 1);
  if (component == 1 && c.initial.perturbation != 0 && inside) value += puff(c, at);
  return value;
}

} // namespace contraflow
