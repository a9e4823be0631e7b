#include "apps/contraflow/design_files.hpp"
#include "apps/contraflow/earlier_case.hpp"
#include "apps/contraflow/optimisation.hpp"
#include "src/io/csv.hpp"
#include "src/io/progress.hpp"
#include "src/io/publish.hpp"
#include "src/optimize/evaluation_log.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

constexpr std::size_t most_columns = 64; ///< of controls, in history.csv

/// Progress of one evaluation. Off a terminal the line of each evaluation says enough, but where it
/// takes long.
class EvaluationProgress {
public:
  explicit EvaluationProgress(std::string label) : label_{std::move(label)} {}

  void update(long done, long total, const std::string& extra) {
    const auto now = std::chrono::steady_clock::now();
    if (::isatty(STDERR_FILENO) == 0 && now - last_ < std::chrono::seconds{30}) return;
    last_ = now;
    if (!bar_) bar_.emplace(label_, total);
    bar_->update(done, extra);
  }

  void finish() {
    if (bar_) bar_->finish();
  }

private:
  std::string label_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::optional<Progress> bar_;
};

class Optimisation {
public:
  explicit Optimisation(Job& job) : job_{job}, c_{job.configuration}, problem_{*job.tunnel} {}

  int go(bool resume);

private:
  OptimisationProblem posed();
  void check_airfoils() const;
  void check_log(const OptimisationProblem& problem) const;
  void open(bool resume);
  Evaluation evaluate(std::span<const double> x);
  void take(const OptimisationStep& step);
  void append_row(const OptimisationStep& step);
  void keep_shape(const OptimisationStep& step) const;

  Job& job_;
  const Case& c_;
  Problem problem_;
  std::optional<CsvFile> history_;
  Convergence convergence_;
};

Evaluation Optimisation::evaluate(std::span<const double> x) {
  const auto& earlier = convergence_.objective;
  EvaluationProgress progress{fmt::format("evaluation {}", earlier.size())};
  const std::string extra =
      earlier.empty() ? "" : fmt::format("best {:.6g}", convergence_.best.back());
  Horizon horizon;
  horizon.progress = [&](long done, long total) { progress.update(done, total, extra); };
  try {
    const Problem::Values values = problem_.gradients(x, horizon);
    progress.finish();
    return problem_.evaluation(values);
  } catch (const CaseError& error) { // a design that the tunnel cannot hold, found on the way
    if (earlier.empty()) throw;
    throw DivergenceError{error.what()};
  }
}

void Optimisation::append_row(const OptimisationStep& step) {
  const Evaluation& values = step.values;
  std::vector<double> row{static_cast<double>(step.evaluation), values.objective,
                          convergence_.violation.back(), step.best ? 1. : 0.};
  row.insert(row.end(), values.constraint.begin(), values.constraint.end());
  const auto controls = static_cast<std::ptrdiff_t>(std::min(step.x.size(), most_columns));
  row.insert(row.end(), step.x.begin(), step.x.begin() + controls);
  history_->append(row);
}

void Optimisation::keep_shape(const OptimisationStep& step) const {
  try {
    write_design(job_, problem_.controls(), step.x,
                 fmt::format("shapes/evaluation_{:04d}", step.evaluation));
  } catch (const CaseError&) { // no shape at all: that is why it diverged
    if (step.diverged.empty()) throw;
  }
}

void Optimisation::take(const OptimisationStep& step) {
  const bool diverged = !step.diverged.empty();
  convergence_.objective.push_back(step.values.objective);
  convergence_.violation.push_back(diverged ? NAN : violation(problem_, step.values));
  convergence_.best.push_back(step.best ? step.values.objective : convergence_.best.back());
  append_row(step);
  keep_shape(step);
  if (step.best) {
    write_design(job_, problem_.controls(), step.x, "best");
    write_controls(job_, problem_.controls(), step.x);
  }
  const std::string held = c_.constraints.empty() || diverged
                               ? ""
                               : fmt::format(", violation {:.2e}", convergence_.violation.back());
  fmt::print("evaluation {:3d}{}: {}{}{}\n", step.evaluation, step.replayed ? " (replayed)" : "",
             diverged ? "diverged: " + step.diverged
                      : fmt::format("objective {:.8g}", step.values.objective),
             held, step.best ? "  best" : "");
}

OptimisationProblem Optimisation::posed() {
  Case same = c_; // what the values of an evaluation depend on
  same.title.clear();
  same.output = {};
  same.tape = {};
  same.optimiser = {};
  same.check = {};
  const Controls& controls = problem_.controls();
  return {.start = controls.start(),
          .lower = controls.lower(),
          .upper = controls.upper(),
          .scale = controls.scale(),
          .equality = problem_.equalities(),
          .constraint_tolerance = problem_.tolerances(),
          .identity = write_case(same),
          .evaluate = [this](std::span<const double> x) { return evaluate(x); }};
}

/// The files of airfoils are read at every evaluation: none may be one that is written meanwhile.
void Optimisation::check_airfoils() const {
  const auto folder = std::filesystem::weakly_canonical(job_.folder);
  for (std::size_t b = 0; b < c_.bodies.size(); ++b) {
    const std::filesystem::path file{c_.bodies[b].file};
    if (file.empty() || std::filesystem::weakly_canonical(file).parent_path() != folder) continue;
    throw CaseError{
        fmt::format("{}: body.{}.file = \"{}\": lies in the output folder, where it may "
                    "be written over; choose another folder with -o",
                    c_.path, b, file.string())};
  }
}

/// Before anything is written: is there a log to go on with, and is it of this problem? Says what
/// differs, where the resolved case beside it tells.
void Optimisation::check_log(const OptimisationProblem& problem) const {
  const auto log = job_.folder / "evaluations.log", resolved = job_.folder / "resolved.toml";
  if (!std::filesystem::exists(log)) {
    throw CaseError{fmt::format(
        "--resume: {} does not exist: there is no optimisation to go on with", log.string())};
  }
  try {
    const EvaluationLog earlier{log, problem, c_.optimiser.method, true};
  } catch (const CaseError& error) {
    if (!std::filesystem::exists(resolved)) throw;
    const std::string difference =
        first_difference(read_written(read_text(resolved)), read_written(write_case(c_)),
                         {"title", "output.", "tape.", "check.", "optimizer.max", "optimizer.tol"});
    if (difference.empty()) throw;
    throw CaseError{fmt::format("--resume: {} ({})", error.what(), difference)};
  }
}

void Optimisation::open(bool resume) {
  open_folder(job_);
  const auto log = job_.folder / "evaluations.log";
  if (!resume) { // what took hours is kept, should --resume have been meant
    std::filesystem::remove_all(job_.folder / "shapes");
    if (std::filesystem::exists(log)) {
      std::filesystem::rename(log, job_.folder / "evaluations_previous.log");
    }
  }
  create_folder(job_.folder / "shapes");
  std::filesystem::remove(job_.folder / "report.html");
  std::vector<std::string> columns{"evaluation", "objective", "violation", "best"};
  for (std::size_t i = 0; i < c_.constraints.size(); ++i) {
    columns.push_back(cell(problem_.describe_constraint(i)));
  }
  const std::vector<std::string> names = names_of(problem_.controls());
  for (std::size_t n = 0; n < std::min(names.size(), most_columns); ++n) {
    columns.push_back(names[n]);
  }
  history_.emplace(job_.folder / "history.csv", job_.provenance, columns);
}

int Optimisation::go(bool resume) {
  const OptimisationProblem problem = posed();
  Horizon one_step;
  one_step.steps = 1;
  check_airfoils();
  as_input([&] { // what cannot be evaluated shows before anything is written
    if (resume) check_log(problem);
    problem_.values(problem.start, one_step);
  });
  print_tape_plan(job_, problem_);
  open(resume);
  const OptimisationResult result = optimise(
      problem, c_.optimiser, job_.folder / "evaluations.log", resume,
      [this](const OptimisationStep& step) { take(step); }, interrupted);
  if (result.interrupted) {
    fmt::print("interrupted after {} evaluations; go on with --resume\n", result.evaluations);
    return interrupted_by_user;
  }
  summarise_optimisation(job_, problem_, result, convergence_);
  return success;
}

} // namespace

int optimize(const Options& options) {
  Job job = prepare(options, CaseUse::differentiate, true);
  watch_for_interrupt("\nstopping after this evaluation; once more to stop at once\n");
  return Optimisation{job}.go(options.resume);
}

} // namespace contraflow::app
