#pragma once

#include "src/solver/freeze.hpp"
#include "src/solver/wind_tunnel.hpp"

#include <memory>
#include <string>

namespace contraflow::test {

inline BoundarySpec side(BoundaryType type, double speed = 1) {
  BoundarySpec spec;
  spec.type = type;
  spec.speed = speed;
  return spec;
}

inline AxisSpec uniform_axis(double low, double high, int cells) {
  AxisSpec axis;
  axis.low = low;
  axis.high = high;
  axis.cells = cells;
  return axis;
}

/// Spacing h on [fine_low, fine_high], growing outside.
inline AxisSpec stretched_axis(double low, double fine_low, double fine_high, double high) {
  AxisSpec axis;
  axis.low = low;
  axis.high = high;
  axis.fine_low = fine_low;
  axis.fine_high = fine_high;
  axis.growth_low = 1.5;
  axis.growth_high = 0.9;
  return axis;
}

inline BodySpec circle(const std::string& name, double x, double y, double radius) {
  BodySpec body;
  body.name = name;
  body.centre = {x, y, 0};
  body.radius = radius;
  return body;
}

inline ControlSpec control(ControlKind kind, double scale, const std::string& body = "body") {
  ControlSpec spec;
  spec.kind = kind;
  spec.scale = scale;
  spec.body = body;
  return spec;
}

inline TermSpec term(TermKind kind, double weight = 1, const std::string& body = "body") {
  TermSpec spec;
  spec.kind = kind;
  spec.weight = weight;
  spec.body = body;
  return spec;
}

/// A circle off the centre line of a stretched 2D tunnel, 8 cells across its diameter of 1.
inline Case cylinder_case(long steps) {
  Case c;
  c.path = "cylinder_case";
  c.grid.spacing = 0.125;
  c.grid.axis[0] = stretched_axis(-2.5, -1.125, 1.125, 4);
  c.grid.axis[1] = stretched_axis(-2.25, -1.125, 1.125, 2.25);
  c.boundary[0] = {side(BoundaryType::inflow), side(BoundaryType::outflow)};
  c.flow.viscosity = 0.025;
  c.initial.perturbation = 0.3;
  c.bodies = {circle("body", 0.03, 0.05, 0.5)};
  c.time.steps = steps;
  return c;
}

inline Case frozen(Case c) {
  freeze_constants(c);
  return c;
}

inline std::unique_ptr<WindTunnel> cpu_tunnel(const Case& c, bool full = true) {
  return make_wind_tunnel(c, Exec::cpu(), full);
}

} // namespace contraflow::test
