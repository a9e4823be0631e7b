#include "apps/contraflow/default_problem.hpp"

namespace contraflow::app {

namespace {

ControlSpec& add(Case& c, ControlKind kind, double scale) {
  ControlSpec control;
  control.kind = kind;
  control.scale = scale;
  c.controls.push_back(control);
  return c.controls.back();
}

void add_part(Case& c, const BodySpec& body, ControlKind kind, MotionPart part, double scale) {
  ControlSpec& control = add(c, kind, scale);
  control.body = body.name;
  control.part = part;
}

void add_motion_controls(Case& c, const BodySpec& body) {
  constexpr double phase = 10; // degrees
  if (body.harmonic_rotation) {
    add_part(c, body, ControlKind::rotation, MotionPart::mean, 0.5);
    add_part(c, body, ControlKind::rotation, MotionPart::amplitude, 0.5);
    add_part(c, body, ControlKind::rotation, MotionPart::frequency, 0.1 * body.rotation[2]);
    add_part(c, body, ControlKind::rotation, MotionPart::phase, phase);
  } else if (!body.rotation.empty()) {
    add(c, ControlKind::rotation, 0.5).body = body.name;
  }
  if (body.oscillation.empty()) return;
  add_part(c, body, ControlKind::oscillation, MotionPart::amplitude, 0.1 * body.radius);
  add_part(c, body, ControlKind::oscillation, MotionPart::frequency, 0.1 * body.oscillation[3]);
  add_part(c, body, ControlKind::oscillation, MotionPart::phase, phase);
}

void add_body_controls(Case& c, const BodySpec& body) {
  const bool sheet = body.kind == ShapeKind::plate && body.thickness == 0;
  const bool bare = body.kind == ShapeKind::airfoil_file && body.displacement_modes == 0;
  const bool has_chord = body.kind == ShapeKind::airfoil_file || body.kind == ShapeKind::naca4 ||
                         body.kind == ShapeKind::plate;
  if (!sheet && !bare) {
    add(c, ControlKind::shape, has_chord ? 0.01 : 0.1 * body.radius).body = body.name;
  }
  add(c, ControlKind::position, 0.1 * c.flow.reference_length).body = body.name;
  if (has_chord) add(c, ControlKind::angle, 2).body = body.name;
  add_motion_controls(c, body);
}

void add_inflow_controls(Case& c) {
  const auto axes = static_cast<std::size_t>(c.grid.dimension);
  for (std::size_t a = 0; a < axes; ++a) {
    for (std::size_t end = 0; end < 2; ++end) {
      if (c.boundary[a][end].type != BoundaryType::inflow) continue;
      add(c, ControlKind::inflow, 0.1 * c.flow.reference_speed).side =
          std::string(1, "xyz"[a]) + (end == 0 ? "_low" : "_high");
    }
  }
}

TermSpec default_objective(const Case& c) {
  TermSpec term;
  if (!c.bodies.empty()) {
    term.body = c.bodies[0].name;
    return term;
  }
  term.kind = TermKind::velocity_misfit;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    const AxisSpec& axis = c.grid.axis[a];
    term.region[0][a] = axis.low + 0.3 * (axis.high - axis.low);
    term.region[1][a] = axis.low + 0.7 * (axis.high - axis.low);
  }
  term.target = c.initial.velocity;
  return term;
}

} // namespace

void complete_problem(Case& c) {
  if (c.controls.empty()) {
    for (const BodySpec& body : c.bodies) add_body_controls(c, body);
    add(c, ControlKind::viscosity, 0.2 * c.flow.viscosity);
    add_inflow_controls(c);
  }
  if (c.objective.empty()) c.objective.push_back(default_objective(c));
}

} // namespace contraflow::app
