#include "apps/contraflow/design_files.hpp"

#include "src/design/shape.hpp"
#include "src/io/publish.hpp"

#include <fmt/format.h>

namespace contraflow::app {

namespace {

bool is_airfoil(const BodySpec& body) {
  return body.kind == ShapeKind::airfoil_file || body.kind == ShapeKind::naca4;
}

/// The parameters of an airfoil, with its leading edge in the origin and a level chord of one.
std::vector<double> in_chord_frame(const BodySpec& body, std::vector<double> values) {
  const std::size_t centre = values.size() - 4;
  values[centre] = body.pivot;
  values[centre + 1] = 0;
  values[centre + 2] = 0; // angle
  values[centre + 3] = 1; // scale
  return values;
}

std::string as_text(const std::string& title, const std::vector<Vec3>& points) {
  std::string text = title + '\n';
  for (const Vec3& point : points) text += fmt::format("{:.12f} {:.12f}\n", point[0], point[1]);
  return text;
}

} // namespace

void write_design(const Job& job, const Controls& controls, std::span<const double> x,
                  const std::string& name) {
  const Case& c = job.configuration;
  const Design design = controls.apply(x);
  for (std::size_t b = 0; b < design.body.size(); ++b) {
    const BodySpec& body = c.bodies[b];
    std::filesystem::path file = job.folder / name;
    if (design.body.size() > 1) {
      file.replace_filename(file_name(c, b) + "_" + file.filename().string());
    }
    const std::vector<double>& placed = design.body[b];
    const std::string title = fmt::format("{}, {}, {} of the case in resolved.toml",
                                          file_name(c, b), file.filename().string(), signature());
    publish_text(
        file.string() + ".dat",
        as_text(title, outline(c, b, is_airfoil(body) ? in_chord_frame(body, placed) : placed)));
    if (c.grid.dimension != 2) continue;
    write_surface(file.string() + ".vtp", outline(c, b, placed), {}, job.provenance);
  }
}

void write_controls(const Job& job, const Controls& controls, std::span<const double> x) {
  std::string table =
      fmt::format("# {} of the case in resolved.toml\ncontrol,start,best\n", signature());
  const std::vector<std::string> names = names_of(controls);
  for (std::size_t n = 0; n < x.size(); ++n) {
    table += fmt::format("{},{:.17g},{:.17g}\n", names[n], controls.start()[n], x[n]);
  }
  publish_text(job.folder / "best.csv", table);
}

} // namespace contraflow::app
