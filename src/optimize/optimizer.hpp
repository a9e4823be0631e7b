#pragma once

#include "src/design/case.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace contraflow {

/// Values and gradients at one design. Constraint i reads c_i(x) = 0 (equality) or c_i(x) <= 0.
struct Evaluation {
  double objective = 0;
  std::vector<double> gradient;              ///< [controls]
  std::vector<double> constraint;            ///< [constraints]
  std::vector<std::vector<double>> jacobian; ///< [constraints][controls]
};

struct OptimisationProblem {
  std::vector<double> start, lower, upper; ///< in units of the controls; +-infinity: no bound
  std::vector<double> scale;               ///< typical change; the optimiser works on x/scale
  std::vector<bool> equality;              ///< [constraints]
  std::vector<double> constraint_tolerance;
  std::string identity = {}; ///< what else the values depend on: a log with another one is refused

  /// One evaluation. Throws DivergenceError where the flow blew up.
  std::function<Evaluation(std::span<const double> x)> evaluate;
};

struct OptimisationStep {
  int evaluation = 0; ///< counted from 0
  bool replayed = false;
  bool best = false; ///< the best feasible design so far (or least infeasible)
  std::vector<double> x;
  Evaluation values;    ///< where the flow blew up: every entry NaN
  std::string diverged; ///< the words of the DivergenceError, else empty
};

struct OptimisationResult {
  std::vector<double> best_x;
  Evaluation best, first;
  int evaluations = 0; ///< replayed and diverged ones included
  int restarts = 0;    ///< after an evaluation that diverged
  bool feasible = false;
  bool interrupted = false;
  std::string reason; ///< why it ended, in words
};

/// Minimises with NLopt (SLSQP, MMA or L-BFGS). Every evaluation is appended, bit for bit and
/// flushed to the disk, to `log` before the optimiser sees it; with `resume` the evaluations
/// already in it are replayed instead of computed, so that the run ends where the unbroken run
/// ends; without, a log that is there is replaced. Replayed evaluations count, too.
///
/// A diverged evaluation restarts the optimiser from the best design with the bounds halved
/// around it (where there is none: at half the distance to the design that diverged), at most three
/// times; where a restart runs into the same design again they are halved further. A divergence at
/// the start is rethrown and not logged. `stop` is polled after each evaluation.
///
/// Throws CaseError for a method that cannot take the constraints (SLSQP: all; MMA: inequalities;
/// L-BFGS: bounds), a start outside its bounds, or a log of another problem (controls, bounds,
/// method, identity); FileError for a log that cannot be read or written; std::invalid_argument for
/// sizes that differ; and what `evaluate` throws.
OptimisationResult optimise(const OptimisationProblem& problem, const OptimiserSpec& spec,
                            const std::filesystem::path& log, bool resume,
                            const std::function<void(const OptimisationStep&)>& on_evaluation,
                            const std::function<bool()>& stop);

} // namespace contraflow
