#include "apps/contraflow/common.hpp"

#include "contraflow/error.hpp"
#include "src/design/problem.hpp"
#include "src/io/csv.hpp"
#include "src/io/progress.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

/// Drag and lift coefficients of the first body over time.
struct ForceHistory {
  std::vector<double> time, drag, lift;
};

class Optimisation {
public:
  explicit Optimisation(Job& job) : job_{job}, c_{job.configuration}, problem_{*job.tunnel} {}

  int go(bool resume);

private:
  Evaluation evaluate(std::span<const double> x);
  void take(const OptimisationStep& step);
  void write_shapes(const std::string& name, std::span<const double> x) const;
  ForceHistory forces_of(std::span<const double> x);
  double violation(const Evaluation& evaluation) const;
  void summarise(const OptimisationResult& result);
  std::string verdict(const OptimisationResult& result) const;
  void add_plots(Report& report, const OptimisationResult& result, const ForceHistory& before,
                 const ForceHistory& after) const;

  Job& job_;
  const Case& c_;
  Problem problem_;
  std::optional<CsvFile> history_;
  std::vector<double> objectives_, violations_;
};

Evaluation Optimisation::evaluate(std::span<const double> x) {
  std::unique_ptr<Progress> bar;
  Horizon horizon;
  horizon.progress = [&](long done, long total) {
    if (!bar)
      bar = std::make_unique<Progress>(fmt::format("evaluation {}", objectives_.size()), total);
    bar->update(done,
                objectives_.empty() ? "" : fmt::format("objective {:.6g}", objectives_.back()));
  };
  try {
    return problem_.evaluation(problem_.gradients(x, horizon));
  } catch (const CaseError& error) { // a design that the tunnel cannot hold, found on the way
    if (objectives_.empty()) throw;
    throw DivergenceError{error.what()};
  }
}

double Optimisation::violation(const Evaluation& evaluation) const {
  double worst = 0;
  const std::vector<bool> equalities = problem_.equalities();
  for (std::size_t i = 0; i < evaluation.constraint.size(); ++i) {
    const double value = evaluation.constraint[i];
    worst = std::max(worst, equalities[i] ? std::abs(value) : value);
  }
  return worst;
}

void Optimisation::write_shapes(const std::string& name, std::span<const double> x) const {
  const Design design = problem_.controls().apply(x);
  for (std::size_t b = 0; b < design.body.size(); ++b) {
    const std::string prefix = design.body.size() == 1 ? "" : c_.bodies[b].name + "_";
    std::string text = fmt::format("{} {}\n", c_.bodies[b].name, name);
    for (const Vec3& point : outline(c_, b, design.body[b])) {
      text += fmt::format("{:.10f} {:.10f}\n", point[0], point[1]);
    }
    publish_text(job_.folder / (prefix + name + ".dat"), text);
    if (c_.grid.dimension == 2) {
      write_outline(job_.folder / (prefix + name + ".vtp"), outline(c_, b, design.body[b]));
    }
  }
}

void Optimisation::take(const OptimisationStep& step) {
  const Evaluation& values = step.values;
  const bool diverged = !step.diverged.empty();
  objectives_.push_back(values.objective);
  violations_.push_back(diverged ? NAN : violation(values));
  std::vector<double> row{static_cast<double>(step.evaluation), values.objective,
                          violations_.back(), step.best ? 1.0 : 0.0};
  row.insert(row.end(), values.constraint.begin(), values.constraint.end());
  constexpr std::size_t most = 64;
  row.insert(row.end(), step.x.begin(),
             step.x.begin() + static_cast<std::ptrdiff_t>(std::min(step.x.size(), most)));
  history_->append(row);
  write_shapes(fmt::format("shapes/evaluation_{:04d}", step.evaluation), step.x);
  if (step.best) write_shapes("best", step.x);
  fmt::print("evaluation {:3d}{}: objective {:.8g}, violation {:.2e}{}{}\n", step.evaluation,
             step.replayed ? " (replayed)" : "", values.objective, violations_.back(),
             step.best ? "  best" : "", diverged ? "  diverged: " + step.diverged : "");
}

ForceHistory Optimisation::forces_of(std::span<const double> x) {
  ForceHistory history;
  if (c_.bodies.empty()) return history;
  problem_.values(x, {});
  const Coefficients scale = coefficients_of(c_, c_.bodies[0]);
  for (std::size_t n = 0; n < job_.tunnel->forces().size(); ++n) {
    const BodyForce& force = job_.tunnel->forces()[n][0];
    history.time.push_back((static_cast<double>(n) + 0.5) * c_.frozen.dt);
    history.drag.push_back(scale.force * force.force[0]);
    history.lift.push_back(scale.force * force.force[1]);
  }
  return history;
}

std::string Optimisation::verdict(const OptimisationResult& result) const {
  const double first = result.first.objective, best = result.best.objective;
  std::string text = fmt::format(
      "{}: {:.6g} -> {:.6g} ({:+.2f} %) in {} evaluations", problem_.describe(0), first, best,
      100 * (best - first) / std::max(std::abs(first), 1e-300), result.evaluations);
  if (!c_.constraints.empty()) {
    text += fmt::format("; constraints {} (largest violation {:.1e})",
                        result.feasible ? "held" : "NOT held", violation(result.best));
  }
  return text;
}

void Optimisation::add_plots(Report& report, const OptimisationResult& result,
                             const ForceHistory& before, const ForceHistory& after) const {
  std::vector<double> count;
  for (std::size_t n = 0; n < objectives_.size(); ++n) count.push_back(static_cast<double>(n));
  ReportPlot convergence{"Convergence", "evaluation", problem_.describe(0), {}, false, false};
  convergence.lines.push_back({"objective", count, objectives_});
  report.plots.push_back(convergence);
  if (!c_.constraints.empty()) {
    ReportPlot held{"Constraints", "evaluation", "largest violation", {}, false, false};
    held.lines.push_back({"violation", count, violations_});
    report.plots.push_back(held);
  }
  if (c_.bodies.empty()) return;
  ReportPlot forces{"Forces on " + c_.bodies[0].name, "time", "coefficient", {}, false, false};
  forces.lines.push_back({"Cd before", before.time, before.drag});
  forces.lines.push_back({"Cd after", after.time, after.drag});
  forces.lines.push_back({"Cl before", before.time, before.lift});
  forces.lines.push_back({"Cl after", after.time, after.lift});
  report.plots.push_back(forces);
  ReportPlot shapes{"Shape of " + c_.bodies[0].name, "x", "y", {}, true, false};
  for (const auto& [name, x] :
       {std::pair{"before", problem_.controls().start()}, std::pair{"after", result.best_x}}) {
    shapes.lines.push_back({name, {}, {}});
    for (const Vec3& point : outline(c_, 0, problem_.controls().apply(x).body[0])) {
      shapes.lines.back().x.push_back(point[0]);
      shapes.lines.back().y.push_back(point[1]);
    }
  }
  report.plots.push_back(shapes);
}

void Optimisation::summarise(const OptimisationResult& result) {
  const ForceHistory before = forces_of(problem_.controls().start());
  const ForceHistory after = forces_of(result.best_x);
  const WindTunnel::Fields fields = job_.tunnel->fields();
  const double end = c_.frozen.dt * static_cast<double>(c_.frozen.steps);
  FieldSeries series{job_.folder, "best", job_.tunnel->grid(), job_.provenance,
                     c_.output.compression};
  series.write(c_.frozen.steps, end, named_fields(*job_.tunnel, fields, job_.full));

  Report report;
  report.title = c_.title.empty() ? c_.path : c_.title;
  report.warnings = job_.warnings;
  report.provenance = job_.provenance;
  report.facts.emplace_back("result", verdict(result));
  report.facts.emplace_back("ended because", result.reason);
  for (std::size_t i = 0; i < c_.constraints.size(); ++i) {
    const double value =
        c_.constraints[i].value +
        (c_.constraints[i].kind == ConstraintKind::at_least ? -1 : 1) * result.best.constraint[i];
    report.facts.emplace_back(problem_.describe_constraint(i), fmt::format("{:.6g}", value));
  }
  add_plots(report, result, before, after);
  report.pictures.push_back(
      vorticity_picture(job_, fields, problem_.controls().apply(result.best_x).body));
  write_report(job_.folder / "report.html", job_.tunnel->grid(), report);

  std::string table = fmt::format("# {}\ncontrol,start,best\n", csv_header());
  constexpr std::size_t most = 16;
  for (std::size_t n = 0; n < result.best_x.size(); ++n) {
    const Controls& controls = problem_.controls();
    table += fmt::format("{},{:.17g},{:.17g}\n", controls.names()[n], controls.start()[n],
                         result.best_x[n]);
    if (n < most) {
      fmt::print("  {:<28} {:+.6g} -> {:+.6g}\n", controls.names()[n], controls.start()[n],
                 result.best_x[n]);
    }
  }
  publish_text(job_.folder / "best.csv", table);
  fmt::print("{}\n{}\nreport: {}\nfields: {} (open in ParaView)\n", result.reason, verdict(result),
             (job_.folder / "report.html").string(), (job_.folder / "best.xmf").string());
}

int Optimisation::go(bool resume) {
  const auto log = job_.folder / "evaluations.log";
  if (resume && !std::filesystem::exists(log)) {
    throw CaseError{fmt::format(
        "--resume: {} does not exist: there is no optimisation to go on with", log.string())};
  }
  OptimisationProblem problem;
  const Controls& controls = problem_.controls();
  problem.start = controls.start();
  problem.lower = controls.lower();
  problem.upper = controls.upper();
  problem.scale = controls.scale();
  Case same = c_; // what the values of an evaluation depend on
  same.output = {};
  same.tape = {};
  same.optimiser = {};
  problem.identity = write_case(same) + (job_.full ? "double" : "float");
  problem.equality = problem_.equalities();
  problem.constraint_tolerance = problem_.tolerances();
  problem.evaluate = [this](std::span<const double> x) { return evaluate(x); };

  open_folder(job_);
  std::filesystem::create_directories(job_.folder / "shapes");
  std::vector<std::string> columns{"evaluation", "objective", "violation", "best"};
  for (std::size_t i = 0; i < c_.constraints.size(); ++i) {
    columns.push_back(problem_.describe_constraint(i));
  }
  for (std::size_t n = 0; n < std::min<std::size_t>(controls.size(), 64); ++n) {
    columns.push_back(controls.names()[n]);
  }
  history_.emplace(job_.folder / "history.csv", csv_header(), columns);
  const OptimisationResult result = optimise(
      problem, c_.optimiser, log, resume, [this](const OptimisationStep& step) { take(step); },
      interrupted);
  if (result.interrupted) {
    fmt::print("interrupted after {} evaluations; go on with --resume\n", result.evaluations);
    return interrupted_by_user;
  }
  summarise(result);
  return success;
}

} // namespace

int optimize(const Options& options) {
  Job job = prepare(options, CaseUse::differentiate, true);
  watch_for_interrupt();
  return Optimisation{job}.go(options.resume);
}

} // namespace contraflow::app
