#include "src/solver/freeze.hpp"

#include "contraflow/error.hpp"
#include "src/solver/grid.hpp"
#include "src/solver/mask_shift.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace contraflow {

namespace {

/// 1/h per axis, h the smallest cell.
std::array<double, 3> finest(const Grid& grid) {
  std::array<double, 3> inverse{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimension); ++a) {
    for (std::size_t n = 1; n < grid.faces[a].size(); ++n) {
      inverse[a] = std::max(inverse[a], 1 / (grid.faces[a][n] - grid.faces[a][n - 1]));
    }
  }
  return inverse;
}

/// Largest speed of the surface by spin, and of the centre by its travel.
std::array<double, 2> body_speeds(const BodySpec& body) {
  double spin = 0, travel = 0;
  if (body.harmonic_rotation) {
    spin = std::abs(body.rotation[0]) + std::abs(body.rotation[1]);
  } else {
    for (double rate : body.rotation) spin = std::max(spin, std::abs(rate));
  }
  const std::vector<double>& wave = body.oscillation;
  for (std::size_t a = 0; a < 3; ++a) {
    const double swing = wave.empty() ? 0 : 2 * std::acos(-1.0) * wave[3] * std::abs(wave[a]);
    travel = std::max(travel, std::abs(body.velocity[a]) + swing);
  }
  return {spin * body.radius * body.scale, travel};
}

/// Fastest flow that the step must bear, over the reference speed: the flow around a body, and what
/// moves.
double peak_speed(const Case& c) {
  double stream = 0;
  for (const auto& axis : c.boundary) {
    for (const BoundarySpec& side : axis) {
      if (side.type == BoundaryType::inflow) {
        const auto fastest = side.profile == InflowProfile::values
                                 ? *std::max_element(side.values.begin(), side.values.end())
                                 : side.speed;
        stream = std::max(stream, std::abs(fastest));
      }
      if (side.type == BoundaryType::wall) {
        for (double speed : side.velocity) stream = std::max(stream, std::abs(speed));
      }
    }
  }
  double spin = 0, travel = 0;
  for (const BodySpec& body : c.bodies) {
    const std::array<double, 2> speeds = body_speeds(body);
    spin = std::max(spin, speeds[0]);
    travel = std::max(travel, speeds[1]);
  }
  const double peak = std::max(c.flow.reference_speed, stream + travel);
  return c.bodies.empty() ? peak : 2 * peak + spin;
}

/// How far the time scheme is stable along the negative real axis.
double real_reach(TimeScheme scheme) { return scheme == TimeScheme::heun ? 2 : 2.5; }

/// dt at which 4 nu dt sum 1/h^2 + 4/3 CFL reaches that far, CFL of a flow of `speed` along the
/// finest axis.
double stable_step(const Case& c, const std::array<double, 3>& inverse, double speed) {
  double diffusion = 0, fastest = 0;
  for (double one_over_h : inverse) {
    diffusion += 4 * c.flow.viscosity * one_over_h * one_over_h;
    fastest = std::max(fastest, one_over_h);
  }
  return real_reach(c.time.scheme) / (diffusion + 4.0 / 3 * speed * fastest);
}

double choose_step(const Case& c, const Grid& grid, double tau) {
  const std::array<double, 3> inverse = finest(grid);
  const double fastest = *std::max_element(inverse.begin(), inverse.end());
  const double bearable = 0.95 * stable_step(c, inverse, peak_speed(c));
  double dt = c.time.step;
  if (dt <= 0 && c.time.cfl > 0) {
    dt = std::min(c.time.cfl / (fastest * c.flow.reference_speed), bearable);
  }
  if (dt <= 0) dt = std::min(bearable, tau);
  return dt;
}

/// Convection out of the domain takes an upwind difference over the last cell, whose eigenvalue is
/// the negative Courant number.
void require_stable_outflow(const Case& c, const Grid& grid, double dt) {
  const double cells = real_reach(c.time.scheme);
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimension); ++a) {
    const std::vector<double>& faces = grid.faces[a];
    const double last[2] = {faces[1] - faces[0], faces.back() - faces[faces.size() - 2]};
    for (std::size_t end = 0; end < 2; ++end) {
      const BoundarySpec& side = c.boundary[a][end];
      if (side.type != BoundaryType::outflow || side.speed * dt <= cells * last[end]) continue;
      throw CaseError{
          fmt::format("{}: boundary.{}_{}.speed = {:g}: in a time step of {:g} the flow "
                      "would leave by more than {:g} times the last cell, which is {:g} wide; at "
                      "most {:g} is allowed",
                      c.path, "xyz"[a], end == 0 ? "low" : "high", side.speed, dt, cells, last[end],
                      cells * last[end] / dt)};
    }
  }
}

/// `key`: what set the time step.
void require_stable(const Case& c, const Grid& grid, const char* key) {
  const double dt = c.frozen.dt, tau = c.frozen.tau;
  const double limit = stable_step(c, finest(grid), c.flow.reference_speed);
  if (dt > limit * (1 + 1e-12)) {
    throw CaseError{fmt::format("{}: {} = {:g}: above the stability limit {:g} of this grid, "
                                "viscosity and speed; leave it out to have it chosen",
                                c.path, key, dt, limit)};
  }
  if (!c.bodies.empty() && dt > tau * (1 + 1e-12)) {
    throw CaseError{
        fmt::format("{}: time step {:g} exceeds the relaxation time of the body {:g} "
                    "(numerics.relaxation_time h/U); choose time.cfl or time.step smaller",
                    c.path, dt, tau)};
  }
  require_stable_outflow(c, grid, dt);
}

} // namespace

void freeze_constants(Case& c) {
  const Grid grid = make_grid(c.grid);
  FrozenSpec& frozen = c.frozen;
  const double h = grid.spacing, speed = c.flow.reference_speed;
  if (frozen.tau <= 0) frozen.tau = c.numerics.relaxation_time * h / speed;
  const char* set_by = frozen.dt > 0 ? "frozen.dt" : "time.step";
  if (frozen.dt <= 0) {
    frozen.dt = choose_step(c, grid, frozen.tau);
    if (c.time.steps <= 0) { // the run ends on a step
      const double count = std::ceil(c.time.end / frozen.dt - 1e-9);
      if (count > 1e9) {
        throw CaseError{fmt::format("{}: time.end = {:g}: more than 1e9 steps of {:g}", c.path,
                                    c.time.end, frozen.dt)};
      }
      frozen.steps = std::max(1L, static_cast<long>(count));
      if (c.time.step <= 0) frozen.dt = c.time.end / static_cast<double>(frozen.steps);
    } else {
      frozen.steps = c.time.steps;
    }
  }
  require_stable(c, grid, set_by);
  const double lambda = c.flow.viscosity * frozen.tau / (h * h);
  if (frozen.mask_shift == 0) frozen.mask_shift = bdim_shift(lambda, c.numerics.mask_width);
  if (frozen.robin_shift == 0) frozen.robin_shift = robin_shift(lambda);
  if (frozen.smoothing_speed <= 0) frozen.smoothing_speed = 0.05 * speed;
}

} // namespace contraflow
