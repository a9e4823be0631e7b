#include "apps/contraflow/common.hpp"

#include "src/design/problem.hpp"
#include "src/io/progress.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

void write_table(const Job& job, const Problem& problem, const Problem::Values& values) {
  std::string text = fmt::format("# {}\ncontrol,value", csv_header());
  for (std::size_t f = 0; f < problem.functionals(); ++f) {
    text += fmt::format(",d({})", problem.describe(f));
  }
  text += '\n';
  const Controls& controls = problem.controls();
  for (std::size_t n = 0; n < controls.size(); ++n) {
    text += fmt::format("{},{:.17g}", controls.names()[n], controls.start()[n]);
    for (std::size_t f = 0; f < problem.functionals(); ++f) {
      text += fmt::format(",{:.17g}", values.gradient[f][n]);
    }
    text += '\n';
  }
  publish_text(job.folder / "gradient.csv", text);
}

void print(const Problem& problem, const Problem::Values& values) {
  for (std::size_t f = 0; f < problem.functionals(); ++f) {
    fmt::print("{} = {:.10g}\n", problem.describe(f), values.value[f]);
    constexpr std::size_t most = 24;
    const Controls& controls = problem.controls();
    for (std::size_t n = 0; n < std::min(controls.size(), most); ++n) {
      fmt::print("  d/d {:<28} = {:+.8e}   (at {:g})\n", controls.names()[n], values.gradient[f][n],
                 controls.start()[n]);
    }
    if (controls.size() > most)
      fmt::print("  ... {} more in gradient.csv\n", controls.size() - most);
  }
}

/// Adjoint velocity at the start and, in 2D, sensitivities on the surfaces, of the objective.
void write_fields(Job& job) {
  std::vector<NamedField> fields = named_fields(*job.tunnel, job.tunnel->fields(), job.full);
  fields.push_back(
      named_field("adjoint_velocity", 3, false, job.tunnel->adjoint_velocity(0), job.full));
  FieldSeries series{job.folder, "gradient", job.tunnel->grid(), job.provenance,
                     job.configuration.output.compression};
  series.write(0, 0, fields);
  const Case& c = job.configuration;
  for (std::size_t b = 0; b < c.bodies.size() && c.grid.dimension == 2; ++b) {
    constexpr int points = 200;
    const auto sensitivity = job.tunnel->surface_sensitivity(0, b, points);
    write_outline(job.folder / (c.bodies[b].name + ".vtp"),
                  make_body(c.bodies[b], 2)->outline(points),
                  {named_field("sensitivity", 1, true, sensitivity, true)});
  }
}

} // namespace

int gradient(const Options& options) {
  Job job = prepare(options, CaseUse::differentiate, true);
  Problem problem{*job.tunnel};
  const long steps = job.configuration.frozen.steps;
  const TapePlan plan = job.tunnel->plan(steps, problem.functionals());
  const double gigabyte = 1 << 30;
  if (plan.keeps_stages) {
    fmt::print("tape: stage values of all {} steps, {:.3g} GiB; nothing is computed twice\n", steps,
               plan.record_bytes * static_cast<double>(steps) / gigabyte);
  } else {
    fmt::print("tape: {} states of {:.3g} GiB; {:.2f} forward runs of recomputation\n", plan.slots,
               plan.state_bytes / gigabyte,
               static_cast<double>(plan.advances) / static_cast<double>(steps));
  }
  Horizon horizon;
  std::unique_ptr<Progress> bar;
  horizon.progress = [&](long done, long total) {
    if (!bar) bar = std::make_unique<Progress>("gradient", total);
    bar->update(done);
  };
  const Problem::Values values = problem.gradients(problem.controls().start(), horizon);
  if (bar) bar->finish();
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
