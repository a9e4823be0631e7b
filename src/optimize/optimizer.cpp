#include "src/optimize/optimizer.hpp"

#include "contraflow/error.hpp"
#include "src/optimize/search.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace contraflow {
namespace {

void require_sizes(const OptimisationProblem& problem) {
  const std::size_t controls = problem.start.size();
  if (problem.lower.size() != controls || problem.upper.size() != controls ||
      problem.scale.size() != controls ||
      problem.constraint_tolerance.size() != problem.equality.size() || !problem.evaluate) {
    throw std::invalid_argument("the parts of an optimisation problem differ in size");
  }
  if (controls == 0) throw CaseError("nothing to optimise: the case has no controls");
}

void require_start_within_bounds(const OptimisationProblem& problem) {
  for (std::size_t i = 0; i < problem.start.size(); ++i) {
    const double x = problem.start[i], lower = problem.lower[i], upper = problem.upper[i];
    if (!(lower <= x && x <= upper && std::isfinite(x))) {
      throw CaseError(fmt::format("control {}: its start {} is outside its bounds [{}, {}]", i, x,
                                  lower, upper));
    }
    const double scale = problem.scale[i];
    if (!(scale > 0 && std::isfinite(scale))) {
      throw CaseError(fmt::format("control {}: its scale {} has to be positive", i, scale));
    }
  }
}

void require_method_takes_constraints(const OptimisationProblem& problem, OptimiserMethod method) {
  const auto equal = std::count(problem.equality.begin(), problem.equality.end(), true);
  const auto all = static_cast<std::ptrdiff_t>(problem.equality.size());
  if (method == OptimiserMethod::lbfgs && all > 0) {
    throw CaseError(
        fmt::format("method lbfgs takes bounds only, but the case has {} constraint(s); "
                    "allowed: slsqp (any constraints), mma (inequalities)",
                    all));
  }
  if (method == OptimiserMethod::mma && equal > 0) {
    throw CaseError(fmt::format("method mma takes inequalities only, but the case has {} equality "
                                "constraint(s); allowed: slsqp",
                                equal));
  }
}

std::string summary(std::string reason, const OptimisationResult& result) {
  if (result.restarts > 0) {
    reason += fmt::format("; the flow diverged and the search was restarted {} time(s), each with "
                          "the bounds halved around the best design",
                          result.restarts);
  }
  if (!result.feasible) reason += "; no design met the constraints";
  return reason;
}

} // namespace

OptimisationResult optimise(const OptimisationProblem& problem, const OptimiserSpec& spec,
                            const std::filesystem::path& log, bool resume,
                            const std::function<void(const OptimisationStep&)>& on_evaluation,
                            const std::function<bool()>& stop) {
  require_sizes(problem);
  require_start_within_bounds(problem);
  require_method_takes_constraints(problem, spec.method);
  if (spec.max_evaluations < 1) {
    throw CaseError(fmt::format("{} evaluations: at least 1 is needed", spec.max_evaluations));
  }
  EvaluationLog file(log, problem, spec.method, resume);
  Evaluations evaluations(problem, file, spec.max_evaluations, on_evaluation, stop);
  Search search(problem, spec, evaluations);
  const std::string reason = search.run();
  OptimisationResult result{.best_x = evaluations.best().x,
                            .best = evaluations.best().values,
                            .first = evaluations.history().front().values,
                            .evaluations = static_cast<int>(evaluations.history().size()),
                            .restarts = search.restarts(),
                            .feasible = evaluations.feasible(),
                            .interrupted = evaluations.halt() == Halt::stopped,
                            .reason = {}};
  result.reason = summary(reason, result);
  return result;
}

} // namespace contraflow
