#include "src/design/shape.hpp"

#include "contraflow/error.hpp"
#include "src/design/fourier_curve.hpp"
#include "src/design/naca_curve.hpp"
#include "src/design/placed_curve.hpp"
#include "src/design/plate.hpp"
#include "src/design/round_body.hpp"
#include "src/design/spline_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

namespace contraflow {
namespace {

using Values = std::span<const double>;

[[noreturn]] void fail(const BodySpec& spec, const std::string& key, const std::string& value,
                       const std::string& allowed) {
  throw CaseError(fmt::format("body '{}': {} = {}: {}", spec.name, key, value, allowed));
}

void require_within(const BodySpec& spec, const char* key, double value, double low, double high) {
  if (value >= low && value <= high) return;
  fail(spec, key, fmt::format("{}", value), fmt::format("{} to {} is allowed", low, high));
}

void require_positive(const BodySpec& spec, const char* key, double value) {
  if (value > 0 && std::isfinite(value)) return;
  fail(spec, key, fmt::format("{}", value), "must be positive");
}

/// Camber, its position and the thickness in chords. Without camber its position is 0.4, where the
/// camber would be if it were to grow.
std::array<double, 3> naca_digits(const BodySpec& spec) {
  const std::string& digits = spec.naca;
  if (digits.size() != 4 || digits.find_first_not_of("0123456789") != std::string::npos) {
    fail(spec, "naca", fmt::format("\"{}\"", digits), "four digits are allowed, such as \"2412\"");
  }
  const int camber = digits[0] - '0', position = digits[1] - '0';
  const int thickness = 10 * (digits[2] - '0') + digits[3] - '0';
  if (thickness == 0) {
    fail(spec, "naca", fmt::format("\"{}\"", digits), "the last two digits, thickness, are zero");
  }
  if (camber > 0 && position == 0) {
    fail(spec, "naca", fmt::format("\"{}\"", digits),
         "a foil with camber needs its position, the second digit");
  }
  return {camber / 100.0, position > 0 ? position / 10.0 : 0.4, thickness / 100.0};
}

std::vector<double> displacements(const BodySpec& spec) {
  if (spec.displacement_modes < 0) {
    fail(spec, "displacement_modes", fmt::format("{}", spec.displacement_modes),
         "must not be negative");
  }
  const std::size_t needed = 2 * static_cast<std::size_t>(spec.displacement_modes);
  if (!spec.displacement.empty() && spec.displacement.size() != needed) {
    fail(spec, "displacement", fmt::format("{} values", spec.displacement.size()),
         fmt::format("{} are needed, twice displacement_modes", needed));
  }
  std::vector<double> values = spec.displacement;
  values.resize(needed);
  return values;
}

/// What the case says of the parameters that shape the body.
std::vector<double> shape_values(const BodySpec& spec) {
  std::vector<double> values;
  const auto append = [&](const auto& more) {
    values.insert(values.end(), more.begin(), more.end());
  };
  switch (spec.kind) {
  case ShapeKind::circle:
  case ShapeKind::sphere:
    return {spec.radius};
  case ShapeKind::plate:
    return {spec.thickness};
  case ShapeKind::fourier:
    values = {spec.radius};
    append(spec.cosine);
    append(spec.sine);
    return values;
  case ShapeKind::naca4:
    append(naca_digits(spec));
    [[fallthrough]];
  case ShapeKind::airfoil_file:
    append(displacements(spec));
  }
  return values;
}

std::unique_ptr<Curve> make_naca(const BodySpec& spec, Values a) {
  require_within(spec, "camber", a[0], -0.5, 0.5);
  require_within(spec, "camber position", a[1], 0.05, 0.95);
  require_within(spec, "thickness", a[2], 1e-4, 1);
  return std::make_unique<NacaCurve>(a[0], a[1], a[2], std::vector(a.begin() + 3, a.end()));
}

std::unique_ptr<Curve> make_fourier(const BodySpec& spec, Values a) {
  require_positive(spec, "radius", a[0]);
  const auto sines = a.begin() + 1 + static_cast<std::ptrdiff_t>(spec.cosine.size());
  auto curve = std::make_unique<FourierCurve>(a[0], std::vector(a.begin() + 1, sines),
                                              std::vector(sines, a.end()));
  const double smallest = curve->smallest_radius();
  if (!(smallest > 1e-3 * a[0])) {
    fail(spec, "cosine, sine", fmt::format("{}", fmt::join(a.subspan(1), ", ")),
         fmt::format("the radius falls to {}, it must stay over a thousandth of the mean",
                     smallest));
  }
  return curve;
}

std::unique_ptr<Curve> make_from_file(const BodySpec& spec, Values a) {
  return std::make_unique<SplineCurve>(read_airfoil(spec.file), std::vector(a.begin(), a.end()));
}

void require_simple(const BodySpec& spec, const PlacedCurve& body) {
  const CurveSearch& curve = body.search();
  const std::string shape = spec.kind == ShapeKind::airfoil_file ? spec.file : "shape";
  const std::string parameters = fmt::format("[{:.6g}]", fmt::join(body.values(), ", "));
  const double area = curve.area({}), length = curve.length();
  if (!(area > 1e-7 * length * length)) {
    fail(spec, shape, parameters, fmt::format("it has no area ({:.3g})", area));
  }
  if (const auto crossing = curve.crossing()) {
    fail(spec, shape, parameters,
         fmt::format("the curve crosses itself near ({:.4f}, {:.4f}) of its own frame",
                     (*crossing)[0], (*crossing)[1]));
  }
}

std::unique_ptr<Body> make_curve(const BodySpec& spec, Values a, Placement place) {
  std::unique_ptr<Curve> curve;
  if (spec.kind == ShapeKind::naca4) curve = make_naca(spec, a);
  if (spec.kind == ShapeKind::fourier) curve = make_fourier(spec, a);
  if (spec.kind == ShapeKind::airfoil_file) curve = make_from_file(spec, a);
  if (spec.kind != ShapeKind::fourier) place.pivot = {spec.pivot, 0};
  auto body = std::make_unique<PlacedCurve>(std::move(curve), place);
  require_simple(spec, *body);
  return body;
}

std::unique_ptr<Body> make_plate(const BodySpec& spec, double thickness, Placement place) {
  require_within(spec, "thickness", thickness, 0, 1);
  place.pivot = {spec.pivot, 0};
  return std::make_unique<Plate>(thickness, place);
}

} // namespace

int Body::parameters() const { return shape_parameters() + dimension() + 2; }

SurfaceMesh Body::surface(int points) const {
  SurfaceMesh mesh{outline(points + 1), {}};
  mesh.points.pop_back();
  return mesh;
}

std::unique_ptr<Body> make_body(const BodySpec& spec, int dimension, Values values) {
  const bool sphere = spec.kind == ShapeKind::sphere;
  if (sphere && dimension != 3) fail(spec, "kind", "sphere", "needs a grid of dimension 3");
  const std::size_t axes = sphere ? 3 : 2;
  std::vector<double> all = shape_values(spec);
  const std::size_t shape = all.size();
  Placement place{spec.centre, spec.angle * std::numbers::pi / 180, spec.scale, {}};
  if (values.empty()) {
    const auto standing = placement_values(place, static_cast<int>(axes));
    all.insert(all.end(), standing.begin(), standing.end());
  } else if (values.size() == shape + axes + 2) {
    all.assign(values.begin(), values.end());
  } else {
    fail(spec, "parameters", fmt::format("{} values", values.size()),
         fmt::format("{} are needed", shape + axes + 2));
  }
  for (const double value : all) {
    if (!std::isfinite(value)) fail(spec, "parameters", fmt::format("{}", value), "must be finite");
  }
  std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(shape), axes, place.centre.begin());
  place.angle = all[shape + axes];
  place.scale = all[shape + axes + 1];
  require_positive(spec, "scale", place.scale);
  if (spec.kind == ShapeKind::plate) return make_plate(spec, all[0], place);
  if (!sphere && spec.kind != ShapeKind::circle)
    return make_curve(spec, Values(all).first(shape), place);
  require_positive(spec, "radius", all[0]);
  return std::make_unique<RoundBody>(all[0], static_cast<int>(axes), place);
}

} // namespace contraflow
