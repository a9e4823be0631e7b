#pragma once

#include "src/optimize/evaluations.hpp"

#include <exception>
#include <nlopt.hpp>
#include <string>
#include <vector>

namespace contraflow {

/// The way down to the minimum: runs of NLopt, one after the other, each from the best design so
/// far. A run works on y = (x - centre) / scale, so that y = 0 is that design to the bit. Another
/// run follows where the flow diverged (with the bounds halved) and where NLopt came to rest
/// without meeting the constraints (with a hundredth of the tolerance); each at most three times.
class Search {
public:
  /// Keeps references to `problem` and `evaluations`.
  Search(const OptimisationProblem& problem, const OptimiserSpec& spec, Evaluations& evaluations);

  /// Returns why it ended.
  std::string run();

  /// After designs that diverged.
  int restarts() const { return restarts_; }

  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

private:
  /// Constraints of one kind, which NLopt asks for together.
  struct Group {
    Search* search;
    std::vector<std::size_t> rows;
    std::vector<double> tolerance;
  };

  static double objective(unsigned n, const double* y, double* slope, void* search);
  static void constraints(unsigned m, double* c, unsigned n, const double* y, double* slopes,
                          void* group);

  Group group_of(bool equality);
  std::string minimise();
  std::string optimised();
  nlopt::opt configured();
  std::vector<double> unscaled(const double* y) const;
  std::vector<double> scaled(const std::vector<double>& x) const;
  const Evaluation& values_at(const double* y);
  bool met_again() const;
  bool may_restart() const;
  void halve_bounds();
  std::string halted() const;

  const OptimisationProblem& problem_;
  OptimiserSpec spec_;
  Evaluations& evaluations_;
  Group equal_, at_most_;
  std::vector<double> centre_, lower_, upper_; ///< x
  std::vector<double> last_;                   ///< x that NLopt asked for last
  std::size_t known_ = 0;                      ///< evaluations before that
  double magnitude_ = 1;
  int restarts_ = 0, halvings_ = 0, refinements_ = 0;
  std::exception_ptr error_; ///< of the flow, held while NLopt unwinds
};

} // namespace contraflow
