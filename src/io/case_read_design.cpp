#include "src/design/shape.hpp"
#include "src/io/case_names.hpp"
#include "src/io/case_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>

namespace contraflow {
namespace {

constexpr std::size_t most_bodies = 100, most_controls = 1000, most_terms = 1000;
constexpr Limits degrees{-360, 360};
constexpr std::size_t most_modes = 100, most_bounds = 1'000'000, most_knots = 100'000;

void read_displacement(const TomlTable& t, BodySpec& body) {
  body.displacement = t.numbers("displacement", 2 * most_modes);
  const long given = static_cast<long>(body.displacement.size());
  if (given % 2 != 0) t.fail("displacement", "must have as many entries for each surface");
  body.displacement_modes =
      static_cast<int>(t.integer("displacement_modes", 0, most_modes, given / 2));
  const std::size_t needed = 2 * static_cast<std::size_t>(body.displacement_modes);
  if (given > 0 && body.displacement.size() != needed) {
    t.fail("displacement",
           fmt::format("must have {} entries (2 * displacement_modes); it has {}", needed, given));
  }
  body.displacement.resize(needed, 0);
}

void read_rotation(const TomlTable& t, BodySpec& body) {
  if (!t.has("rotation")) return;
  if (t.node("rotation")->is_number()) {
    body.rotation = {t.number("rotation", any_number)};
    return;
  }
  const toml::table* table = t.node("rotation")->as_table();
  if (table == nullptr) {
    t.fail("rotation", "must be a number, {times = [...], values = [...]} or {mean = ..., "
                       "amplitude = ..., frequency = ..., phase = ...}");
  }
  if (!table->contains("times") && !table->contains("values")) {
    const TomlTable wave = t.table("rotation", {"mean", "amplitude", "frequency", "phase"});
    body.harmonic_rotation = true;
    body.rotation = {wave.number("mean", any_number, 0), wave.number("amplitude", any_number),
                     wave.number("frequency", positive), wave.number("phase", degrees, 0)};
    return;
  }
  const TomlTable knots = t.table("rotation", {"times", "values"});
  body.rotation_times = knots.ascending("times", 1, most_knots);
  body.rotation = knots.numbers("values", most_knots);
  if (body.rotation.size() != body.rotation_times.size()) {
    knots.fail("values",
               fmt::format("must have as many entries as times ({})", body.rotation_times.size()));
  }
}

/// Travel and oscillation of the centre.
void read_travel(const TomlTable& t, int dimension, BodySpec& body) {
  body.velocity = t.vector("velocity", dimension, body.velocity);
  if (t.has("oscillation")) {
    const TomlTable wave = t.table("oscillation", {"amplitude", "frequency", "phase"});
    if (!wave.has("amplitude")) wave.fail("amplitude", "missing: how far the centre swings");
    const Vec3 amplitude = wave.vector("amplitude", dimension, {});
    body.oscillation.assign(amplitude.begin(), amplitude.end());
    body.oscillation.push_back(wave.number("frequency", positive));
    body.oscillation.push_back(wave.number("phase", degrees, 0));
    if (body.kind != ShapeKind::sphere && amplitude[2] != 0) {
      wave.fail("amplitude", "must be 0 along z, which the body reaches through");
    }
  }
  if (body.kind != ShapeKind::sphere && body.velocity[2] != 0) {
    t.fail("velocity", "must be 0 along z, which the body reaches through");
  }
}

/// Four digits; a file may leave out the quotes where the first is not 0.
std::string read_digits(const TomlTable& t) {
  const bool number = t.has("naca") && t.node("naca")->is_integer();
  const std::string digits =
      number ? fmt::format("{:04}", t.integer("naca", 0, 9999)) : t.text("naca", "0012");
  const bool good = digits.size() == 4 && digits.find_first_not_of("0123456789") == digits.npos;
  if (!good) t.fail("naca", "must be four digits in quotes, such as \"0012\"");
  return digits;
}

void read_shape(const TomlTable& t, BodySpec& body) {
  std::vector<std::string_view> keys{"name",  "shape",    "centre",   "scale",
                                     "angle", "rotation", "velocity", "oscillation"};
  const auto add = [&](std::initializer_list<std::string_view> more) {
    keys.insert(keys.end(), more);
    t.allow_only(keys, fmt::format("the shape \"{}\"", name_of(body.kind, shape_names)));
  };
  switch (body.kind) {
  case ShapeKind::circle:
  case ShapeKind::sphere:
    add({"radius"});
    break;
  case ShapeKind::fourier:
    add({"radius", "cosine", "sine"});
    break;
  case ShapeKind::plate:
    add({"thickness", "chord", "pivot"});
    body.thickness = t.number("thickness", {0, 1}, body.thickness);
    break;
  case ShapeKind::naca4:
    add({"naca", "displacement_modes", "displacement", "chord", "pivot"});
    body.naca = read_digits(t);
    break;
  case ShapeKind::airfoil_file:
    add({"file", "displacement_modes", "displacement", "chord", "pivot"});
    if (!t.has("file")) t.fail("file", "missing: the coordinates of the airfoil");
    body.file = t.file("file");
    if (body.file.empty()) t.fail("file", "must be the name of a file");
    break;
  }
  read_displacement(t, body);
  body.radius = t.number("radius", positive, body.radius);
  body.cosine = t.numbers("cosine", most_modes);
  body.sine = t.numbers("sine", most_modes);
  body.cosine.resize(std::max(body.cosine.size(), body.sine.size()), 0);
  body.sine.resize(body.cosine.size(), 0);
}

void read_place(const TomlTable& t, int dimension, BodySpec& body) {
  body.centre = t.vector("centre", dimension, body.centre);
  const std::string_view size = t.one_of({"chord", "scale"}, false);
  if (!size.empty()) body.scale = t.number(size, positive);
  body.pivot = t.number("pivot", {-10, 10}, body.pivot);
  body.angle = t.number("angle", degrees, body.angle);
  read_rotation(t, body);
  read_travel(t, dimension, body);
}

TermSpec read_term(const TomlTable& t, const Case& c, CaseUse use) {
  TermSpec term;
  term.kind = t.choice("kind", term_names);
  const std::string first = c.bodies.empty() ? term.body : c.bodies.front().name;
  if (has_body(term.kind)) {
    term.body = t.text("body", first);
  } else if (t.has("body")) {
    t.fail("body", fmt::format("has no meaning for \"{}\"", name_of(term.kind, term_names)));
  }
  term.weight = t.number("weight", any_number, 1);
  if (const auto window = t.pair("window")) {
    std::tie(term.from, term.to) = std::pair((*window)[0], (*window)[1]);
    if (term.from < 0) t.fail("window", "must not start before 0");
    if (term.to != -1 && !(term.from < term.to)) {
      t.fail("window", "must be [from, to] with from below to; to = -1 is the end of the run");
    }
  }
  term.window = t.choice("weighting", window_names, std::optional(Window::square));
  if (term.kind != TermKind::velocity_misfit) {
    for (const std::string_view key : {"region", "target", "target_file"}) {
      if (t.has(key)) t.fail(key, "has meaning only for \"velocity_misfit\"");
    }
    return term;
  }
  const TomlTable region = t.table("region", {"low", "high"});
  const auto& axis = c.grid.axis;
  const int n = c.grid.dimension;
  term.region = {region.vector("low", n, {axis[0].low, axis[1].low, n == 3 ? axis[2].low : 0}),
                 region.vector("high", n, {axis[0].high, axis[1].high, n == 3 ? axis[2].high : 0})};
  if (t.one_of({"target", "target_file"}, true) == "target") {
    term.target = t.vector("target", n, term.target);
  } else {
    term.target_file = t.file("target_file", use == CaseUse::differentiate);
    if (term.target_file.empty()) t.fail("target_file", "must be the name of a file");
  }
  return term;
}

/// The value of a term at the start, where it does not take a flow to know it.
double start_value(const TomlTable& t, std::string_view key, const TermSpec& term, const Case& c) {
  if (t.text(key) != "start") t.fail(key, "must be a number or \"start\"");
  if (term.kind != TermKind::area) t.fail(key, "\"start\" is known only for \"area\"");
  for (const BodySpec& body : c.bodies) {
    if (body.name != term.body) continue;
    const std::unique_ptr<Body> shape = make_body(body, c.grid.dimension);
    std::vector<double> d_area(static_cast<std::size_t>(shape->parameters()));
    return term.weight * shape->area(d_area);
  }
  t.fail("body", "no such body: \"" + shown_name(term.body) + "\"");
}

ConstraintSpec read_constraint(const TomlTable& t, const Case& c, CaseUse use) {
  ConstraintSpec constraint;
  constraint.term = read_term(t, c, use);
  const std::string_view relation = t.one_of({"equals", "at_least", "at_most"}, true);
  for (const Named<ConstraintKind>& named : constraint_names) {
    if (named.name == relation) constraint.kind = named.value;
  }
  constraint.value = t.node(relation)->is_string() ? start_value(t, relation, constraint.term, c)
                                                   : t.number(relation, any_number);
  constraint.tolerance = t.number("tolerance", positive, constraint.tolerance);
  return constraint;
}

} // namespace

void read_bodies(const TomlTable& root, Case& c) {
  const std::vector<TomlTable> tables =
      root.tables("body",
                  {"name", "shape", "radius", "thickness", "naca", "file", "displacement_modes",
                   "displacement", "cosine", "sine", "centre", "chord", "scale", "pivot", "angle",
                   "rotation", "velocity", "oscillation"},
                  most_bodies);
  for (const TomlTable& t : tables) {
    BodySpec body;
    body.name =
        t.text("name", c.bodies.empty() ? "body" : fmt::format("body{}", c.bodies.size() + 1));
    if (body.name.empty() || body.name.size() > 60) t.fail("name", "must have 1 to 60 characters");
    for (const BodySpec& other : c.bodies) {
      if (other.name == body.name) t.fail("name", "another body has this name");
    }
    body.kind = t.choice("shape", shape_names);
    if (body.kind == ShapeKind::sphere && c.grid.dimension == 2) {
      t.fail("shape", "needs a 3D grid (grid.z)");
    }
    read_shape(t, body);
    read_place(t, c.grid.dimension, body);
    c.bodies.push_back(body);
  }
}

void read_controls(const TomlTable& root, Case& c) {
  const std::vector<TomlTable> tables = root.tables(
      "control", {"kind", "body", "side", "part", "lower", "upper", "scale"}, most_controls);
  for (const TomlTable& t : tables) {
    ControlSpec control;
    control.kind = t.choice("kind", control_names);
    const std::string context =
        fmt::format("a control of {}", name_of(control.kind, control_names));
    if (has_part(control.kind)) {
      t.allow_only({"kind", "body", "part", "lower", "upper", "scale"}, context);
      if (t.has("part")) control.part = t.choice("part", part_names);
    } else if (has_body(control.kind)) {
      t.allow_only({"kind", "body", "lower", "upper", "scale"}, context);
    }
    if (has_body(control.kind)) {
      control.body = t.text("body", c.bodies.empty() ? control.body : c.bodies.front().name);
    } else if (control.kind == ControlKind::inflow) {
      t.allow_only({"kind", "side", "lower", "upper", "scale"}, context);
      control.side = t.text("side", control.side);
    } else {
      t.allow_only({"kind", "lower", "upper", "scale"}, context);
    }
    control.lower = t.bounds("lower", most_bounds);
    control.upper = t.bounds("upper", most_bounds);
    control.scale = t.number("scale", positive, control.scale);
    c.controls.push_back(control);
  }
}

void read_terms(const TomlTable& root, Case& c, CaseUse use) {
  std::vector<std::string_view> keys{"kind",      "body",   "weight", "window",
                                     "weighting", "region", "target", "target_file"};
  for (const TomlTable& t : root.tables("objective", keys, most_terms)) {
    c.objective.push_back(read_term(t, c, use));
  }
  keys.insert(keys.end(), {"equals", "at_least", "at_most", "tolerance"});
  for (const TomlTable& t : root.tables("constraint", keys, most_terms)) {
    c.constraints.push_back(read_constraint(t, c, use));
  }
}

void read_optimiser(const TomlTable& root, Case& c) {
  const std::string_view spelling = root.one_of({"optimizer", "optimiser"}, false);
  const TomlTable t = root.table(spelling.empty() ? "optimizer" : spelling,
                                 {"method", "max_evaluations", "tolerance"});
  OptimiserSpec& spec = c.optimiser;
  spec.method = t.choice("method", method_names, std::optional(spec.method));
  spec.max_evaluations =
      static_cast<int>(t.integer("max_evaluations", 1, 1'000'000, spec.max_evaluations));
  spec.relative_tolerance = t.number("tolerance", {0, 1}, spec.relative_tolerance);
}

} // namespace contraflow
