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
  std::vector<double> scale;               ///< the optimiser works on x/scale
  std::vector<bool> equality;              ///< [constraints]
  std::vector<double> constraint_tolerance;

  /// One evaluation. Throws DivergenceError where the flow blew up.
  std::function<Evaluation(std::span<const double> x)> evaluate;
};

struct OptimisationStep {
  int evaluation = 0; ///< counted from 0
  bool replayed = false;
  bool best = false;  ///< the best feasible design so far (or least infeasible)
  std::vector<double> x;
  Evaluation values;
};

struct OptimisationResult {
  std::vector<double> best_x;
  Evaluation best, first;
  int evaluations = 0;
  bool feasible = false;
  bool interrupted = false;
  std::string reason; ///< why it ended, in words
};

/// Minimises with NLopt (SLSQP, MMA or L-BFGS). Every evaluation is appended, bit for bit and
/// flushed, to `log` before the optimiser sees it; with `resume` the evaluations already in it
/// are replayed instead of computed, so that the run ends where the unbroken run ends. A log of
/// another problem (controls, bounds, method) is refused. A last record cut short by a kill is
/// dropped. A diverged evaluation restarts the optimiser from the best point with the bounds
/// halved around it, at most three times. `stop` is polled after each evaluation. Throws CaseError
/// for a method that cannot take the constraints (SLSQP: all; MMA: inequalities; L-BFGS: bounds).
OptimisationResult optimise(const OptimisationProblem& problem, const OptimiserSpec& spec,
                            const std::filesystem::path& log, bool resume,
                            const std::function<void(const OptimisationStep&)>& on_evaluation,
                            const std::function<bool()>& stop);

} // namespace contraflow
