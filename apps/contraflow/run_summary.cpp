#include "apps/contraflow/results.hpp"
#include "apps/contraflow/run_history.hpp"

#include <fmt/format.h>

namespace contraflow::app {

namespace {

constexpr double allowed_gap = 0.01, settled_part = 0.1, averaged_part = 0.4;

double end_time(const Case& c) { return c.frozen.dt * static_cast<double>(c.frozen.steps); }

void add_body(const Case& c, const BodySpec& body, const ForceHistory& history, Report& report) {
  const double end = end_time(c);
  const double from =
      c.output.average_from >= 0 ? c.output.average_from : (1 - averaged_part) * end;
  const ForceSummary forces =
      summarise(history, from, c.flow.reference_length / c.flow.reference_speed);
  fmt::print("{}: {}  [mean from t = {:g}]\n", body.name, forces.text(), from);
  report.facts.emplace_back(body.name, fmt::format("{}, mean from t = {:g}", forces.text(), from));
  report.facts.emplace_back(
      body.name + ", by control volume",
      fmt::format("Cd {:.4f}, Cl {:+.4f}", forces.drag_balance.mean, forces.lift_balance.mean));
  if (forces.gap > allowed_gap) {
    report.warnings.push_back(fmt::format(
        "body \"{}\": momentum exchange and control volume differ by {:.1f} % (Cd {:.4f} and "
        "{:.4f}, Cl {:.4f} and {:.4f}): the grid is too coarse, or the flow not settled",
        body.name, 100 * forces.gap, forces.drag.mean, forces.drag_balance.mean, forces.lift.mean,
        forces.lift_balance.mean));
    fmt::print("warning: {}\n", report.warnings.back());
  }
  ReportPlot plot{"Forces on " + body.name, "time", "coefficient", {}};
  plot.lines = force_lines(history, settled_part * end);
  report.plots.push_back(plot);
}

} // namespace

void summarise_run(const Job& job, const std::vector<ForceHistory>& bodies) {
  const Case& c = job.configuration;
  Report report = begin_report(job);
  for (std::size_t b = 0; b < bodies.size(); ++b) add_body(c, c.bodies[b], bodies[b], report);
  report.pictures.push_back(vorticity_picture(job, job.tunnel->fields(), job.tunnel->baseline(),
                                              fmt::format("at t = {:.6g}", end_time(c))));
  write_report(job.folder / "report.html", job.tunnel->grid(), report);
  if (!bodies.empty()) fmt::print("forces: {}\n", (job.folder / "forces.csv").string());
  fmt::print("report: {}\nfields: {} (open in ParaView)\n", (job.folder / "report.html").string(),
             (job.folder / "flow.xmf").string());
}

} // namespace contraflow::app
