#include "apps/contraflow/common.hpp"
#include "apps/contraflow/results.hpp"
#include "src/design/motion.hpp"
#include "src/io/progress.hpp"
#include "src/io/publish.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

std::string as_comments(const std::string& text) {
  std::string out = "# ";
  for (const char c : text) out += c == '\n' ? std::string{"\n# "} : std::string(1, c);
  return out + '\n';
}

void write_table(const Job& job, const Problem& problem, const Problem::Values& values) {
  const Controls& controls = problem.controls();
  const std::vector<std::string> names = names_of(controls);
  std::string text = as_comments(job.provenance);
  for (std::size_t f = 0; f < problem.functionals(); ++f) {
    text += fmt::format("# {} = {:.17g}\n", problem.describe(f), values.value[f]);
  }
  text += "control,value";
  for (std::size_t f = 0; f < problem.functionals(); ++f) {
    text += fmt::format(",d({})", cell(problem.describe(f)));
  }
  text += '\n';
  for (std::size_t n = 0; n < controls.size(); ++n) {
    text += fmt::format("{},{:.17g}", names[n], controls.start()[n]);
    for (const std::vector<double>& gradient : values.gradient) {
      text += fmt::format(",{:.17g}", gradient[n]);
    }
    text += '\n';
  }
  publish_text(job.folder / "gradient.csv", text);
}

void print(const Problem& problem, const Problem::Values& values) {
  constexpr std::size_t most = 24;
  const Controls& controls = problem.controls();
  const std::vector<std::string> names = names_of(controls);
  for (std::size_t f = 0; f < problem.functionals(); ++f) {
    fmt::print("{} = {:.10g}\n", problem.describe(f), values.value[f]);
    for (std::size_t n = 0; n < std::min(controls.size(), most); ++n) {
      fmt::print("  d/d {:<32} = {:+.8e}   (at {:g})\n", names[n], values.gradient[f][n],
                 controls.start()[n]);
    }
    if (controls.size() > most)
      fmt::print("  ... {} more in gradient.csv\n", controls.size() - most);
  }
}

/// Adjoint velocity at the start and sensitivities on the surfaces, of the objective.
void write_fields(const Job& job) {
  const Case& c = job.configuration;
  std::vector<NamedField> fields = named_fields(*job.tunnel, job.tunnel->fields(), job.full);
  fields.push_back(
      named_field("adjoint_velocity", 3, false, job.tunnel->adjoint_velocity(0), job.full));
  FieldSeries series{job.folder, "gradient", job.tunnel->grid(), job.provenance,
                     c.output.compression};
  series.write(0, 0, fields);
  for (std::size_t b = 0; b < c.bodies.size(); ++b) {
    if (travels(c.bodies[b])) continue; // its surface is at another place at every step
    const SurfaceMesh mesh = surface(c, b, job.tunnel->baseline().body[b]);
    const auto sensitivity = job.tunnel->surface_sensitivity(0, b, mesh);
    write_surface(job.folder / (file_name(c, b) + ".vtp"), mesh.points,
                  {named_field("sensitivity", 1, true, sensitivity.outward, true),
                   named_field("shift_sensitivity", 3, true, sensitivity.shift, true)},
                  job.provenance, mesh.triangles);
  }
}

Problem::Values compute(Problem& problem) {
  Horizon horizon;
  std::unique_ptr<Progress> bar;
  horizon.progress = [&](long done, long total) {
    if (!bar) bar = std::make_unique<Progress>("gradient", total);
    bar->update(done);
  };
  Problem::Values values = problem.gradients(problem.controls().start(), horizon);
  if (bar) bar->finish();
  return values;
}

} // namespace

int gradient(const Options& options) {
  const Job job = prepare(options, CaseUse::differentiate, true);
  Problem problem{*job.tunnel};
  print_tape_plan(job, problem);
  const Problem::Values values = compute(problem);
  open_folder(job);
  print(problem, values);
  write_table(job, problem, values);
  job.tunnel->start();
  write_fields(job);
  fmt::print("gradient: {}\nfields: {} (open in ParaView)\n",
             (job.folder / "gradient.csv").string(), (job.folder / "gradient.xmf").string());
  return success;
}

} // namespace contraflow::app
