#pragma once

#include "src/optimize/durable_file.hpp"
#include "src/optimize/optimizer.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace contraflow {

/// One entry of the log: the controls, bit for bit, and what became of them.
struct LoggedEvaluation {
  std::vector<double> x;
  Evaluation values;    ///< sized as the problem wants, NaN where the flow blew up
  std::string diverged; ///< why there are no values, else empty
};

/// The evaluations of one optimisation, on disk. Binary, in the machine's byte order:
///
///   header   "CFOPTLOG", version, method, counts, bounds, start, scale, equality, identity
///   record   bytes of the payload (u64), payload, FNV-1a of both (u64)
///   payload  kind (u64), x, then objective, gradient, constraints and Jacobian, or the words
///
/// The header is published by rename, so that a file is a log from its first moment. A record is
/// on the disk when `append` returns; one cut short by a kill fails its checksum and is dropped
/// with all that follows.
class EvaluationLog {
public:
  /// With `resume` reads what is in `file` (nothing where there is none) and goes on behind the
  /// last whole record; else starts an empty log in its place. Throws FileError, or CaseError where
  /// the log is of another problem: says what differs.
  EvaluationLog(const std::filesystem::path& file, const OptimisationProblem& problem,
                OptimiserMethod method, bool resume);

  /// What an earlier run left, in the order of its evaluations.
  const std::vector<LoggedEvaluation>& earlier() const { return earlier_; }

  /// Returns when the record is on the disk. Throws FileError.
  void append(const LoggedEvaluation& evaluation);

private:
  std::vector<LoggedEvaluation> earlier_;
  std::optional<DurableFile> file_;
};

/// An Evaluation of the right sizes in which every number is NaN.
Evaluation undefined_evaluation(std::size_t controls, std::size_t constraints);

} // namespace contraflow
