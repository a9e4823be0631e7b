#include "apps/contraflow/common.hpp"
#include "apps/contraflow/earlier_case.hpp"
#include "apps/contraflow/results.hpp"
#include "apps/contraflow/run_history.hpp"
#include "src/io/fields.hpp"
#include "src/io/progress.hpp"
#include "src/io/publish.hpp"
#include "src/io/restart.hpp"

#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto longest_unsaved = std::chrono::seconds{60};

/// Where an earlier run in the folder stopped; nothing where it stopped before it saved anything.
using Earlier = std::optional<FlowState>;

std::filesystem::path restart_in(const std::filesystem::path& folder) {
  return folder / "restart.h5";
}

/// On --resume: checks that the folder holds a run of this case, and keeps its time step and the
/// other constants that were frozen for it. It may go on for longer, and write other files.
void adopt_earlier(Case& c, const std::filesystem::path& folder) {
  const std::filesystem::path restart = restart_in(folder);
  if (!std::filesystem::exists(restart)) {
    if (std::filesystem::exists(folder / "resolved.toml")) return;
    throw CaseError{fmt::format("--resume: {} does not exist: there is no run to go on with",
                                restart.string())};
  }
  const WrittenCase earlier = read_written(read_provenance(restart));
  const std::string difference =
      first_difference(earlier, read_written(write_case(c)),
                       {"title", "output.", "control.", "objective.", "constraint.", "optimizer.",
                        "check.", "tape.", "time.end", "time.steps", "frozen."});
  if (!difference.empty()) {
    throw CaseError{fmt::format("--resume: {} is of another case: {}; run without --resume, or "
                                "start from that file with time.start_from",
                                restart.string(), difference)};
  }
  c.frozen = frozen_of(earlier);
}

/// Runs the case: histories, fields and restart files as they come.
class Runner {
public:
  explicit Runner(Job& job) : job_{job}, c_{job.configuration}, history_{job} {}

  int go(bool resume);

private:
  long steps_of(double interval) const {
    const double steps = interval / c_.frozen.dt;
    const bool within = interval > 0 && steps < static_cast<double>(c_.frozen.steps);
    return within ? std::max(1L, std::lround(steps)) : c_.frozen.steps;
  }
  Earlier read_earlier();
  void open(const Earlier& earlier);
  void save_fields();
  void save_restart();
  void advance_all();
  void advance_to(long step, Progress& progress);

  Job& job_;
  const Case& c_;
  RunHistory history_;
  std::optional<FieldSeries> series_;
  Clock::time_point saved_at_;
};

Earlier Runner::read_earlier() {
  const std::filesystem::path restart = restart_in(job_.folder);
  if (!std::filesystem::exists(restart)) {
    fmt::print("nothing was saved yet: starting from the beginning\n");
    return {};
  }
  FlowState state = read_restart(restart, job_.tunnel->grid());
  if (state.step > c_.frozen.steps) {
    throw CaseError{fmt::format("--resume: {} is at step {}, this case ends at {}",
                                restart.string(), state.step, c_.frozen.steps)};
  }
  history_.read_before(state.step);
  fmt::print("going on at step {}, t = {:g}\n", state.step, state.time);
  return state;
}

void Runner::open(const Earlier& earlier) {
  job_.tunnel->start(earlier ? &*earlier : nullptr);
  open_folder(job_);
  std::filesystem::remove(job_.folder / "report.html");
  if (!earlier) std::filesystem::remove(restart_in(job_.folder));
  series_.emplace(job_.folder, "flow", job_.tunnel->grid(), job_.provenance, c_.output.compression);
  if (earlier) {
    history_.resume(earlier->step);
    series_->resume_before(earlier->time * (1 + 1e-12));
  } else {
    history_.create();
    save_fields();
  }
  save_restart();
}

void Runner::save_fields() {
  const long step = job_.tunnel->step();
  series_->write(step, static_cast<double>(step) * c_.frozen.dt,
                 named_fields(*job_.tunnel, job_.tunnel->fields(), job_.full));
}

void Runner::save_restart() {
  write_restart(restart_in(job_.folder), job_.tunnel->grid(), job_.tunnel->state(),
                job_.provenance);
  saved_at_ = Clock::now();
}

void Runner::advance_to(long step, Progress& progress) {
  job_.tunnel->advance(step, [&](const StepReport& report) {
    history_.append(report);
    progress.update(report.step + 1, history_.now());
    return !interrupted() && Clock::now() - saved_at_ < longest_unsaved;
  });
}

void Runner::advance_all() {
  const long every_fields = steps_of(c_.output.fields_every);
  const long every_restart = steps_of(c_.output.restart_every);
  const long steps = c_.frozen.steps;
  Progress progress{"run", steps, stderr, job_.tunnel->step()};
  while (job_.tunnel->step() < steps && !interrupted()) {
    const long step = job_.tunnel->step();
    const auto next = [&](long every) { return (step / every + 1) * every; };
    advance_to(std::min({steps, next(every_fields), next(every_restart)}), progress);
    const long reached = job_.tunnel->step();
    const bool late = Clock::now() - saved_at_ >= longest_unsaved;
    if (reached % every_fields == 0 || reached == steps) save_fields();
    if (reached % every_restart == 0 || reached == steps || late || interrupted()) save_restart();
  }
  progress.finish();
}

int Runner::go(bool resume) {
  open(resume ? as_input([&] { return read_earlier(); }) : Earlier{});
  try {
    advance_all();
  } catch (const DivergenceError&) {
    save_restart();
    save_fields();
    fmt::print(stderr, "the last good state is in {}\n", restart_in(job_.folder).string());
    throw;
  }
  if (interrupted()) {
    fmt::print("interrupted at step {} of {}; go on with --resume\n", job_.tunnel->step(),
               c_.frozen.steps);
    return interrupted_by_user;
  }
  if (!c_.output.record.empty()) {
    write_restart(c_.output.record, job_.tunnel->grid(), job_.tunnel->state(), job_.provenance);
    fmt::print("recorded: {}\n", c_.output.record);
  }
  summarise_run(job_, history_.bodies());
  return success;
}

/// A file that is written only at the end must have a place to go to.
void check_record(const Case& c) {
  if (c.output.record.empty()) return;
  const std::filesystem::path record{c.output.record};
  if (std::filesystem::is_directory(record)) {
    throw CaseError{
        fmt::format("{}: output.record = \"{}\": is a folder", c.path, c.output.record)};
  }
  if (!std::filesystem::is_directory(record.parent_path())) {
    throw CaseError{fmt::format("{}: output.record = \"{}\": there is no folder {}", c.path,
                                c.output.record, record.parent_path().string())};
  }
}

} // namespace

int run(const Options& options) {
  Job job =
      prepare(options, CaseUse::run, false, [&](Case& c, const std::filesystem::path& folder) {
        check_record(c);
        if (options.resume) adopt_earlier(c, folder);
      });
  watch_for_interrupt("\nstopping and saving; once more to stop at once\n");
  return Runner{job}.go(options.resume);
}

} // namespace contraflow::app
