#include "src/io/case_file.hpp"

#include "src/io/case_names.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

namespace contraflow {
namespace {

/// A double that reads back bit for bit, as a TOML number.
std::string toml_of(double x) {
  if (std::isnan(x)) return "nan";
  if (x == 0 && std::signbit(x)) return "-0.0";
  return fmt::format("{}", x);
}

std::string toml_of(long x) { return fmt::format("{}", x); }

std::string toml_of(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    const auto code = static_cast<unsigned char>(c);
    quoted += code < 32 || code == 127 ? fmt::format("\\u{:04x}", code) : std::string(1, c);
  }
  return quoted + "\"";
}

std::string toml_of(std::span<const double> list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i > 0 ? ", " : "") + toml_of(list[i]);
  return text + "]";
}

/// Lines "key = value" of a table, one after the other.
class Lines {
public:
  void header(std::string_view name) { text_ += fmt::format("\n{}\n", name); }
  template <class T> void key(std::string_view name, const T& value) {
    text_ += fmt::format("{} = {}\n", name, toml_of(value));
  }
  template <class E, std::size_t n>
  void key(std::string_view name, E value, const Named<E> (&names)[n]) {
    key(name, name_of(value, names));
  }
  void raw(std::string_view name, std::string_view value) {
    text_ += fmt::format("{} = {}\n", name, value);
  }
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

std::span<const double> entries(const Vec3& v, int dimension) {
  return {v.data(), static_cast<std::size_t>(dimension)};
}

std::string axis_text(const AxisSpec& axis) {
  const std::string ends = fmt::format("from = {}, to = {}", toml_of(axis.low), toml_of(axis.high));
  if (axis.cells > 0) return fmt::format("{{{}, cells = {}}}", ends, axis.cells);
  return fmt::format("{{{}, fine = [{}, {}], growth = [{}, {}]}}", ends, toml_of(axis.fine_low),
                     toml_of(axis.fine_high), toml_of(axis.growth_low), toml_of(axis.growth_high));
}

std::string profile_text(const BoundarySpec& side) {
  const std::size_t columns = side.position.size();
  std::string text = fmt::format(", position = {}", toml_of(side.position));
  if (side.times.empty()) return text + fmt::format(", values = {}", toml_of(side.values));
  text += fmt::format(", times = {}, values = [", toml_of(side.times));
  for (std::size_t i = 0; i < side.times.size(); ++i) {
    const auto row = std::span(side.values).subspan(i * columns, columns);
    text += (i > 0 ? ", " : "") + toml_of(row);
  }
  return text + "]";
}

std::string side_text(const BoundarySpec& side, int dimension) {
  std::string text = fmt::format("{{type = {}", toml_of(name_of(side.type, boundary_names)));
  if (side.type == BoundaryType::inflow) {
    text += fmt::format(", profile = {}", toml_of(name_of(side.profile, profile_names)));
    const bool values = side.profile == InflowProfile::values;
    text += values ? profile_text(side) : fmt::format(", speed = {}", toml_of(side.speed));
  } else if (side.type == BoundaryType::outflow) {
    text += fmt::format(", speed = {}", toml_of(side.speed));
  } else if (side.type == BoundaryType::wall) {
    text += fmt::format(", velocity = {}", toml_of(entries(side.velocity, dimension)));
  }
  return text + "}";
}

void write_domain(Lines& out, const Case& c) {
  out.header("[flow]");
  out.key("viscosity", c.flow.viscosity);
  out.key("reference_length", c.flow.reference_length);
  out.key("reference_speed", c.flow.reference_speed);
  out.key("advection", c.flow.advection, advection_names);
  out.header("[grid]");
  out.key("spacing", c.grid.spacing);
  const auto dimension = static_cast<std::size_t>(c.grid.dimension);
  for (std::size_t a = 0; a < dimension; ++a) out.raw(axis_names[a], axis_text(c.grid.axis[a]));
  out.header("[boundary]");
  for (std::size_t i = 0; i < 2 * dimension; ++i) {
    out.raw(side_names[i], side_text(c.boundary[i / 2][i % 2], c.grid.dimension));
  }
}

void write_time(Lines& out, const Case& c) {
  out.header("[time]");
  out.key("scheme", c.time.scheme, scheme_names);
  if (c.time.steps > 0) {
    out.key("steps", c.time.steps);
  } else {
    out.key("end", c.time.end);
  }
  if (c.time.step > 0) {
    out.key("step", c.time.step);
  } else {
    out.key("cfl", c.time.cfl);
  }
  if (!c.time.start_from.empty()) out.key("start_from", c.time.start_from);
  out.header("[initial]");
  out.key("velocity", entries(c.initial.velocity, c.grid.dimension));
  out.key("flow", c.initial.flow, initial_flow_names);
  out.key("perturbation", c.initial.perturbation);
  out.key("perturbation_centre", entries(c.initial.perturbation_centre, c.grid.dimension));
  out.key("perturbation_width", c.initial.perturbation_width);
}

void write_method(Lines& out, const Case& c) {
  out.header("[numerics]");
  out.key("mask_width", c.numerics.mask_width);
  out.key("relaxation_time", c.numerics.relaxation_time);
  out.header("[frozen]");
  out.key("dt", c.frozen.dt);
  out.key("steps", c.frozen.steps);
  out.key("tau", c.frozen.tau);
  out.key("mask_shift", c.frozen.mask_shift);
  out.key("robin_shift", c.frozen.robin_shift);
  out.key("smoothing_speed", c.frozen.smoothing_speed);
  out.header("[output]");
  out.key("directory", c.output.directory);
  out.key("fields_every", c.output.fields_every);
  out.key("restart_every", c.output.restart_every);
  out.key("compression", static_cast<long>(c.output.compression));
  out.key("record", c.output.record);
  out.key("average_from", c.output.average_from);
}

void write_chord(Lines& out, const BodySpec& body) {
  out.key("chord", body.scale);
  out.key("pivot", body.pivot);
}

void write_airfoil(Lines& out, const BodySpec& body) {
  if (body.kind == ShapeKind::naca4) {
    out.key("naca", body.naca);
  } else {
    out.key("file", body.file);
  }
  out.key("displacement_modes", static_cast<long>(body.displacement_modes));
  out.key("displacement", body.displacement);
  write_chord(out, body);
}

/// A harmonic motion whose numbers end in frequency and phase.
std::string wave_text(const std::string& amplitude, const std::vector<double>& numbers) {
  return fmt::format("amplitude = {}, frequency = {}, phase = {}", amplitude,
                     toml_of(numbers[numbers.size() - 2]), toml_of(numbers.back()));
}

void write_body(Lines& out, const BodySpec& body, int dimension) {
  out.header("[[body]]");
  out.key("name", body.name);
  out.key("shape", body.kind, shape_names);
  if (body.kind == ShapeKind::naca4 || body.kind == ShapeKind::airfoil_file) {
    write_airfoil(out, body);
  } else if (body.kind == ShapeKind::plate) {
    out.key("thickness", body.thickness);
    write_chord(out, body);
  } else {
    out.key("radius", body.radius);
    out.key("scale", body.scale);
  }
  if (body.kind == ShapeKind::fourier) {
    out.key("cosine", body.cosine);
    out.key("sine", body.sine);
  }
  out.key("centre", entries(body.centre, dimension));
  out.key("angle", body.angle);
  if (body.harmonic_rotation) {
    out.raw("rotation", fmt::format("{{mean = {}, {}}}", toml_of(body.rotation[0]),
                                    wave_text(toml_of(body.rotation[1]), body.rotation)));
  } else if (!body.rotation_times.empty()) {
    out.raw("rotation", fmt::format("{{times = {}, values = {}}}", toml_of(body.rotation_times),
                                    toml_of(body.rotation)));
  } else if (!body.rotation.empty()) {
    out.key("rotation", body.rotation.front());
  }
  out.key("velocity", entries(body.velocity, dimension));
  if (body.oscillation.empty()) return;
  const auto amplitude = std::span(body.oscillation).first(static_cast<std::size_t>(dimension));
  out.raw("oscillation", fmt::format("{{{}}}", wave_text(toml_of(amplitude), body.oscillation)));
}

void write_control(Lines& out, const ControlSpec& control) {
  out.header("[[control]]");
  out.key("kind", control.kind, control_names);
  if (has_body(control.kind)) out.key("body", control.body);
  if (control.kind == ControlKind::inflow) out.key("side", control.side);
  if (control.part != MotionPart::none) out.key("part", control.part, part_names);
  if (!control.lower.empty()) out.key("lower", control.lower);
  if (!control.upper.empty()) out.key("upper", control.upper);
  out.key("scale", control.scale);
}

void write_term(Lines& out, const TermSpec& term, int dimension) {
  out.key("kind", term.kind, term_names);
  if (has_body(term.kind)) out.key("body", term.body);
  out.key("weight", term.weight);
  out.raw("window", fmt::format("[{}, {}]", toml_of(term.from), toml_of(term.to)));
  out.key("weighting", term.window, window_names);
  if (term.kind != TermKind::velocity_misfit) return;
  out.raw("region",
          fmt::format("{{low = {}, high = {}}}", toml_of(entries(term.region[0], dimension)),
                      toml_of(entries(term.region[1], dimension))));
  if (term.target_file.empty()) {
    out.key("target", entries(term.target, dimension));
  } else {
    out.key("target_file", term.target_file);
  }
}

void write_problem(Lines& out, const Case& c) {
  for (const ControlSpec& control : c.controls) write_control(out, control);
  for (const TermSpec& term : c.objective) {
    out.header("[[objective]]");
    write_term(out, term, c.grid.dimension);
  }
  for (const ConstraintSpec& constraint : c.constraints) {
    out.header("[[constraint]]");
    write_term(out, constraint.term, c.grid.dimension);
    out.key(name_of(constraint.kind, constraint_names), constraint.value);
    out.key("tolerance", constraint.tolerance);
  }
  out.header("[optimizer]");
  out.key("method", c.optimiser.method, method_names);
  out.key("max_evaluations", static_cast<long>(c.optimiser.max_evaluations));
  out.key("tolerance", c.optimiser.relative_tolerance);
  out.header("[check]");
  out.key("steps", c.check.steps);
  out.key("seed", static_cast<long>(c.check.seed));
  out.header("[tape]");
  out.key("memory", c.tape.memory);
}

} // namespace

std::string write_case(const Case& c) {
  Lines out;
  out.key("title", c.title);
  out.key("precision", c.precision, precision_names);
  write_domain(out, c);
  write_time(out, c);
  write_method(out, c);
  for (const BodySpec& body : c.bodies) write_body(out, body, c.grid.dimension);
  write_problem(out, c);
  return out.text();
}

} // namespace contraflow
