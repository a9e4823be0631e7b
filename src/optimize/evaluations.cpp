#include "src/optimize/evaluations.hpp"

#include "contraflow/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

namespace contraflow {
namespace {

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool all_finite(const Evaluation& values) {
  const auto& rows = values.jacobian;
  return std::isfinite(values.objective) && all_finite(values.gradient) &&
         all_finite(values.constraint) &&
         std::all_of(rows.begin(), rows.end(), [](const auto& row) { return all_finite(row); });
}

void require_sizes(const Evaluation& values, std::size_t controls, std::size_t constraints) {
  bool fit = values.gradient.size() == controls && values.constraint.size() == constraints &&
             values.jacobian.size() == constraints;
  for (const auto& row : values.jacobian) fit = fit && row.size() == controls;
  if (!fit) throw std::invalid_argument("an evaluation has not the sizes of its problem");
}

} // namespace

Evaluations::Evaluations(const OptimisationProblem& problem, EvaluationLog& log, int limit,
                         const Observer& on_evaluation, const std::function<bool()>& stop)
    : problem_(problem), log_(log), limit_(static_cast<std::size_t>(limit)),
      on_evaluation_(on_evaluation), stop_(stop) {}

const Evaluation* Evaluations::at(std::span<const double> x) {
  if (halt_ != Halt::none) return nullptr;
  const LoggedEvaluation* entry = find(x);
  if (!entry) {
    if (history_.size() == limit_) {
      halt_ = Halt::limit;
      return nullptr;
    }
    const std::size_t index = history_.size();
    history_.push_back(next(x));
    entry = &history_.back();
    const bool best = keep_if_best(index);
    if (on_evaluation_) {
      on_evaluation_({static_cast<int>(index), index < log_.earlier().size(), best, entry->x,
                      entry->values, entry->diverged});
    }
    if (stop_ && stop_()) halt_ = Halt::stopped;
  }
  if (halt_ == Halt::none && !entry->diverged.empty()) halt_ = Halt::diverged;
  return halt_ == Halt::none ? &entry->values : nullptr;
}

const LoggedEvaluation* Evaluations::find(std::span<const double> x) const {
  const auto known = std::find_if(history_.rbegin(), history_.rend(),
                                  [&](const LoggedEvaluation& e) { return same_bits(e.x, x); });
  return known == history_.rend() ? nullptr : &*known;
}

// From the log while that lasts. The optimiser is deterministic: it asks for the designs it asked
// for when the log was written, to the bit, or this is not the program that wrote it.
LoggedEvaluation Evaluations::next(std::span<const double> x) {
  const std::size_t index = history_.size();
  if (index < log_.earlier().size()) {
    const LoggedEvaluation& earlier = log_.earlier()[index];
    if (same_bits(earlier.x, x)) return earlier;
    throw CaseError("the log of evaluations cannot be resumed: the optimiser now asks for another "
                    "design at evaluation " +
                    std::to_string(index) +
                    " (changed tolerances, or another version of contraflow or NLopt?); start "
                    "without resuming");
  }
  LoggedEvaluation computed = compute(x);
  log_.append(computed);
  return computed;
}

LoggedEvaluation Evaluations::compute(std::span<const double> x) const {
  const std::size_t controls = problem_.start.size(), constraints = problem_.equality.size();
  LoggedEvaluation entry{{x.begin(), x.end()}, {}, {}};
  try {
    entry.values = problem_.evaluate(x);
    require_sizes(entry.values, controls, constraints);
    if (!all_finite(entry.values)) throw DivergenceError("a value or a derivative is not finite");
  } catch (const DivergenceError& error) {
    if (history_.empty()) throw;
    entry.values = undefined_evaluation(controls, constraints);
    entry.diverged = *error.what() ? error.what() : "diverged";
  }
  return entry;
}

bool Evaluations::keep_if_best(std::size_t index) {
  const LoggedEvaluation& entry = history_[index];
  if (!entry.diverged.empty()) return false;
  const double excess = violation(entry.values);
  const bool better =
      index == 0 || excess < least_violation_ ||
      (excess == 0 && least_violation_ == 0 && entry.values.objective < best().values.objective);
  if (!better) return false;
  best_ = index;
  least_violation_ = excess;
  return true;
}

// 0 where every constraint holds within its tolerance; else the largest violation in tolerances.
double Evaluations::violation(const Evaluation& values) const {
  constexpr double finest = 1e-12;
  double largest = 0;
  for (std::size_t i = 0; i < values.constraint.size(); ++i) {
    const double c = problem_.equality[i] ? std::abs(values.constraint[i]) : values.constraint[i];
    const double tolerance = problem_.constraint_tolerance[i];
    if (c > tolerance) largest = std::max(largest, c / std::max(tolerance, finest));
  }
  return largest;
}

} // namespace contraflow
