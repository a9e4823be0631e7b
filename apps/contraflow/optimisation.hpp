#pragma once

#include "apps/contraflow/force_history.hpp"
#include "apps/contraflow/results.hpp"
#include "src/optimize/optimizer.hpp"

#include <span>
#include <vector>

namespace contraflow::app {

/// What an optimisation came to, evaluation by evaluation.
struct Convergence {
  std::vector<double> objective, violation, best; ///< best: the objective of the best so far
};

/// The largest amount by which a constraint does not hold, in its own units; 0 where all hold.
double violation(const Problem& problem, const Evaluation& evaluation);

/// Runs the flow at the start and at the best design, and writes report.html and best.xmf; prints
/// the verdict.
void summarise_optimisation(const Job& job, Problem& problem, const OptimisationResult& result,
                            const Convergence& convergence);

} // namespace contraflow::app
