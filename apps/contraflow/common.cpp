#include "apps/contraflow/common.hpp"

#include "contraflow/error.hpp"
#include "contraflow/version.hpp"
#include "src/core/memory.hpp"
#include "src/solver/freeze.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace contraflow::app {

namespace {

volatile std::sig_atomic_t interrupts = 0;

extern "C" void on_interrupt(int) {
  interrupts = interrupts + 1;
  if (interrupts > 1) std::_Exit(interrupted_by_user);
}

Exec choose_device(const std::string& device) {
  if (device == "cpu") return Exec::cpu();
  if (device == "auto") {
    if (cuda_devices() > 0) return open_cuda_device(0);
    fmt::print("no CUDA device {}: running on the CPU\n",
               built_with_cuda() ? "found" : "(built without CUDA)");
    return Exec::cpu();
  }
  int index = -1;
  if (device == "cuda") index = 0;
  if (device.rfind("cuda:", 0) == 0 &&
      device.find_first_not_of("0123456789", 5) == std::string::npos && device.size() > 5 &&
      device.size() < 9) {
    index = std::stoi(device.substr(5));
  }
  if (index < 0) {
    throw CaseError{fmt::format("--device {}: expected auto, cpu or cuda:N", device)};
  }
  if (!built_with_cuda()) {
    throw CaseError{fmt::format("--device {}: this program was built without CUDA", device)};
  }
  if (index >= cuda_devices()) {
    throw CaseError{fmt::format("--device {}: there are {} CUDA devices", device, cuda_devices())};
  }
  return open_cuda_device(index);
}

bool choose_precision(const Options& options, Case& c, bool full_by_default) {
  if (options.precision == "float") c.precision = Precision::single;
  if (options.precision == "double") c.precision = Precision::full;
  if (c.precision == Precision::automatic) return full_by_default;
  return c.precision == Precision::full;
}

} // namespace

Job prepare(const Options& options, CaseUse use, bool full_by_default,
            const std::function<void(Case&)>& complete) {
#ifdef _OPENMP
  if (options.threads > 0) omp_set_num_threads(options.threads);
#endif
  Job job;
  job.configuration = read_case(options.case_file, options.set, use);
  Case& c = job.configuration;
  job.full = choose_precision(options, c, full_by_default);
  if (complete) complete(c);
  freeze_constants(c);
  job.exec = choose_device(options.device);
  if (!options.output.empty()) c.output.directory = options.output;
  if (c.output.directory.empty()) {
    c.output.directory = std::filesystem::path{options.case_file}.stem().string() + "_out";
  }
  job.folder = c.output.directory;
  job.provenance = fmt::format("contraflow {} {}\n{}", version(), commit(), write_case(c));
  job.tunnel = make_wind_tunnel(c, job.exec, job.full);
  job.warnings = job.tunnel->set_design(job.tunnel->baseline());
  const Grid& grid = job.tunnel->grid();
  fmt::print("{}: {} x {}{} cells, h = {:g}, {} steps of {:.4g}, {}\n",
             c.title.empty() ? c.path : c.title, grid.cells(0), grid.cells(1),
             grid.dimension == 3 ? fmt::format(" x {}", grid.cells(2)) : "", grid.spacing,
             c.frozen.steps, c.frozen.dt, job.full ? "double precision" : "single precision");
  for (const std::string& warning : job.warnings) fmt::print("warning: {}\n", warning);
  return job;
}

void open_folder(Job& job) {
  std::error_code problem;
  std::filesystem::create_directories(job.folder, problem);
  if (problem) {
    throw FileError{fmt::format("{}: cannot create the output folder: {}", job.folder.string(),
                                problem.message())};
  }
  publish_text(job.folder / "resolved.toml", fmt::format("# contraflow {} {}\n{}", version(),
                                                         commit(), write_case(job.configuration)));
}

void watch_for_interrupt() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupted() { return interrupts > 0; }

NamedField named_field(const std::string& name, int components, bool on_points,
                       const std::vector<double>& values, bool full) {
  NamedField field;
  field.name = name;
  field.components = components;
  field.on_points = on_points;
  if (full) {
    field.full = values;
  } else {
    for (double value : values) field.single.push_back(static_cast<float>(value));
  }
  return field;
}

std::vector<NamedField> named_fields(const WindTunnel& tunnel, const WindTunnel::Fields& fields,
                                     bool full) {
  std::vector<NamedField> named;
  named.push_back(named_field("velocity", 3, false, fields.velocity, full));
  named.push_back(named_field("pressure", 1, false, fields.pressure, full));
  named.push_back(named_field("vorticity", tunnel.grid().dimension == 3 ? 3 : 1, false,
                              fields.vorticity, full));
  if (!fields.distance.empty()) {
    named.push_back(named_field("body_distance", 1, true, fields.distance, full));
  }
  return named;
}

std::vector<Vec3> outline(const Case& c, std::size_t b, const std::vector<double>& values) {
  return make_body(c.bodies[b], c.grid.dimension, values)->outline(200);
}

ReportPicture vorticity_picture(const Job& job, const WindTunnel::Fields& fields,
                                const std::vector<std::vector<double>>& bodies) {
  const Grid& grid = job.tunnel->grid();
  const Case& c = job.configuration;
  ReportPicture picture;
  picture.title = "Vorticity (blue clockwise, red counter-clockwise), saturated at ";
  const double length = c.flow.reference_length;
  picture.window = {grid.faces[0].front(), grid.faces[0].back(), grid.faces[1].front(),
                    grid.faces[1].back()};
  if (!bodies.empty()) {
    picture.outline = outline(c, 0, bodies[0]);
    const Vec3 at = picture.outline[0];
    picture.window = {std::max(picture.window[0], at[0] - 2.5 * length),
                      std::min(picture.window[1], at[0] + 7.5 * length),
                      std::max(picture.window[2], at[1] - 2 * length),
                      std::min(picture.window[3], at[1] + 2 * length)};
  }
  picture.range = 3 * c.flow.reference_speed / length;
  picture.title += fmt::format("{:g}", picture.range);
  const auto plane =
      static_cast<std::size_t>(grid.cells(0)) * static_cast<std::size_t>(grid.cells(1));
  const std::size_t first =
      grid.dimension == 3 ? plane * static_cast<std::size_t>(grid.cells(2) / 2) : 0;
  for (std::size_t n = first; n < first + plane; ++n) {
    const double value = grid.dimension == 3 ? fields.vorticity[3 * n + 2] : fields.vorticity[n];
    picture.cells.push_back(static_cast<float>(value));
  }
  return picture;
}

std::string csv_header() { return fmt::format("contraflow {} {}", version(), commit()); }

} // namespace contraflow::app
