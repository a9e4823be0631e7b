#include "src/io/case_names.hpp"
#include "src/io/case_sections.hpp"

#include "src/design/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace contraflow {
namespace {

std::optional<std::size_t> body_index(const Case& c, const std::string& name) {
  for (std::size_t i = 0; i < c.bodies.size(); ++i) {
    if (c.bodies[i].name == name) return i;
  }
  return {};
}

std::string body_names(const Case& c) {
  std::vector<std::string_view> names;
  for (const BodySpec& body : c.bodies) names.push_back(body.name);
  return names.empty() ? "the case has no [[body]]"
                       : "the case has " + shown_name(listed_names(names, "and"));
}

std::size_t needed_body(const Case& c, const TomlFile& file, const std::string& path,
                        const std::string& name) {
  const std::optional<std::size_t> index = body_index(c, name);
  if (!index) {
    file.fail(path + ".body", fmt::format("no body \"{}\"; {}", shown_name(name), body_names(c)));
  }
  return *index;
}

std::vector<double> shape_start(const Case& c, const TomlFile& file, const std::string& path,
                                const BodySpec& spec) {
  const std::unique_ptr<Body> body = make_body(spec, c.grid.dimension);
  if (body->shape_parameters() == 0) {
    const bool airfoil = spec.kind == ShapeKind::airfoil_file;
    file.fail(path + ".kind",
              fmt::format("the body \"{}\" has no shape parameters{}", shown_name(spec.name),
                          airfoil ? ": give it displacement_modes" : ""));
  }
  std::vector<double> values = body->values();
  values.resize(static_cast<std::size_t>(body->shape_parameters()));
  return values;
}

std::vector<double> inflow_start(const Case& c, const TomlFile& file, const std::string& path,
                                 const std::string& name) {
  const int side = side_index(name, c.grid.dimension);
  if (side < 0) {
    const std::vector<std::string_view> sides(side_names, side_names + 2 * c.grid.dimension);
    file.fail(path + ".side", "must be " + listed_names(sides));
  }
  const auto at = static_cast<std::size_t>(side);
  const BoundarySpec& boundary = c.boundary[at / 2][at % 2];
  const bool values =
      boundary.type == BoundaryType::inflow && boundary.profile == InflowProfile::values;
  if (!values) {
    file.fail(path + ".side", fmt::format("boundary.{} must be an inflow with profile = \"values\"",
                                          side_names[side]));
  }
  return boundary.values;
}

std::vector<double> oscillation_start(const Case& c, const TomlFile& file, const std::string& path,
                                      const BodySpec& body, MotionPart part) {
  if (body.oscillation.empty()) {
    file.fail(path + ".kind", fmt::format("the body \"{}\" must have an oscillation to start from",
                                          shown_name(body.name)));
  }
  if (part == MotionPart::none || part == MotionPart::mean) {
    file.fail(path + (part == MotionPart::none ? "" : ".part"),
              "an oscillation needs part = \"amplitude\", \"frequency\" or \"phase\"");
  }
  if (part != MotionPart::amplitude) return {body.oscillation[static_cast<std::size_t>(part)]};
  return {body.oscillation.begin(),
          body.oscillation.begin() + make_body(body, c.grid.dimension)->dimension()};
}

/// The values that a control has at the start; empty for the initial state, which is a field.
std::vector<double> start_of(const Case& c, const TomlFile& file, const std::string& path,
                             const ControlSpec& control) {
  if (control.kind == ControlKind::inflow) return inflow_start(c, file, path, control.side);
  if (control.kind == ControlKind::viscosity) return {c.flow.viscosity};
  if (control.kind == ControlKind::initial) return {};
  const BodySpec& body = c.bodies[needed_body(c, file, path, control.body)];
  switch (control.kind) {
  case ControlKind::shape:
    return shape_start(c, file, path, body);
  case ControlKind::position:
    return {body.centre.begin(),
            body.centre.begin() + make_body(body, c.grid.dimension)->dimension()};
  case ControlKind::angle:
    return {body.angle};
  case ControlKind::scale:
    return {body.scale};
  case ControlKind::oscillation:
    return oscillation_start(c, file, path, body, control.part);
  default:
    break;
  }
  if (body.harmonic_rotation != (control.part != MotionPart::none)) {
    file.fail(path + (body.harmonic_rotation ? "" : ".part"),
              body.harmonic_rotation
                  ? "needs part = \"mean\", \"amplitude\", \"frequency\" or \"phase\": the "
                    "rotation is harmonic"
                  : "the rotation is not harmonic: it has no such part");
  }
  if (body.harmonic_rotation) {
    return {body.rotation[static_cast<std::size_t>(control.part) - 1]};
  }
  if (body.rotation.empty()) {
    file.fail(path + ".kind", fmt::format("the body \"{}\" must have a rotation to start from, "
                                          "such as rotation = 0",
                                          shown_name(body.name)));
  }
  return body.rotation;
}

double bound(const std::vector<double>& list, std::size_t i, double none) {
  return list.empty() ? none : list[list.size() == 1 ? 0 : i];
}

void check_bounds(const TomlFile& file, const std::string& path, const ControlSpec& control,
                  const std::vector<double>& start) {
  const std::size_t n = std::max<std::size_t>(1, start.size());
  for (const auto* list : {&control.lower, &control.upper}) {
    if (list->size() > 1 && list->size() != n) {
      file.fail(path + (list == &control.lower ? ".lower" : ".upper"),
                fmt::format("must be one number or {}", n));
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double low = bound(control.lower, i, -INFINITY), high = bound(control.upper, i, INFINITY);
    if (low > high) file.fail(path + ".lower", fmt::format("must not be over upper ({})", high));
    if (start.empty()) continue;
    const double x = start[i];
    if (x < low) file.fail(path + ".lower", fmt::format("the start, {:.6g}, must not be below", x));
    if (x > high) file.fail(path + ".upper", fmt::format("the start, {:.6g}, must not be over", x));
  }
}

/// Bounds that let a control leave what makes sense at all.
void check_sense(const TomlFile& file, const std::string& path, const ControlSpec& control) {
  const bool positive_only = control.kind == ControlKind::viscosity ||
                             control.kind == ControlKind::scale ||
                             control.part == MotionPart::frequency;
  if (!positive_only || control.lower.empty()) return;
  if (!(control.lower.front() > 0)) file.fail(path + ".lower", "must be positive");
}

void check_control(const Case& c, const TomlFile& file, std::size_t i) {
  const ControlSpec& control = c.controls[i];
  const std::string path = fmt::format("control.{}", i);
  check_bounds(file, path, control, start_of(c, file, path, control));
  check_sense(file, path, control);
  for (std::size_t k = 0; k < i; ++k) {
    const ControlSpec& other = c.controls[k];
    const bool same = other.kind == control.kind && other.body == control.body &&
                      other.side == control.side && other.part == control.part;
    if (same) file.fail(path, fmt::format("the same control as control.{}", k));
  }
}

void check_region(const Case& c, const TomlFile& file, const TermSpec& term,
                  const std::string& path) {
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    const double low = term.region[0][a], high = term.region[1][a];
    const AxisSpec& axis = c.grid.axis[a];
    if (!(low < high)) file.fail(path + ".region", "low must be below high on every axis");
    if (low < axis.low || high > axis.high) {
      file.fail(path + ".region", fmt::format("must lie within the domain, {} in [{}, {}]",
                                              axis_names[a], axis.low, axis.high));
    }
  }
}

void check_term(const Case& c, const TomlFile& file, const TermSpec& term,
                const std::string& path) {
  if (has_body(term.kind)) needed_body(c, file, path, term.body);
  if (term.kind == TermKind::velocity_misfit) check_region(c, file, term, path);
  const double end = end_of(c);
  if (term.to > end * (1 + 1e-9) || term.from >= end) {
    file.fail(path + ".window", fmt::format("must lie within the run, [0, {:.6g}]", end));
  }
}

void check_method(const Case& c, const TomlFile& file) {
  if (c.objective.empty() && !c.constraints.empty()) {
    file.fail("constraint", "needs an [[objective]] beside it");
  }
  const OptimiserMethod method = c.optimiser.method;
  if (method == OptimiserMethod::slsqp) return;
  for (std::size_t i = 0; i < c.constraints.size(); ++i) {
    const std::string path = fmt::format("constraint.{}", i);
    if (method == OptimiserMethod::lbfgs) {
      file.fail(path, "the optimizer's method \"lbfgs\" takes no constraints, only bounds; "
                      "use \"slsqp\" or \"mma\"");
    }
    if (c.constraints[i].kind == ConstraintKind::equal) {
      file.fail(path + ".equals",
                "the optimizer's method \"mma\" takes no equality constraints; use \"slsqp\"");
    }
  }
}

} // namespace

void check_design(const Case& c, const TomlFile& file) {
  for (std::size_t i = 0; i < c.controls.size(); ++i) check_control(c, file, i);
  for (std::size_t i = 0; i < c.objective.size(); ++i) {
    check_term(c, file, c.objective[i], fmt::format("objective.{}", i));
  }
  for (std::size_t i = 0; i < c.constraints.size(); ++i) {
    check_term(c, file, c.constraints[i].term, fmt::format("constraint.{}", i));
  }
  check_method(c, file);
}

} // namespace contraflow
