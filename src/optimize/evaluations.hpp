#pragma once

#include "src/optimize/evaluation_log.hpp"
#include "src/optimize/optimizer.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace contraflow {

/// Why no further value is given to the optimiser.
enum class Halt { none, limit, stopped, diverged };

/// The flow as the optimiser sees it: values at designs. A design is evaluated once, whatever the
/// number of callbacks that ask for it: known designs (by the bits of x) come from memory, those of
/// an earlier run from the log, only the rest from the flow. Keeps the best one.
class Evaluations {
public:
  using Observer = std::function<void(const OptimisationStep&)>;

  /// At most `limit` evaluations, counting those of the log. Keeps references to all but the
  /// number, which have to outlive it.
  Evaluations(const OptimisationProblem& problem, EvaluationLog& log, int limit,
              const Observer& on_evaluation, const std::function<bool()>& stop);

  /// Values at `x`; null where there is a reason to halt, which `halt` then tells. Throws what the
  /// flow throws, but of DivergenceErrors only that of the first evaluation.
  const Evaluation* at(std::span<const double> x);

  Halt halt() const { return halt_; }

  /// After a divergence: values are given again.
  void go_on() { halt_ = Halt::none; }

  /// Feasible within the tolerances and of the least objective; while none is feasible, of the
  /// least violation, measured in tolerances.
  const LoggedEvaluation& best() const { return history_[best_]; }
  bool feasible() const { return least_violation_ == 0; }
  const std::vector<LoggedEvaluation>& history() const { return history_; }

private:
  const LoggedEvaluation* find(std::span<const double> x) const;
  LoggedEvaluation next(std::span<const double> x);
  LoggedEvaluation compute(std::span<const double> x) const;
  bool keep_if_best(std::size_t index);
  double violation(const Evaluation& values) const;

  const OptimisationProblem& problem_;
  EvaluationLog& log_;
  std::size_t limit_;
  const Observer& on_evaluation_;
  const std::function<bool()>& stop_;
  std::vector<LoggedEvaluation> history_;
  std::size_t best_ = 0;
  double least_violation_ = 0;
  Halt halt_ = Halt::none;
};

} // namespace contraflow
