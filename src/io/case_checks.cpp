#include "src/io/case_names.hpp"
#include "src/io/case_sections.hpp"

#include "contraflow/error.hpp"
#include "src/design/motion.hpp"
#include "src/design/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace contraflow {
namespace {

constexpr double most_cells = 512e6;
constexpr double least_cells_per_body = 8;
constexpr int outline_points = 256;

std::string side_path(std::size_t axis, std::size_t end) {
  return fmt::format("boundary.{}", side_names[2 * axis + end]);
}

void check_boundaries(const Case& c, const TomlFile& file) {
  std::string inflow, outflow;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    const auto& [low, high] = c.boundary[a];
    const bool periodic = low.type == BoundaryType::periodic;
    if (periodic != (high.type == BoundaryType::periodic)) {
      file.fail(side_path(a, periodic ? 1 : 0),
                "must be \"periodic\" too, as the opposite side is");
    }
    if (periodic && c.grid.axis[a].cells == 0) {
      file.fail(fmt::format("grid.{}", axis_names[a]), "a periodic axis must be uniform");
    }
    for (const std::size_t end : {0u, 1u}) {
      if (c.boundary[a][end].type == BoundaryType::inflow) inflow = side_path(a, end);
      if (c.boundary[a][end].type == BoundaryType::outflow) outflow = side_path(a, end);
    }
  }
  if (!inflow.empty() && outflow.empty()) {
    file.fail(inflow, "what flows in must flow out: some side must be \"outflow\"");
  }
  if (inflow.empty() && !outflow.empty()) {
    file.fail(outflow, "nothing flows in: some side must be \"inflow\"");
  }
}

/// Taylor-Green vortices are a flow of periodic boxes and of boxes with slip walls.
void check_initial(const Case& c, const TomlFile& file) {
  if (c.initial.flow != InitialFlow::taylor_green) return;
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(c.grid.dimension); ++i) {
    const BoundaryType type = c.boundary[i / 2][i % 2].type;
    if (type == BoundaryType::periodic || type == BoundaryType::slip) continue;
    file.fail("initial.flow",
              fmt::format("\"taylor_green\" needs a box whose sides are \"periodic\" or \"slip\"; "
                          "{} is \"{}\"",
                          side_path(i / 2, i % 2), name_of(type, boundary_names)));
  }
}

void check_positions(const Case& c, const TomlFile& file) {
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    const AxisSpec& along = c.grid.axis[a == 0 ? 1 : 0];
    for (const std::size_t end : {0u, 1u}) {
      const std::vector<double>& position = c.boundary[a][end].position;
      if (position.empty()) continue;
      if (position.front() < along.low || position.back() > along.high) {
        file.fail(side_path(a, end) + ".position",
                  fmt::format("must lie within the side, [{}, {}]", along.low, along.high));
      }
    }
  }
}

double cells_of(const AxisSpec& axis, double h) {
  if (axis.cells > 0) return axis.cells;
  const auto side = [h](double length, double growth) {
    return growth > 0 ? std::log1p(growth * length) / (growth * h) : length / h;
  };
  return (axis.fine_high - axis.fine_low) / h + side(axis.fine_low - axis.low, axis.growth_low) +
         side(axis.high - axis.fine_high, axis.growth_high);
}

/// A side of the fine part that does not grow must be a whole number of cells.
void check_plain_side(const TomlFile& file, std::size_t a, double length, double h) {
  const double cells = length / h;
  if (std::abs(cells - std::round(cells)) <= 1e-6) return;
  file.fail(
      fmt::format("grid.{}.growth", axis_names[a]),
      fmt::format("0 needs a whole number of cells of {} beside \"fine\", not {:.6g}", h, cells));
}

void check_growth(const Case& c, const TomlFile& file, std::size_t a) {
  const AxisSpec& axis = c.grid.axis[a];
  const double h = c.grid.spacing;
  if (axis.cells > 0) return;
  const double fine = std::ceil((axis.fine_high - axis.fine_low) / h - 1e-9) * h;
  const double fine_high = axis.fine_low + fine;
  if (fine_high > axis.high + 1e-6 * h) {
    file.fail(
        fmt::format("grid.{}.fine", axis_names[a]),
        fmt::format("in whole cells of {:.6g} it ends at {:.6g}, past the domain's end {:.6g}", h,
                    fine_high, axis.high));
  }
  if (axis.growth_low == 0) check_plain_side(file, a, axis.fine_low - axis.low, h);
  if (axis.growth_high == 0) check_plain_side(file, a, axis.high - fine_high, h);
}

void check_grid(const Case& c, const TomlFile& file) {
  double total = 1;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    const double cells = cells_of(c.grid.axis[a], c.grid.spacing);
    const std::string path = fmt::format("grid.{}", axis_names[a]);
    if (cells > 16384) file.fail(path, fmt::format("about {:.3g} cells; at most 16384", cells));
    if (cells < 4) file.fail(path, fmt::format("about {:.2g} cells; at least 4", cells));
    check_growth(c, file, a);
    total *= cells;
  }
  if (total > most_cells) {
    file.fail("grid", fmt::format("about {:.3g} cells; at most 512 million are allowed", total));
  }
}

void check_step(const Case& c, const TomlFile& file) {
  const double h = c.grid.spacing, dt = c.time.step, speed = c.flow.reference_speed;
  if (dt == 0) return;
  const double tau = c.numerics.relaxation_time * h / speed;
  const double viscous = h * h / (2 * c.grid.dimension * c.flow.viscosity);
  if (!c.bodies.empty() && dt > tau) {
    file.fail("time.step",
              fmt::format("must be at most the relaxation time of bodies, {:.6g}", tau));
  }
  if (dt > viscous) {
    file.fail("time.step",
              fmt::format("unstable: must be at most {:.6g}, the viscous limit", viscous));
  }
  if (dt * speed > 1.5 * h) {
    file.fail("time.step",
              fmt::format("unstable: must be at most {:.6g} (1.5 cells)", 1.5 * h / speed));
  }
}

// Bodies.

std::unique_ptr<Body> built(const Case& c, std::size_t i, const TomlFile& file) {
  const BodySpec& spec = c.bodies[i];
  try {
    return make_body(spec, c.grid.dimension);
  } catch (const Error& error) {
    const bool named = !spec.file.empty();
    file.fail(fmt::format("body.{}.{}", i, named ? "file" : "shape"), error.what());
  }
}

/// How many axes a body has a place in: a 2D shape in a 3D grid reaches through it.
std::size_t axes_of(const Body& body) { return static_cast<std::size_t>(body.dimension()); }

void check_axis(const Case& c, const TomlFile& file, const std::string& path, std::size_t a,
                double low, double high) {
  const AxisSpec& axis = c.grid.axis[a];
  const double h = c.grid.spacing, margin = (c.numerics.mask_width + 1.5) * h;
  if (!(low - margin >= axis.low && high + margin <= axis.high)) {
    file.fail(path,
              fmt::format("reaches from {0}={1:.6g} to {2:.6g}: it must stay {3:.6g} ({6:.3g} "
                          "cells) clear of the boundaries at {4:.6g} and {5:.6g}",
                          axis_names[a], low, high, margin, axis.low, axis.high, margin / h));
  }
  if (axis.cells > 0) {
    const double width = (axis.high - axis.low) / axis.cells;
    if (std::abs(width / h - 1) > 1e-6) {
      file.fail(fmt::format("grid.{}", axis_names[a]),
                fmt::format("cells of {:.6g} where a body needs square ones of {:.6g}", width, h));
    }
  } else if (!(axis.fine_low <= low - margin && axis.fine_high >= high + margin)) {
    file.fail(fmt::format("grid.{}.fine", axis_names[a]),
              fmt::format("must cover [{:.6g}, {:.6g}]: {} and {:.3g} cells around it",
                          low - margin, high + margin, path, margin / h));
  }
}

/// The displacements of body i seen from body k over the run, close enough to each other.
std::vector<Vec3> approaches(const Case& c, std::size_t i, std::size_t k) {
  const BodySpec &seen = c.bodies[i], &from = c.bodies[k];
  const std::vector<double> a = oscillation_values(seen), b = oscillation_values(from);
  const bool still = !travels(seen) && !travels(from);
  const int instants = still || std::isinf(end_of(c)) ? 0 : 200;
  std::vector<Vec3> approaches;
  for (int n = 0; n <= instants; ++n) {
    const double time = n == 0 ? 0 : end_of(c) * n / instants;
    const Vec3 x = displacement_at(seen, a, time), y = displacement_at(from, b, time);
    approaches.push_back({x[0] - y[0], x[1] - y[1], x[2] - y[2]});
  }
  return approaches;
}

bool come_closer(const std::vector<Vec3>& outline, const Vec3& by, const Body& other, double gap) {
  return std::any_of(outline.begin(), outline.end(), [&](const Vec3& x) {
    return other.closest({x[0] + by[0], x[1] + by[1], x[2] + by[2]}).distance < gap;
  });
}

void check_apart(const Case& c, const TomlFile& file,
                 const std::vector<std::unique_ptr<Body>>& bodies) {
  const double gap = 2 * (c.numerics.mask_width + 0.5) * c.grid.spacing;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const std::vector<Vec3> outline = bodies[i]->outline(outline_points);
    for (std::size_t k = 0; k < i; ++k) {
      for (const Vec3& by : approaches(c, i, k)) {
        if (!come_closer(outline, by, *bodies[k], gap)) continue;
        file.fail(fmt::format("body.{}", i),
                  fmt::format("must stay {:.6g} clear of body.{} (\"{}\")", gap, k,
                              shown_name(c.bodies[k].name)));
      }
    }
  }
}

} // namespace

void check_case(const Case& c, const TomlFile& file) {
  check_boundaries(c, file);
  check_initial(c, file);
  check_positions(c, file);
  check_grid(c, file);
  check_step(c, file);
  if (c.output.average_from >= end_of(c)) {
    file.fail("output.average_from",
              fmt::format("must be before the end of the run, {:.6g}", end_of(c)));
  }
}

void check_bodies(const Case& c, const TomlFile& file) {
  std::vector<std::unique_ptr<Body>> bodies;
  for (std::size_t i = 0; i < c.bodies.size(); ++i) {
    const std::string path = fmt::format("body.{}", i);
    bodies.push_back(built(c, i, file));
    const auto [low, high] = bodies.back()->bounds();
    const double length = std::max(high[0] - low[0], high[1] - low[1]);
    if (!(length >= least_cells_per_body * c.grid.spacing)) {
      file.fail("grid.spacing", fmt::format("{:.3g} cells along {} (\"{}\"); needs at least {}",
                                            length / c.grid.spacing, path,
                                            shown_name(c.bodies[i].name), least_cells_per_body));
    }
    const BodySpec& spec = c.bodies[i];
    const char* by = !spec.oscillation.empty() ? ".oscillation" : travels(spec) ? ".velocity" : "";
    const auto [back, forth] = sweep_of(spec, end_of(c));
    for (std::size_t a = 0; a < axes_of(*bodies.back()); ++a) {
      check_axis(c, file, path + by, a, low[a] + back[a], high[a] + forth[a]);
    }
  }
  check_apart(c, file, bodies);
}

} // namespace contraflow
