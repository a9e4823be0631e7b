#pragma once

#include "src/design/case.hpp"

#include <array>
#include <vector>

namespace contraflow {

/// Force of the fluid on one body during one step, and its moment about the body's centre along z.
struct BodyForce {
  Vec3 force{};
  double moment = 0;
};

/// Weights of a mean over time, sum 1. Forces belong to the middle of a step, misfits to states.
std::vector<double> step_weights(const TermSpec& term, double dt, long steps);
std::vector<double> state_weights(const TermSpec& term, double dt, long steps);

/// Which body of a case has a name. Throws CaseError where none has it.
std::size_t body_index(const Case& c, const std::string& name);

bool needs_flow(const TermSpec& term); ///< drag, lift, moment, misfit

/// Force coefficients: 2 F/(U^2 A), A the reference length (3D: times the span; of a
/// sphere its frontal area); moments with another reference length.
struct Coefficients {
  double force, moment;
};
Coefficients coefficients_of(const Case& c, const BodySpec& body);

} // namespace contraflow
