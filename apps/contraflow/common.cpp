#include "apps/contraflow/common.hpp"

#include "contraflow/version.hpp"
#include "src/core/memory.hpp"
#include "src/io/publish.hpp"
#include "src/io/restart.hpp"
#include "src/solver/freeze.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace contraflow::app {

namespace {

constexpr int on_cpu = -1;

/// N of "cuda:N", 0 of "cuda"; -1 for anything else.
int cuda_index(const std::string& device) {
  if (device == "cuda") return 0;
  constexpr std::size_t prefix = 5;
  const bool numbered = device.starts_with("cuda:") && device.size() > prefix &&
                        device.size() < prefix + 4 &&
                        device.find_first_not_of("0123456789", prefix) == std::string::npos;
  return numbered ? std::stoi(device.substr(prefix)) : -1;
}

/// Index of the CUDA device to use, or on_cpu.
int choose_device(const std::string& device) {
  if (device == "cpu") return on_cpu;
  if (device == "auto") {
    if (cuda_devices() > 0) return 0;
    fmt::print("no CUDA device {}: running on the CPU\n",
               built_with_cuda() ? "found" : "(built without CUDA)");
    return on_cpu;
  }
  const int index = cuda_index(device);
  if (index < 0) {
    throw CaseError{fmt::format("--device {}: expected auto, cpu or cuda:N", device)};
  }
  if (!built_with_cuda()) {
    throw CaseError{fmt::format("--device {}: this program was built without CUDA", device)};
  }
  if (index >= cuda_devices()) {
    throw CaseError{fmt::format("--device {}: there are {} CUDA devices", device, cuda_devices())};
  }
  return index;
}

void choose_precision(const Options& options, bool full_by_default, Case& c) {
  if (options.precision == "float") c.precision = Precision::single;
  if (options.precision == "double") c.precision = Precision::full;
  if (c.precision == Precision::automatic) {
    c.precision = full_by_default ? Precision::full : Precision::single;
  }
}

std::filesystem::path choose_folder(const Options& options, const Case& c) {
  if (!options.output.empty()) return options.output;
  if (!c.output.directory.empty()) return c.output.directory;
  return std::filesystem::path{options.case_file}.stem().string() + "_out";
}

/// A time step that the case pins under [frozen] is kept; how many, its [time] says.
void follow_horizon(Case& c) {
  FrozenSpec& frozen = c.frozen;
  if (frozen.dt <= 0) return;
  const double end = c.time.end;
  constexpr double most_steps = 1e9;
  if (end > most_steps * frozen.dt) {
    throw CaseError{fmt::format("{}: frozen.dt = {:g}: more than 1e9 steps to time.end = {:g}",
                                c.path, frozen.dt, end)};
  }
  if (c.time.steps > 0) {
    frozen.steps = c.time.steps;
  } else if (!(std::abs(static_cast<double>(frozen.steps) * frozen.dt - end) < frozen.dt)) {
    frozen.steps = std::max(1L, static_cast<long>(std::ceil(end / frozen.dt - 1e-9)));
  }
}

/// Constants that were pinned by hand must fit each other.
void check_frozen(const Case& c) {
  if (c.bodies.empty() || c.frozen.dt <= c.frozen.tau * (1 + 1e-12)) return;
  throw CaseError{fmt::format("{}: frozen.dt = {:g}: must be at most frozen.tau, {:g}", c.path,
                              c.frozen.dt, c.frozen.tau)};
}

/// Every recorded flow that the case names must be one of this grid.
void read_targets(const Case& c, const Grid& grid) {
  std::vector<TermSpec> terms = c.objective;
  for (const ConstraintSpec& constraint : c.constraints) terms.push_back(constraint.term);
  for (const TermSpec& term : terms) {
    if (!term.target_file.empty()) read_restart(term.target_file, grid);
  }
}

void print_job(const Job& job) {
  const Grid& grid = job.tunnel->grid();
  const FrozenSpec& frozen = job.configuration.frozen;
  fmt::print("{}: {} x {}{} cells, h = {:g}, {} steps of {:.4g}, {} on {}\n",
             title_of(job.configuration), grid.cells(0), grid.cells(1),
             grid.dimension == 3 ? fmt::format(" x {}", grid.cells(2)) : "", grid.spacing,
             frozen.steps, frozen.dt, job.full ? "double precision" : "single precision",
             job.device);
  for (const std::string& warning : job.warnings) fmt::print("warning: {}\n", warning);
}

} // namespace

Job prepare(const Options& options, CaseUse use, bool full_by_default, const Complete& complete) {
#ifdef _OPENMP
  if (options.threads > 0) omp_set_num_threads(options.threads);
#endif
  return as_input([&] {
    Job job;
    job.configuration = read_case(options.case_file, options.set, use);
    Case& c = job.configuration;
    choose_precision(options, full_by_default, c);
    job.full = c.precision == Precision::full;
    job.folder = choose_folder(options, c);
    if (complete) complete(c, job.folder);
    follow_horizon(c);
    freeze_constants(c);
    check_frozen(c);
    const int device = choose_device(options.device);
    job.device = device == on_cpu ? "the CPU" : fmt::format("cuda:{}", device);
    job.exec = device == on_cpu ? Exec::cpu() : open_cuda_device(device);
    job.provenance = fmt::format("{}\n{}", signature(), write_case(c));
    job.tunnel = make_wind_tunnel(c, job.exec, job.full);
    job.warnings = job.tunnel->set_design(job.tunnel->baseline());
    if (use == CaseUse::differentiate) read_targets(c, job.tunnel->grid());
    print_job(job);
    return job;
  });
}

void open_folder(const Job& job) {
  as_input([&] {
    create_folder(job.folder);
    publish_text(job.folder / "resolved.toml", "# " + job.provenance);
  });
}

std::string signature() { return fmt::format("contraflow {} {}", version(), commit()); }

std::string title_of(const Case& c) { return c.title.empty() ? c.path : c.title; }

} // namespace contraflow::app
