#include "apps/contraflow/results.hpp"

#include "src/design/motion.hpp"
#include "src/design/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

constexpr int outline_points = 200;

std::string safe(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || (c == '.' && !out.empty());
    out += plain ? c : '_';
  }
  return out;
}

/// The smallest of 1, 2, 3 and 5 times a power of ten that is not below `value`.
double rounded_up(double value) {
  const double power = std::pow(10., std::floor(std::log10(value)));
  for (const double factor : {1., 2., 3., 5.}) {
    if (value <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// All bodies with room for their wake, within the domain; without bodies the domain.
std::array<double, 4> window_of(const Grid& grid, const std::vector<Vec3>& outline) {
  const auto &x = grid.faces[0], &y = grid.faces[1];
  std::array<double, 4> box{INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (const Vec3& point : outline) {
    if (!std::isfinite(point[0])) continue;
    box = {std::min(box[0], point[0]), std::max(box[1], point[0]), std::min(box[2], point[1]),
           std::max(box[3], point[1])};
  }
  if (!(box[0] <= box[1])) return {x.front(), x.back(), y.front(), y.back()};
  const double length = box[1] - box[0], height = box[3] - box[2];
  const double beside = std::max(0.5 * length, 1.5 * height);
  const double behind = std::max(2 * length, 7 * height);
  return {std::max(x.front(), box[0] - beside), std::min(x.back(), box[1] + behind),
          std::max(y.front(), box[2] - beside), std::min(y.back(), box[3] + beside)};
}

std::vector<float> middle_plane(const Grid& grid, const std::vector<double>& vorticity) {
  const auto plane =
      static_cast<std::size_t>(grid.cells(0)) * static_cast<std::size_t>(grid.cells(1));
  const bool solid = grid.dimension == 3;
  const std::size_t first = solid ? plane * static_cast<std::size_t>(grid.cells(2) / 2) : 0;
  std::vector<float> cells;
  for (std::size_t n = first; n < first + plane; ++n) {
    cells.push_back(static_cast<float>(solid ? vorticity[3 * n + 2] : vorticity[n]));
  }
  return cells;
}

} // namespace

std::string cell(std::string text) {
  for (char& c : text) {
    if (c == ',') c = ';';
    if (static_cast<unsigned char>(c) < 32 || c == '"') c = ' ';
  }
  return text;
}

std::vector<std::string> names_of(const Controls& controls) {
  std::vector<std::string> names;
  for (const std::string& name : controls.names()) names.push_back(cell(name));
  for (const Controls::Group& group : controls.groups()) {
    if (group.kind == ControlKind::angle) names[group.first] += " [rad]";
  }
  return names;
}

std::string file_name(const Case& c, std::size_t b) {
  const std::string name = safe(c.bodies[b].name);
  for (std::size_t other = 0; other < b; ++other) {
    if (safe(c.bodies[other].name) == name) return fmt::format("{}_{}", name, b + 1);
  }
  return name;
}

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
  const int components = tunnel.grid().dimension == 3 ? 3 : 1;
  std::vector<NamedField> named;
  named.push_back(named_field("velocity", 3, false, fields.velocity, full));
  named.push_back(named_field("pressure", 1, false, fields.pressure, full));
  named.push_back(named_field("vorticity", components, false, fields.vorticity, full));
  if (!fields.distance.empty()) {
    named.push_back(named_field("body_distance", 1, true, fields.distance, full));
  }
  return named;
}

SurfaceMesh surface(const Case& c, std::size_t b, const std::vector<double>& values) {
  constexpr int around_sphere = 64;
  const auto body = make_body(c.bodies[b], c.grid.dimension, values);
  return body->surface(body->dimension() == 3 ? around_sphere : outline_points);
}

std::vector<Vec3> outline(const Case& c, std::size_t b, const std::vector<double>& values) {
  return make_body(c.bodies[b], c.grid.dimension, values)->outline(outline_points);
}

ReportPicture vorticity_picture(const Job& job, const WindTunnel::Fields& fields,
                                const Design& design, const std::string& when) {
  const Grid& grid = job.tunnel->grid();
  const Case& c = job.configuration;
  ReportPicture picture;
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  const double time = static_cast<double>(job.tunnel->step()) * c.frozen.dt;
  for (std::size_t b = 0; b < c.bodies.size(); ++b) {
    const Vec3 moved = displacement_at(c.bodies[b], design.oscillation[b], time);
    for (const Vec3& point : outline(c, b, design.body[b])) {
      picture.outline.push_back({point[0] + moved[0], point[1] + moved[1], point[2] + moved[2]});
    }
    picture.outline.push_back({gap, gap, gap});
  }
  picture.window = window_of(grid, picture.outline);
  picture.cells = middle_plane(grid, fields.vorticity);
  double most = 0;
  for (const float value : picture.cells) most = std::max(most, std::abs(double{value}));
  const double length = c.flow.reference_length, speed = c.flow.reference_speed;
  const double reynolds = speed * length / c.flow.viscosity; // its root: 1 / a boundary layer
  picture.range = rounded_up(std::max(2.5, 0.25 * std::sqrt(reynolds)) * speed / length);
  if (most > 0 && most < picture.range) picture.range = rounded_up(most);
  picture.title = fmt::format("Vorticity {}{}: red turns counter-clockwise, blue clockwise", when,
                              grid.dimension == 3 ? " in the middle plane" : "");
  return picture;
}

Report begin_report(const Job& job) {
  const Case& c = job.configuration;
  const Grid& grid = job.tunnel->grid();
  const double length = c.flow.reference_length, speed = c.flow.reference_speed;
  Report report;
  report.title = title_of(c);
  report.warnings = job.warnings;
  report.provenance = job.provenance;
  const std::string deep = grid.dimension == 3 ? fmt::format(" x {}", grid.cells(2)) : "";
  report.facts = {
      {"Reynolds number", fmt::format("{:.6g}", speed * length / c.flow.viscosity)},
      {"grid",
       fmt::format("{} x {}{} cells, the smallest {:g} wide: {:.4g} to a reference length",
                   grid.cells(0), grid.cells(1), deep, grid.spacing, length / grid.spacing)},
      {"time", fmt::format("{} steps of {:.4g}, up to t = {:.6g}", c.frozen.steps, c.frozen.dt,
                           c.frozen.dt * static_cast<double>(c.frozen.steps))},
      {"precision", job.full ? "double" : "single"}};
  return report;
}

void print_tape_plan(const Job& job, const Problem& problem) {
  const long steps = job.configuration.frozen.steps;
  const TapePlan plan = job.tunnel->plan(steps, problem.functionals());
  constexpr double megabyte = 1 << 20;
  if (plan.keeps_stages) {
    fmt::print("tape: stage values of all {} steps, {:.4g} MiB; nothing is computed twice\n", steps,
               plan.record_bytes * static_cast<double>(steps) / megabyte);
  } else {
    fmt::print("tape: {} states of {:.4g} MiB; {:.2f} forward runs of recomputation\n", plan.slots,
               plan.state_bytes / megabyte,
               static_cast<double>(plan.advances) / static_cast<double>(steps));
  }
}

} // namespace contraflow::app
