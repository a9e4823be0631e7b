#include "apps/contraflow/common.hpp"

#include "contraflow/error.hpp"
#include "src/diagnostics/certificate.hpp"
#include "src/io/progress.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

/// A case without controls or objective is certified in all that applies: drag (or, without a body,
/// the flow's distance from its start) with respect to shape, place, motion, viscosity and inflow.
void complete(Case& c) {
  if (c.controls.empty()) {
    const auto add = [&](ControlKind kind, const std::string& body, double scale) {
      ControlSpec control;
      control.kind = kind;
      control.body = body;
      control.scale = scale;
      c.controls.push_back(control);
    };
    for (const BodySpec& body : c.bodies) {
      const bool airfoil = body.kind == ShapeKind::airfoil_file || body.kind == ShapeKind::naca4;
      if (body.kind != ShapeKind::airfoil_file || body.displacement_modes > 0) {
        add(ControlKind::shape, body.name, airfoil ? 0.01 : 0.1 * body.radius);
      }
      add(ControlKind::position, body.name, 0.1 * c.flow.reference_length);
      if (airfoil) add(ControlKind::angle, body.name, 2);
      if (!body.rotation.empty()) add(ControlKind::rotation, body.name, 0.5);
    }
    add(ControlKind::viscosity, "", 0.2 * c.flow.viscosity);
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t end = 0; end < 2; ++end) {
        if (c.boundary[a][end].type != BoundaryType::inflow) continue;
        add(ControlKind::inflow, "", 0.1 * c.flow.reference_speed);
        c.controls.back().side = std::string(1, "xyz"[a]) + (end == 0 ? "_low" : "_high");
      }
    }
  }
  if (!c.objective.empty()) return;
  TermSpec term;
  if (c.bodies.empty()) {
    term.kind = TermKind::velocity_misfit;
    for (std::size_t a = 0; a < 3; ++a) {
      const AxisSpec& axis = c.grid.axis[a];
      term.region[0][a] = axis.low + 0.3 * (axis.high - axis.low);
      term.region[1][a] = axis.low + 0.7 * (axis.high - axis.low);
    }
    term.target = c.initial.velocity;
  } else {
    term.body = c.bodies[0].name;
  }
  c.objective.push_back(term);
}

void print(const Certificate& certificate) {
  fmt::print("\n{:<28} {:<22} {:>14} {:>14} {:>9} {:>7} {}\n", "functional", "direction in",
             "adjoint", "finite diff.", "error", "order", "");
  for (const CertificateRow& row : certificate.rows) {
    const std::string order = row.linear ? "linear" : fmt::format("{:.3f}", row.order);
    fmt::print("{:<28} {:<22} {:>14.7e} {:>14.7e} {:>9.1e} {:>7} {}\n", row.functional, row.group,
               row.derivative, row.finite_difference, row.error, order,
               row.passed ? "ok" : "FAILED");
  }
  fmt::print("gradient with 3 stored states has the bits of that with all: {}\n",
             certificate.tape_agrees ? "ok" : "FAILED");
  fmt::print("certificate: {} (over {} steps; error <= 1e-8, remainder of order 2.00 +- 0.05)\n",
             certificate.passed ? "PASSED" : "FAILED", certificate.steps);
}

} // namespace

int check(const Options& options) {
  Options in_double = options;
  if (in_double.precision.empty()) in_double.precision = "double";
  if (in_double.precision != "double") {
    throw CaseError{"--precision float: a certificate needs double precision"};
  }
  Job job = prepare(in_double, CaseUse::differentiate, true, complete);
  Problem problem{*job.tunnel};
  Horizon horizon;
  horizon.steps = std::min(job.configuration.check.steps, job.configuration.frozen.steps);
  Progress progress{"check", 2 + 14 * static_cast<long>(problem.controls().groups().size())};
  const Certificate certificate = certify(problem, horizon, job.configuration.check.seed,
                                          [&](long done, long) { progress.update(done); });
  progress.finish();
  print(certificate);
  return certificate.passed ? success : failure;
}

} // namespace contraflow::app
