#include "apps/contraflow/optimisation.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

constexpr double settled_part = 0.1;

/// The flow of one design: forces of every body, and the fields at its end.
struct Flight {
  std::vector<ForceHistory> forces;
  WindTunnel::Fields fields;
};

Flight fly(const Job& job, Problem& problem, std::span<const double> x) {
  const Case& c = job.configuration;
  problem.values(x, {});
  Flight flight{std::vector<ForceHistory>(c.bodies.size()), job.tunnel->fields()};
  const auto& steps = job.tunnel->forces();
  for (std::size_t b = 0; b < c.bodies.size(); ++b) {
    const Coefficients scale = coefficients_of(c, c.bodies[b]);
    for (std::size_t n = 0; n < steps.size(); ++n) {
      flight.forces[b].time.push_back(static_cast<double>(n + 1) * c.frozen.dt);
      flight.forces[b].drag.push_back(scale.force * steps[n][b].force[0]);
      flight.forces[b].lift.push_back(scale.force * steps[n][b].force[1]);
    }
  }
  return flight;
}

std::string verdict(const Problem& problem, const OptimisationResult& result) {
  const double first = result.first.objective, best = result.best.objective;
  std::string text = fmt::format(
      "{}: {:.6g} -> {:.6g} ({:+.2f} %) in {} evaluations", problem.describe(0), first, best,
      100 * (best - first) / std::max(std::abs(first), 1e-300), result.evaluations);
  if (result.best.constraint.empty()) return text;
  return text + fmt::format("; constraints {} (largest violation {:.1e})",
                            result.feasible ? "held" : "NOT held", violation(problem, result.best));
}

void add_facts(const Job& job, const Problem& problem, const OptimisationResult& result,
               Report& report) {
  const Case& c = job.configuration;
  report.facts.insert(report.facts.begin(),
                      {{"result", verdict(problem, result)}, {"ended because of", result.reason}});
  for (std::size_t i = 0; i < c.constraints.size(); ++i) {
    const double sign = c.constraints[i].kind == ConstraintKind::at_least ? -1 : 1;
    const auto value = [&](const Evaluation& evaluation) {
      return c.constraints[i].value + sign * evaluation.constraint[i];
    };
    report.facts.emplace_back(
        problem.describe_constraint(i),
        fmt::format("{:.6g} -> {:.6g}", value(result.first), value(result.best)));
  }
  constexpr std::size_t most = 24;
  const Controls& controls = problem.controls();
  const std::vector<std::string> names = names_of(controls);
  for (std::size_t n = 0; n < std::min(most, controls.size()); ++n) {
    report.facts.emplace_back(
        names[n], fmt::format("{:.6g} -> {:.6g}", controls.start()[n], result.best_x[n]));
  }
  if (controls.size() > most) {
    report.facts.emplace_back("more controls",
                              fmt::format("{} in best.csv", controls.size() - most));
  }
}

void add_convergence(const Case& c, const Problem& problem, const Convergence& convergence,
                     Report& report) {
  std::vector<double> count;
  for (std::size_t n = 0; n < convergence.objective.size(); ++n) {
    count.push_back(static_cast<double>(n));
  }
  ReportPlot objective{"Convergence", "evaluation", problem.describe(0), {}};
  objective.lines = {{"evaluated", count, convergence.objective},
                     {"best so far", count, convergence.best}};
  report.plots.push_back(objective);
  if (c.constraints.empty()) return;
  ReportPlot held{"Constraints", "evaluation", "largest violation", {}};
  held.lines.push_back({"violation", count, convergence.violation});
  report.plots.push_back(held);
}

ReportPlot shape_plot(const Case& c, std::size_t b, const Design& start, const Design& best) {
  ReportPlot plot{"Shape of " + c.bodies[b].name, "x", "y", {}, true};
  for (const auto& [name, design] : {std::pair{"before", &start}, std::pair{"after", &best}}) {
    ReportPlot::Line line{name, {}, {}};
    for (const Vec3& point : outline(c, b, design->body[b])) {
      line.x.push_back(point[0]);
      line.y.push_back(point[1]);
    }
    plot.lines.push_back(line);
  }
  return plot;
}

ReportPlot force_plot(const Case& c, std::size_t b, const Flight& before, const Flight& after) {
  ReportPlot plot{"Forces on " + c.bodies[b].name, "time", "coefficient", {}};
  const double settled = settled_part * c.frozen.dt * static_cast<double>(c.frozen.steps);
  plot.lines = force_lines(before.forces[b], settled, " before");
  const auto lines = force_lines(after.forces[b], settled, " after");
  plot.lines.insert(plot.lines.end(), lines.begin(), lines.end());
  return plot;
}

void write_best_fields(const Job& job, const WindTunnel::Fields& fields) {
  const Case& c = job.configuration;
  FieldSeries series{job.folder, "best", job.tunnel->grid(), job.provenance, c.output.compression};
  series.write(c.frozen.steps, c.frozen.dt * static_cast<double>(c.frozen.steps),
               named_fields(*job.tunnel, fields, job.full));
}

} // namespace

double violation(const Problem& problem, const Evaluation& evaluation) {
  double worst = 0;
  const std::vector<bool> equalities = problem.equalities();
  for (std::size_t i = 0; i < evaluation.constraint.size(); ++i) {
    const double value = evaluation.constraint[i];
    worst = std::max(worst, equalities[i] ? std::abs(value) : value);
  }
  return worst;
}

void summarise_optimisation(const Job& job, Problem& problem, const OptimisationResult& result,
                            const Convergence& convergence) {
  const Case& c = job.configuration;
  const Design start = problem.controls().apply(problem.controls().start());
  const Design best = problem.controls().apply(result.best_x);
  const Flight before = fly(job, problem, problem.controls().start());
  const Flight after = fly(job, problem, result.best_x);
  write_best_fields(job, after.fields);
  Report report = begin_report(job);
  add_facts(job, problem, result, report);
  for (const std::string& warning : job.tunnel->set_design(best)) {
    if (std::find(job.warnings.begin(), job.warnings.end(), warning) != job.warnings.end())
      continue;
    report.warnings.push_back("the best design: " + warning);
    fmt::print("warning: {}\n", report.warnings.back());
  }
  for (std::size_t b = 0; b < c.bodies.size(); ++b) {
    report.plots.push_back(shape_plot(c, b, start, best));
    report.plots.push_back(force_plot(c, b, before, after));
  }
  add_convergence(c, problem, convergence, report);
  report.pictures = {vorticity_picture(job, before.fields, start, "before"),
                     vorticity_picture(job, after.fields, best, "after")};
  write_report(job.folder / "report.html", job.tunnel->grid(), report);
  fmt::print("{}\n{}\nreport: {}\nfields: {} (open in ParaView)\n", result.reason,
             verdict(problem, result), (job.folder / "report.html").string(),
             (job.folder / "best.xmf").string());
}

} // namespace contraflow::app
