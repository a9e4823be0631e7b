#include "apps/contraflow/common.hpp"

#include "contraflow/error.hpp"
#include "src/diagnostics/statistics.hpp"
#include "src/io/csv.hpp"
#include "src/io/progress.hpp"
#include "src/io/restart.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

/// Force coefficients of one body over time.
struct History {
  std::vector<double> time, drag, lift, drag_balance, lift_balance;
};

std::vector<std::string> columns(const Case& c) {
  std::vector<std::string> names{"step", "time"};
  for (const BodySpec& body : c.bodies) {
    const std::string prefix = c.bodies.size() == 1 ? "" : body.name + "_";
    for (const char* name : {"Cd", "Cl", "Cs", "Cm", "Cd_control_volume", "Cl_control_volume"}) {
      names.push_back(prefix + name);
    }
  }
  return names;
}

/// Runs the case: histories, fields and restart files as they come.
class Runner {
public:
  explicit Runner(Job& job) : job_{job}, c_{job.configuration}, histories_(c_.bodies.size()) {}

  int go(bool resume);

private:
  long steps_of(double interval) const {
    return interval > 0 ? std::max(1L, std::lround(interval / c_.frozen.dt)) : c_.frozen.steps;
  }
  FlowState read_progress();
  void take(const StepReport& report);
  void save_fields();
  void save_restart() {
    write_restart(job_.folder / "restart.h5", job_.tunnel->grid(), job_.tunnel->state(),
                  job_.provenance);
  }
  void advance_all();
  void summarise();
  std::string now() const;

  Job& job_;
  const Case& c_;
  std::vector<History> histories_;
  std::optional<CsvFile> csv_;
  std::optional<FieldSeries> series_;
};

/// Where an earlier run of the same case in the folder stopped.
FlowState Runner::read_progress() {
  const auto restart = job_.folder / "restart.h5";
  if (!std::filesystem::exists(restart)) {
    throw CaseError{fmt::format("--resume: {} does not exist: there is no run to go on with",
                                restart.string())};
  }
  FlowState state = read_restart(restart, job_.tunnel->grid());
  if (state.dt != c_.frozen.dt) {
    throw CaseError{fmt::format("--resume: {} was written with another time step ({:g}, now {:g})",
                                restart.string(), state.dt, c_.frozen.dt)};
  }
  const CsvTable earlier = read_csv(job_.folder / "forces.csv");
  for (const auto& row : earlier.rows) {
    if (row[0] >= static_cast<double>(state.step)) break;
    for (std::size_t b = 0; b < histories_.size(); ++b) {
      const std::size_t first = 2 + 6 * b;
      History& history = histories_[b];
      history.time.push_back(row[1]);
      history.drag.push_back(row[first]);
      history.lift.push_back(row[first + 1]);
      history.drag_balance.push_back(row[first + 4]);
      history.lift_balance.push_back(row[first + 5]);
    }
  }
  return state;
}

void Runner::take(const StepReport& report) {
  std::vector<double> row{static_cast<double>(report.step), report.time};
  for (std::size_t b = 0; b < histories_.size(); ++b) {
    const Coefficients scale = coefficients_of(c_, c_.bodies[b]);
    const BodyForce &force = report.exchange[b], &balance = report.balance[b];
    for (double component : force.force) row.push_back(scale.force * component);
    row.push_back(scale.moment * force.moment);
    row.push_back(scale.force * balance.force[0]);
    row.push_back(scale.force * balance.force[1]);
    History& history = histories_[b];
    history.time.push_back(report.time);
    history.drag.push_back(scale.force * force.force[0]);
    history.lift.push_back(scale.force * force.force[1]);
    history.drag_balance.push_back(scale.force * balance.force[0]);
    history.lift_balance.push_back(scale.force * balance.force[1]);
  }
  csv_->append(row);
}

void Runner::save_fields() {
  const long step = job_.tunnel->step();
  series_->write(step, static_cast<double>(step) * c_.frozen.dt,
                 named_fields(*job_.tunnel, job_.tunnel->fields(), job_.full));
}

std::string Runner::now() const {
  if (histories_.empty() || histories_[0].drag.empty()) return {};
  return fmt::format("t {:.2f}  Cd {:.4f}  Cl {:+.4f}", histories_[0].time.back(),
                     histories_[0].drag.back(), histories_[0].lift.back());
}

void Runner::advance_all() {
  const long every_fields = steps_of(c_.output.fields_every);
  const long every_restart = steps_of(c_.output.restart_every);
  const long steps = c_.frozen.steps, first = job_.tunnel->step();
  Progress progress{"run", steps, stderr, first};
  while (job_.tunnel->step() < steps && !interrupted()) {
    const long step = job_.tunnel->step();
    const auto next = [&](long every) { return (step / every + 1) * every; };
    const long to = std::min({steps, next(every_fields), next(every_restart)});
    job_.tunnel->advance(to, [&](const StepReport& report) {
      take(report);
      progress.update(report.step + 1, now());
      return !interrupted();
    });
    const long reached = job_.tunnel->step();
    if (reached % every_fields == 0 || reached == steps) save_fields();
    if (reached % every_restart == 0 || reached == steps || interrupted()) save_restart();
  }
  progress.finish();
}

int Runner::go(bool resume) {
  const FlowState earlier = resume ? read_progress() : FlowState{};
  job_.tunnel->start(resume ? &earlier : nullptr);
  open_folder(job_);
  series_.emplace(job_.folder, "flow", job_.tunnel->grid(), job_.provenance, c_.output.compression);
  if (resume) {
    csv_.emplace(CsvFile::resume(job_.folder / "forces.csv", columns(c_)));
    csv_->keep_rows_before("step", static_cast<double>(earlier.step));
    series_->resume_before(earlier.time * (1 + 1e-12));
  } else {
    csv_.emplace(job_.folder / "forces.csv", csv_header(), columns(c_));
    std::filesystem::remove(job_.folder / "restart.h5");
    save_fields();
  }
  try {
    advance_all();
  } catch (const DivergenceError&) {
    save_restart();
    save_fields();
    fmt::print(stderr, "the last good state is in {}\n", (job_.folder / "restart.h5").string());
    throw;
  }
  if (interrupted()) {
    fmt::print("interrupted at step {}; go on with --resume\n", job_.tunnel->step());
    return interrupted_by_user;
  }
  if (!c_.output.record.empty()) {
    write_restart(c_.output.record, job_.tunnel->grid(), job_.tunnel->state(), job_.provenance);
  }
  summarise();
  return success;
}

void Runner::summarise() {
  Report report;
  report.title = c_.title.empty() ? c_.path : c_.title;
  report.warnings = job_.warnings;
  report.provenance = job_.provenance;
  const double end = c_.frozen.dt * static_cast<double>(c_.frozen.steps);
  const double from = c_.output.average_from >= 0 ? c_.output.average_from : 0.6 * end;
  const double length = c_.flow.reference_length, speed = c_.flow.reference_speed;
  for (std::size_t b = 0; b < histories_.size(); ++b) {
    const History& history = histories_[b];
    std::size_t first = 0;
    while (first < history.time.size() && history.time[first] < from) ++first;
    const Periods periods = whole_periods(history.time, history.lift, first, 1);
    const SignalStatistics drag = statistics(history.drag, periods);
    const SignalStatistics lift = statistics(history.lift, periods);
    const SignalStatistics drag_balance = statistics(history.drag_balance, periods);
    const SignalStatistics lift_balance = statistics(history.lift_balance, periods);
    std::string text = fmt::format("Cd {:.4f} (amplitude {:.4f})  Cl {:+.4f} (amplitude {:.4f})",
                                   drag.mean, drag.amplitude, lift.mean, lift.amplitude);
    if (periods.frequency > 0)
      text += fmt::format("  St {:.4f}", periods.frequency * length / speed);
    fmt::print("{}: {}  [mean from t = {:g}]\n", c_.bodies[b].name, text, from);
    report.facts.emplace_back(c_.bodies[b].name, text);
    const double size = std::max({std::abs(drag.mean), std::abs(lift.mean), 1e-3});
    const double gap =
        std::max(std::abs(drag.mean - drag_balance.mean), std::abs(lift.mean - lift_balance.mean)) /
        size;
    report.facts.emplace_back(
        "by control volume",
        fmt::format("Cd {:.4f}  Cl {:+.4f}", drag_balance.mean, lift_balance.mean));
    if (gap > 0.01) {
      report.warnings.push_back(
          fmt::format("body \"{}\": momentum exchange and control volume differ by {:.1f} % (Cd "
                      "{:.4f} and {:.4f}, "
                      "Cl {:.4f} and {:.4f}): the grid is too coarse, or the flow not settled",
                      c_.bodies[b].name, 100 * gap, drag.mean, drag_balance.mean, lift.mean,
                      lift_balance.mean));
      fmt::print("warning: {}\n", report.warnings.back());
    }
    ReportPlot plot{.title = "Forces on " + c_.bodies[b].name,
                    .x_label = "time",
                    .y_label = "coefficient",
                    .lines = {}};
    plot.lines.push_back({"Cd", history.time, history.drag});
    plot.lines.push_back({"Cl", history.time, history.lift});
    report.plots.push_back(plot);
  }
  report.pictures.push_back(
      vorticity_picture(job_, job_.tunnel->fields(), job_.tunnel->baseline().body));
  write_report(job_.folder / "report.html", job_.tunnel->grid(), report);
  fmt::print("report: {}\nfields: {} (open in ParaView)\n", (job_.folder / "report.html").string(),
             (job_.folder / "flow.xmf").string());
}

} // namespace

int run(const Options& options) {
  Job job = prepare(options, CaseUse::run, false);
  watch_for_interrupt();
  return Runner{job}.go(options.resume);
}

} // namespace contraflow::app
