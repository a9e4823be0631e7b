#pragma once

#include "src/design/problem.hpp"

#include <functional>
#include <string>
#include <vector>

namespace contraflow {

/// Where a gradient stands against the function it is the gradient of, along one random direction
/// in one group of controls (of eight, the one in which no functional is nearly stationary).
struct CertificateRow {
  std::string functional, group;
  double derivative = 0;        ///< g.v by the adjoint
  double finite_difference = 0; ///< the best of Richardson's extrapolations over h, 2h, 4h
  double error = 0;             ///< |difference| / max(|g.v|, 1e-3 |g||v|)
  double step = 0;              ///< h of the best, in scales of the controls
  double order = 0;             ///< of the Taylor remainder J(x+hv) - J(x) - h g.v, without the
                                ///< terms of third and fourth order that the values show
  int points = 0;               ///< remainders in the fit: those over 100 times the noise
  bool linear = false;          ///< the remainder is at noise everywhere: nothing to fit
  bool passed = false;          ///< error <= 1e-8, and order 2.0 +- 0.05 or linear
};

struct Certificate {
  long steps = 0;
  std::vector<CertificateRow> rows;
  bool tape_agrees = false; ///< few stored states give the bits of all
  bool passed = false;
};

/// Certifies the gradients of all functionals of a problem at its start, over `horizon`. `progress`
/// hears of every one of the evaluations. Deterministic for a given seed.
Certificate certify(Problem& problem, const Horizon& horizon, unsigned seed,
                    const std::function<void(long done, long total)>& progress);

/// How many evaluations that takes: steps of the lines, and two gradients.
long certificate_evaluations(const Controls& controls);

/// The fit of log remainder over log step, where the remainder is over 100 times the noise: the
/// lowest three decades of it, since large steps may leave the neighbourhood in which the function
/// is smooth (a thin part of a body passes a face). Steps descend.
struct RemainderFit {
  double order = 0;
  int points = 0;
  bool linear = false;
};
RemainderFit fit_remainder(const std::vector<double>& steps, const std::vector<double>& remainders,
                           double noise);

} // namespace contraflow
