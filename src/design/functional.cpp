#include "src/design/functional.hpp"

#include "contraflow/error.hpp"

#include <algorithm>
#include <cmath>

namespace contraflow {

namespace {

/// Weights at the times first + n dt; where no time lies in the window, all of it on the nearest.
std::vector<double> window_weights(const TermSpec& term, double first, double dt, long count,
                                   double end) {
  const double to = term.to < 0 ? end : term.to, from = std::min(term.from, to);
  const double slack = 1e-9 * dt;
  std::vector<double> weights(static_cast<std::size_t>(count), 0.0);
  double sum = 0;
  for (long n = 0; n < count; ++n) {
    const double time = first + static_cast<double>(n) * dt;
    if (time < from - slack || time > to + slack) continue;
    double weight = 1;
    if (term.window == Window::hann && to > from) {
      const double wave = std::sin(std::acos(-1.0) * (time - from) / (to - from));
      weight = wave * wave;
    }
    weights[static_cast<std::size_t>(n)] = weight;
    sum += weight;
  }
  if (sum <= 0) {
    const long nearest = std::clamp(std::lround((0.5 * (from + to) - first) / dt), 0L, count - 1);
    std::fill(weights.begin(), weights.end(), 0.0);
    weights[static_cast<std::size_t>(nearest)] = sum = 1;
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

} // namespace

std::vector<double> step_weights(const TermSpec& term, double dt, long steps) {
  return window_weights(term, 0.5 * dt, dt, steps, dt * static_cast<double>(steps));
}

std::vector<double> state_weights(const TermSpec& term, double dt, long steps) {
  return window_weights(term, 0, dt, steps + 1, dt * static_cast<double>(steps));
}

std::size_t body_index(const Case& c, const std::string& name) {
  for (std::size_t b = 0; b < c.bodies.size(); ++b) {
    if (c.bodies[b].name == name) return b;
  }
  throw CaseError{c.path + ": no body is named \"" + name + '"'};
}

bool needs_flow(const TermSpec& term) {
  return term.kind != TermKind::control_effort && term.kind != TermKind::area;
}

Coefficients coefficients_of(const Case& c, const BodySpec& body) {
  const double length = c.flow.reference_length, speed = c.flow.reference_speed;
  double area = length;
  if (c.grid.dimension == 3) {
    area = length * length;
    if (body.kind == ShapeKind::sphere) {
      const double radius = body.radius * body.scale;
      area = std::acos(-1.0) * radius * radius;
    } else { // extruded: the span of the domain
      area = length * (c.grid.axis[2].high - c.grid.axis[2].low);
    }
  }
  const double force = 2 / (speed * speed * area);
  return {force, force / length};
}

} // namespace contraflow
