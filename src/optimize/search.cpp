#include "src/optimize/search.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace contraflow {
namespace {

constexpr int most_restarts = 3;
constexpr int most_halvings = 40; ///< no bounds are left after more
constexpr int most_refinements = 3;
constexpr double least_change = 1e-8; ///< of a control, in its scale: below it nothing changes

nlopt::algorithm algorithm_of(OptimiserMethod method) {
  switch (method) {
  case OptimiserMethod::slsqp:
    return nlopt::LD_SLSQP;
  case OptimiserMethod::mma:
    return nlopt::LD_MMA;
  case OptimiserMethod::lbfgs:
    return nlopt::LD_LBFGS;
  }
  throw std::invalid_argument("no such optimiser");
}

// The power of two next to the size of the objective or of its slope per scale of the controls,
// whichever is larger. NLopt's first step is minus the gradient, so both should be of order one;
// dividing by a power of two changes no bit of them.
double magnitude(const Evaluation& values, const std::vector<double>& scale) {
  double slope = 0;
  for (std::size_t i = 0; i < scale.size(); ++i) {
    slope = std::hypot(slope, values.gradient[i] * scale[i]);
  }
  const double size = std::max(std::abs(values.objective), slope);
  return size > 0 ? std::exp2(std::round(std::log2(size))) : 1;
}

std::string words_for(nlopt::result result, double tolerance) {
  switch (result) {
  case nlopt::FTOL_REACHED:
    return fmt::format("converged: the objective changes by less than {:g} of itself", tolerance);
  case nlopt::XTOL_REACHED:
    return fmt::format("converged: the controls change by less than {:g} of their scales",
                       least_change);
  case nlopt::SUCCESS:
    return "converged: there is no way down";
  case nlopt::MAXEVAL_REACHED:
    return "the optimiser proposes no new designs";
  default:
    return fmt::format("NLopt ended with code {}", static_cast<int>(result));
  }
}

} // namespace

Search::Search(const OptimisationProblem& problem, const OptimiserSpec& spec,
               Evaluations& evaluations)
    : problem_(problem), spec_(spec), evaluations_(evaluations), equal_(group_of(true)),
      at_most_(group_of(false)), centre_(problem.start), lower_(problem.lower),
      upper_(problem.upper) {}

Search::Group Search::group_of(bool equality) {
  Group group{this, {}, {}};
  for (std::size_t i = 0; i < problem_.equality.size(); ++i) {
    if (problem_.equality[i] != equality) continue;
    group.rows.push_back(i);
    group.tolerance.push_back(problem_.constraint_tolerance[i]);
  }
  return group;
}

std::string Search::run() {
  const Evaluation* first = evaluations_.at(problem_.start);
  if (!first) return halted();
  magnitude_ = magnitude(*first, problem_.scale);
  for (;;) {
    std::string reason = minimise();
    if (evaluations_.halt() == Halt::diverged && may_restart()) {
      if (!met_again()) ++restarts_;
      ++halvings_;
      halve_bounds();
      evaluations_.go_on();
    } else if (evaluations_.halt() != Halt::none) {
      return halted();
    } else if (!evaluations_.feasible() && refinements_ < most_refinements) {
      ++refinements_;
      spec_.relative_tolerance /= 100;
    } else {
      return reason;
    }
    centre_ = evaluations_.best().x;
  }
}

// How NLopt ends after a halt differs between its methods: the halt is asked for, not deduced.
std::string Search::minimise() {
  const std::string reason = optimised();
  if (error_) std::rethrow_exception(error_);
  return reason;
}

std::string Search::optimised() {
  std::vector<double> y(centre_.size(), 0);
  double value = 0;
  try {
    return words_for(configured().optimize(y, value), spec_.relative_tolerance);
  } catch (const nlopt::roundoff_limited&) {
    return "converged as far as rounding allows";
  } catch (const nlopt::forced_stop&) {
    return halted();
  } catch (const std::runtime_error& error) {
    return fmt::format("the optimiser finds no way on ({})", error.what());
  }
}

nlopt::opt Search::configured() {
  nlopt::opt opt(algorithm_of(spec_.method), static_cast<unsigned>(centre_.size()));
  opt.set_lower_bounds(scaled(lower_));
  opt.set_upper_bounds(scaled(upper_));
  opt.set_min_objective(&Search::objective, this);
  if (!equal_.rows.empty()) {
    opt.add_equality_mconstraint(&Search::constraints, &equal_, equal_.tolerance);
  }
  if (!at_most_.rows.empty()) {
    opt.add_inequality_mconstraint(&Search::constraints, &at_most_, at_most_.tolerance);
  }
  opt.set_ftol_rel(spec_.relative_tolerance);
  opt.set_xtol_abs(least_change);
  // Evaluations are limited elsewhere: this ends a run that asks for known designs for ever.
  opt.set_maxeval(100 + 10 * spec_.max_evaluations);
  return opt;
}

double Search::objective(unsigned n, const double* y, double* slope, void* search) {
  auto& self = *static_cast<Search*>(search);
  const Evaluation& values = self.values_at(y);
  for (std::size_t j = 0; slope && j < n; ++j) {
    slope[j] = values.gradient[j] * self.problem_.scale[j] / self.magnitude_;
  }
  return values.objective / self.magnitude_;
}

void Search::constraints(unsigned m, double* c, unsigned n, const double* y, double* slopes,
                         void* group) {
  const auto& rows = static_cast<Group*>(group)->rows;
  auto& self = *static_cast<Group*>(group)->search;
  const Evaluation& values = self.values_at(y);
  for (std::size_t i = 0; i < m; ++i) {
    c[i] = values.constraint[rows[i]];
    for (std::size_t j = 0; slopes && j < n; ++j) {
      slopes[i * n + j] = values.jacobian[rows[i]][j] * self.problem_.scale[j];
    }
  }
}

// No exception but NLopt's own passes through NLopt.
const Evaluation& Search::values_at(const double* y) {
  if (error_ || evaluations_.halt() != Halt::none) throw nlopt::forced_stop();
  last_ = unscaled(y);
  known_ = evaluations_.history().size();
  if (!std::all_of(last_.begin(), last_.end(), [](double x) { return std::isfinite(x); })) {
    throw nlopt::roundoff_limited();
  }
  const Evaluation* values = nullptr;
  try {
    values = evaluations_.at(last_);
  } catch (...) {
    error_ = std::current_exception();
  }
  if (!values) throw nlopt::forced_stop();
  return *values;
}

std::vector<double> Search::unscaled(const double* y) const {
  std::vector<double> x(centre_.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::clamp(centre_[i] + problem_.scale[i] * y[i], lower_[i], upper_[i]);
  }
  return x;
}

std::vector<double> Search::scaled(const std::vector<double>& x) const {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = (x[i] - centre_[i]) / problem_.scale[i];
  return y;
}

// A restart may run into a design known to diverge: the bounds were still too wide.
bool Search::met_again() const { return evaluations_.history().size() == known_; }

bool Search::may_restart() const {
  return halvings_ < most_halvings && (met_again() || restarts_ < most_restarts);
}

void Search::halve_bounds() {
  const std::vector<double>& best = evaluations_.best().x;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const double low = std::isfinite(lower_[i]) ? lower_[i] : last_[i];
    const double high = std::isfinite(upper_[i]) ? upper_[i] : last_[i];
    if (low < best[i]) lower_[i] = best[i] - (best[i] - low) / 2;
    if (high > best[i]) upper_[i] = best[i] + (high - best[i]) / 2;
  }
}

std::string Search::halted() const {
  switch (evaluations_.halt()) {
  case Halt::limit:
    return fmt::format("the limit of {} evaluations", spec_.max_evaluations);
  case Halt::diverged:
    return fmt::format("the flow diverged after {} restarts", restarts_);
  case Halt::stopped:
    return "stopped on request";
  case Halt::none:
    break;
  }
  return {};
}

} // namespace contraflow
