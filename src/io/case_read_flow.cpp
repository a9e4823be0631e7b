#include "src/io/case_names.hpp"
#include "src/io/case_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace contraflow {
namespace {

constexpr long most_steps = 1'000'000'000;
constexpr long most_axis_cells = 16384;
constexpr std::size_t most_positions = 10'000, most_times = 100'000;
constexpr Limits coordinate{-1e6, 1e6};
constexpr double default_cfl = 0.35, largest_memory = 1e16;

double largest_cfl(const Case& c) {
  return c.time.scheme == TimeScheme::heun && c.flow.advection == Advection::central ? 0.8 : 1.5;
}

AxisSpec read_axis(const TomlTable& grid, int axis) {
  const TomlTable t = grid.table(axis_names[axis], {"from", "to", "cells", "fine", "growth"}, true);
  AxisSpec spec;
  spec.low = t.number("from", coordinate);
  spec.high = t.number("to", coordinate);
  if (!(spec.low < spec.high)) t.fail("to", fmt::format("must be over from ({})", spec.low));
  if (t.has("cells")) {
    t.allow_only({"from", "to", "cells"}, "an axis of so many equal cells");
    spec.cells = static_cast<int>(t.integer("cells", 4, most_axis_cells));
    return spec;
  }
  if (!t.has("fine")) t.allow_only({"from", "to"}, "an axis without \"fine\"");
  if (const auto fine = t.pair("fine")) {
    std::tie(spec.fine_low, spec.fine_high) = std::pair((*fine)[0], (*fine)[1]);
    const bool inside = spec.low <= spec.fine_low && spec.fine_high <= spec.high;
    if (!(spec.fine_low < spec.fine_high)) t.fail("fine", "must be [from, to] with from below to");
    if (!inside) {
      t.fail("fine", fmt::format("must lie within the domain [{}, {}]", spec.low, spec.high));
    }
    const auto growth = t.pair("growth");
    if (!growth) t.fail("growth", "missing: needs [below, above] beside \"fine\"");
    for (const double g : *growth) {
      if (g < 0) t.fail("growth", "must not be negative");
      if (g > 100) t.fail("growth", "must be at most 100");
    }
    std::tie(spec.growth_low, spec.growth_high) = std::pair((*growth)[0], (*growth)[1]);
  }
  return spec;
}

/// An axis that gives neither cells nor a fine part: uniform with the grid's spacing.
void fill_cells(const TomlTable& grid, std::string_view name, double spacing, AxisSpec& axis) {
  const double count = (axis.high - axis.low) / spacing;
  const double whole = std::round(count);
  if (count > most_axis_cells) {
    grid.fail(name, fmt::format("{:.3g} cells; at most {} are allowed", count, most_axis_cells));
  }
  if (whole < 4)
    grid.fail(name, fmt::format("only {} cells of the grid's spacing; needs 4", count));
  if (std::abs(count - whole) > 1e-6 * whole) {
    grid.fail(name, fmt::format("from ... to must be a whole number of cells of {}; it is {:.6g}",
                                spacing, count));
  }
  axis.cells = static_cast<int>(whole);
}

double smallest_cell(const GridSpec& grid) {
  double smallest = INFINITY;
  for (int a = 0; a < grid.dimension; ++a) {
    const AxisSpec& axis = grid.axis[static_cast<std::size_t>(a)];
    if (axis.cells > 0) smallest = std::min(smallest, (axis.high - axis.low) / axis.cells);
  }
  return smallest;
}

void read_values(const TomlTable& t, BoundarySpec& side) {
  side.position = t.ascending("position", 2, most_positions);
  if (t.has("times")) side.times = t.ascending("times", 1, most_times);
  const bool steady = side.times.empty();
  side.values = t.matrix("values", steady ? 1 : side.times.size(), side.position.size(), steady);
}

void read_inflow(const TomlTable& t, BoundarySpec& side, double speed) {
  side.profile = t.choice("profile", profile_names, std::optional(InflowProfile::uniform));
  if (side.profile == InflowProfile::values) {
    t.allow_only({"type", "profile", "position", "times", "values"}, "an inflow of values");
    read_values(t, side);
  } else {
    t.allow_only({"type", "profile", "speed"},
                 fmt::format("a {} inflow", name_of(side.profile, profile_names)));
    side.speed = t.number("speed", positive, speed);
  }
}

BoundarySpec read_side(const TomlTable& sides, std::string_view name, const Case& c, int axis) {
  BoundarySpec side;
  const toml::node* node = sides.node(name);
  if (!node) sides.fail(name, "missing: every side needs a type");
  const double speed = c.flow.reference_speed;
  if (node->is_string()) {
    side.type = sides.choice(name, boundary_names);
    const bool flows = side.type == BoundaryType::inflow || side.type == BoundaryType::outflow;
    if (flows) side.speed = speed;
    return side;
  }
  const TomlTable t =
      sides.table(name, {"type", "profile", "speed", "position", "times", "values", "velocity"});
  side.type = t.choice("type", boundary_names);
  if (side.type == BoundaryType::inflow) {
    read_inflow(t, side, speed);
  } else if (side.type == BoundaryType::outflow) {
    t.allow_only({"type", "speed"}, "an outflow");
    side.speed = t.number("speed", positive, speed);
  } else if (side.type == BoundaryType::wall) {
    t.allow_only({"type", "velocity"}, "a wall");
    side.velocity = t.vector("velocity", c.grid.dimension, {0, 0, 0});
    if (side.velocity[static_cast<std::size_t>(axis)] != 0) {
      t.fail("velocity", "must be along the wall, not through it");
    }
  } else {
    t.allow_only({"type"}, fmt::format("a {} boundary", name_of(side.type, boundary_names)));
  }
  return side;
}

/// The mean over the side of the speed with which it blows into the box at the first instant.
double mean_speed(const BoundarySpec& side) {
  if (side.profile == InflowProfile::uniform) return side.speed;
  if (side.profile == InflowProfile::parabolic) return side.speed * 2 / 3;
  double sum = 0;
  for (std::size_t i = 0; i < side.position.size(); ++i) sum += side.values[i];
  return sum / static_cast<double>(side.position.size());
}

/// The velocity that the inflow asks for; at rest without one.
Vec3 inflow_velocity(const Case& c) {
  Vec3 velocity{0, 0, 0};
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    for (const std::size_t s : {0u, 1u}) {
      const BoundarySpec& side = c.boundary[a][s];
      if (side.type == BoundaryType::inflow) velocity[a] += (s == 0 ? 1 : -1) * mean_speed(side);
    }
  }
  return velocity;
}

/// Bytes from a number or from text such as "1.5 GiB".
double read_bytes(const TomlTable& t, std::string_view key) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"B", 1},        {"kB", 1e3},     {"MB", 1e6},     {"GB", 1e9},    {"TB", 1e12},
      {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};
  if (!t.has(key)) return 0;
  if (!t.node(key)->is_string()) return t.number(key, {0, largest_memory});
  const std::string text = t.text(key);
  const char* start = text.c_str();
  char* end = nullptr;
  const double number = std::strtod(start, &end);
  const std::string_view unit = std::string_view(end).substr(*end == ' ' ? 1 : 0);
  for (const auto& [name, bytes] : units) {
    if (end != start && unit == name && number > 0 && number * bytes <= largest_memory)
      return number * bytes;
  }
  t.fail(key, "must be a size such as \"500 MB\" or \"2 GiB\", or a number of bytes");
}

void read_frozen(const TomlTable& root, FrozenSpec& frozen) {
  const TomlTable t =
      root.table("frozen", {"dt", "steps", "tau", "mask_shift", "robin_shift", "smoothing_speed"});
  frozen.dt = t.number("dt", not_negative, 0);
  frozen.steps = t.integer("steps", 0, most_steps, 0);
  frozen.tau = t.number("tau", not_negative, 0);
  frozen.mask_shift = t.number("mask_shift", any_number, 0);
  frozen.robin_shift = t.number("robin_shift", any_number, 0);
  frozen.smoothing_speed = t.number("smoothing_speed", not_negative, 0);
}

void read_output(const TomlTable& root, OutputSpec& output) {
  const TomlTable t = root.table("output", {"directory", "fields_every", "restart_every",
                                            "compression", "record", "average_from"});
  output.directory = t.text("directory", "");
  output.fields_every = t.number("fields_every", not_negative, 0);
  output.restart_every = t.number("restart_every", not_negative, 0);
  output.compression = static_cast<int>(t.integer("compression", 0, 9, 0));
  output.record = t.file("record", false);
  output.average_from = t.number("average_from", {-1, largest_number}, -1);
}

} // namespace

void read_flow(const TomlTable& root, Case& c) {
  const TomlTable t = root.table(
      "flow", {"reynolds", "viscosity", "reference_length", "reference_speed", "advection"}, true);
  c.flow.reference_length = t.number("reference_length", positive, 1);
  c.flow.reference_speed = t.number("reference_speed", positive, 1);
  c.flow.advection = t.choice("advection", advection_names, std::optional(Advection::kappa));
  if (t.one_of({"reynolds", "viscosity"}, true) == "viscosity") {
    c.flow.viscosity = t.number("viscosity", positive);
  } else {
    const double reynolds = t.number("reynolds", positive);
    c.flow.viscosity = c.flow.reference_speed * c.flow.reference_length / reynolds;
    if (!positive.holds(c.flow.viscosity)) t.fail("reynolds", "is too small");
  }
}

void read_grid(const TomlTable& root, Case& c) {
  const TomlTable t = root.table("grid", {"spacing", "x", "y", "z"}, true);
  c.grid.dimension = t.has("z") ? 3 : 2;
  bool needs_spacing = false;
  for (int a = 0; a < c.grid.dimension; ++a) {
    AxisSpec& axis = c.grid.axis[static_cast<std::size_t>(a)];
    axis = read_axis(t, a);
    needs_spacing = needs_spacing || axis.cells == 0;
  }
  if (needs_spacing || t.has("spacing")) {
    c.grid.spacing = t.number("spacing", positive);
  } else {
    c.grid.spacing = smallest_cell(c.grid);
  }
  for (int a = 0; a < c.grid.dimension; ++a) {
    AxisSpec& axis = c.grid.axis[static_cast<std::size_t>(a)];
    const bool plain = axis.cells == 0 && axis.fine_low == axis.fine_high;
    if (plain) fill_cells(t, axis_names[a], c.grid.spacing, axis);
  }
}

void read_boundaries(const TomlTable& root, Case& c) {
  const int sides = 2 * c.grid.dimension;
  std::vector<std::string_view> names(side_names, side_names + 6);
  const TomlTable t = root.table("boundary", names, true);
  for (int i = 0; i < 6; ++i) {
    if (i >= sides) {
      if (t.has(side_names[i])) t.fail(side_names[i], "only a 3D case, with grid.z, has this side");
      continue;
    }
    c.boundary[static_cast<std::size_t>(i / 2)][static_cast<std::size_t>(i % 2)] =
        read_side(t, side_names[i], c, i / 2);
  }
}

void read_time(const TomlTable& root, Case& c) {
  const TomlTable t =
      root.table("time", {"scheme", "end", "steps", "cfl", "step", "start_from"}, true);
  c.time.scheme = t.choice("scheme", scheme_names, std::optional(TimeScheme::heun));
  if (t.one_of({"end", "steps"}, true) == "end") {
    c.time.end = t.number("end", positive);
  } else {
    c.time.steps = t.integer("steps", 1, most_steps);
  }
  if (t.one_of({"cfl", "step"}, false) == "step") {
    c.time.step = t.number("step", positive);
  } else {
    c.time.cfl = t.number("cfl", {0, largest_cfl(c), true}, default_cfl);
  }
  c.time.start_from = t.file("start_from");
  const double h = c.grid.spacing;
  const double viscous = h * h / (2 * c.grid.dimension * c.flow.viscosity);
  const double dt =
      c.time.step > 0 ? c.time.step : std::min(c.time.cfl * h / c.flow.reference_speed, viscous);
  if (c.time.steps == 0 && c.time.end / dt > most_steps) {
    t.fail("end", fmt::format("{:.2g} steps of {:.3g}; at most {} are allowed", c.time.end / dt, dt,
                              most_steps));
  }
}

void read_initial(const TomlTable& root, Case& c) {
  const TomlTable t = root.table(
      "initial", {"velocity", "flow", "perturbation", "perturbation_centre", "perturbation_width"});
  InitialSpec& initial = c.initial;
  initial.velocity = t.vector("velocity", c.grid.dimension, inflow_velocity(c));
  initial.flow = t.choice("flow", initial_flow_names, std::optional(InitialFlow::uniform));
  initial.perturbation = t.number("perturbation", any_number, initial.perturbation);
  initial.perturbation_centre =
      t.vector("perturbation_centre", c.grid.dimension, initial.perturbation_centre);
  initial.perturbation_width = t.number("perturbation_width", positive, initial.perturbation_width);
}

void read_method(const TomlTable& root, Case& c) {
  const TomlTable numerics = root.table("numerics", {"mask_width", "relaxation_time"});
  c.numerics.mask_width = numerics.number("mask_width", {1, 4}, c.numerics.mask_width);
  c.numerics.relaxation_time =
      numerics.number("relaxation_time", {0, 1e3, true}, c.numerics.relaxation_time);
  read_frozen(root, c.frozen);
  read_output(root, c.output);
  const TomlTable check = root.table("check", {"steps", "seed"});
  c.check.steps = check.integer("steps", 1, 1'000'000, c.check.steps);
  c.check.seed = static_cast<unsigned>(check.integer("seed", 0, 4294967295L, c.check.seed));
  c.tape.memory = read_bytes(root.table("tape", {"memory"}), "memory");
}

} // namespace contraflow
