#include "src/design/design.hpp"

#include "src/design/functional.hpp"
#include "src/design/motion.hpp"

#include "contraflow/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace contraflow {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::pair<std::size_t, std::size_t> side_index(const std::string& side) {
  return {static_cast<std::size_t>(side.at(0) - 'x'), side.substr(2) == "high" ? 1u : 0u};
}

} // namespace

Design baseline_design(const Case& c, const std::array<std::size_t, 3>& initial_faces) {
  Design design;
  design.viscosity = c.flow.viscosity;
  for (const BodySpec& body : c.bodies) {
    design.body.push_back(make_body(body, c.grid.dimension)->values());
    design.rotation.push_back(rotation_values(body));
    design.oscillation.push_back(oscillation_values(body));
  }
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.grid.dimension); ++a) {
    for (std::size_t end = 0; end < 2; ++end) {
      const BoundarySpec& side = c.boundary[a][end];
      if (side.type != BoundaryType::inflow) continue;
      design.inflow[a][end] =
          side.profile == InflowProfile::values ? side.values : std::vector<double>{side.speed};
    }
  }
  for (std::size_t a = 0; a < 3; ++a) design.initial[a].assign(initial_faces[a], 0.0);
  return design;
}

Design zero_like(const Design& design) {
  Design zero = design;
  zero.viscosity = 0;
  const auto clear = [](std::vector<double>& values) { values.assign(values.size(), 0.0); };
  for (auto& values : zero.body) clear(values);
  for (auto& values : zero.rotation) clear(values);
  for (auto& values : zero.oscillation) clear(values);
  for (auto& axis : zero.inflow) {
    for (auto& values : axis) clear(values);
  }
  for (auto& values : zero.initial) clear(values);
  return zero;
}

KnotWeights knot_weights(const std::vector<double>& times, double time) {
  KnotWeights at;
  if (times.size() < 2 || time < times.front()) return at;
  while (at.first + 1 < times.size() && times[at.first + 1] <= time) ++at.first;
  at.second = std::min(at.first + 1, times.size() - 1);
  if (at.second == at.first) return at;
  const double length = times[at.second] - times[at.first];
  at.weight[1] = (time - times[at.first]) / length;
  at.weight[0] = 1 - at.weight[1];
  at.slope[0] = -1 / length;
  at.slope[1] = 1 / length;
  return at;
}

InletShape inlet_shape(const BoundarySpec& side, const Grid& grid, int axis) {
  const std::size_t a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  const auto fraction = [&](std::size_t across, std::size_t n) {
    const auto& faces = grid.faces[across];
    return (0.5 * (faces[n] + faces[n + 1]) - faces.front()) / (faces.back() - faces.front());
  };
  InletShape shape;
  if (side.profile == InflowProfile::values) shape.coefficients = side.position.size();
  for (std::size_t n = 0; n + 1 < grid.faces[b].size(); ++n) {
    for (std::size_t m = 0; m + 1 < grid.faces[a].size(); ++m) {
      InletShape::Share share;
      if (side.profile == InflowProfile::values) {
        const double at = 0.5 * (grid.faces[a][m] + grid.faces[a][m + 1]);
        const KnotWeights weights = knot_weights(side.position, at);
        share = {{weights.first, weights.second}, {weights.weight[0], weights.weight[1]}};
      } else {
        double value = 1;
        if (side.profile == InflowProfile::parabolic) {
          value = 4 * fraction(a, m) * (1 - fraction(a, m));
          if (grid.dimension == 3) value *= 4 * fraction(b, n) * (1 - fraction(b, n));
        }
        share.weight[0] = value;
      }
      shape.faces.push_back(share);
    }
  }
  return shape;
}

namespace {

constexpr const char* part_words[] = {"", " mean", " amplitude", " frequency", " phase"};

/// Whether a control is one of angles, which files give in degrees.
bool in_degrees(const ControlSpec& spec) {
  return spec.kind == ControlKind::angle || spec.part == MotionPart::phase;
}

} // namespace

std::vector<double*> Controls::places(const Group& group, const ControlSpec& spec, Design& design) {
  std::vector<double*> places;
  const auto add = [&](std::vector<double>& values, std::size_t first, std::size_t count) {
    for (std::size_t n = first; n < first + count; ++n) places.push_back(&values[n]);
  };
  if (group.kind == ControlKind::viscosity) return {&design.viscosity};
  if (group.kind == ControlKind::inflow) {
    const auto [axis, end] = side_index(spec.side);
    add(design.inflow[axis][end], 0, design.inflow[axis][end].size());
    return places;
  }
  if (group.kind == ControlKind::initial) {
    for (auto& values : design.initial) add(values, 0, values.size());
    return places;
  }
  if (group.kind == ControlKind::rotation) {
    std::vector<double>& values = design.rotation[group.body];
    if (spec.part == MotionPart::none) {
      add(values, 0, values.size());
    } else { // mean, amplitude, frequency, phase
      add(values, static_cast<std::size_t>(spec.part) - 1, 1);
    }
    return places;
  }
  if (group.kind == ControlKind::oscillation) { // amplitude along three axes, frequency, phase
    const bool amplitude = spec.part == MotionPart::amplitude;
    add(design.oscillation[group.body], amplitude ? 0 : static_cast<std::size_t>(spec.part),
        amplitude ? group.count : 1);
    return places;
  }
  std::vector<double>& values = design.body[group.body]; // shape..., centre, angle, scale
  const std::size_t angle = values.size() - 2;
  const std::size_t centre = angle - group.count; // used by position alone
  if (group.kind == ControlKind::shape) add(values, 0, group.count);
  if (group.kind == ControlKind::position) add(values, centre, group.count);
  if (group.kind == ControlKind::angle) add(values, angle, 1);
  if (group.kind == ControlKind::scale) add(values, angle + 1, 1);
  return places;
}

std::vector<std::string> Controls::names_of(const Case& c, const Group& group, MotionPart part,
                                            std::size_t count) {
  const bool of_body = group.kind == ControlKind::shape || group.kind == ControlKind::position ||
                       group.kind == ControlKind::angle || group.kind == ControlKind::scale;
  std::vector<std::string> names;
  if (of_body) {
    const std::vector<std::string> all = make_body(c.bodies[group.body], c.grid.dimension)->names();
    const std::size_t angle = all.size() - 2;
    std::size_t first = 0;
    if (group.kind == ControlKind::position) first = angle - count;
    if (group.kind == ControlKind::angle) first = angle;
    if (group.kind == ControlKind::scale) first = angle + 1;
    for (std::size_t n = 0; n < count; ++n) {
      names.push_back(c.bodies[group.body].name + ' ' + all[first + n]);
    }
    return names;
  }
  if (part != MotionPart::none) {
    const char* kind = group.kind == ControlKind::rotation ? " rotation" : " oscillation";
    const std::string name = c.bodies[group.body].name + kind + part_words[static_cast<int>(part)];
    for (std::size_t n = 0; n < count; ++n) {
      names.push_back(part == MotionPart::amplitude && group.kind == ControlKind::oscillation
                          ? name + ' ' + "xyz"[n]
                          : name);
    }
    return names;
  }
  for (std::size_t n = 0; n < count; ++n) {
    names.push_back(count == 1 ? group.name : group.name + ' ' + std::to_string(n + 1));
  }
  return names;
}

void Controls::add(const Case& c, const ControlSpec& spec) {
  Group group{"", start_.size(), 0, spec.kind, 0};
  const bool of_body = spec.kind != ControlKind::inflow && spec.kind != ControlKind::viscosity &&
                       spec.kind != ControlKind::initial;
  if (of_body) group.body = body_index(c, spec.body);
  const char* kinds[] = {"shape",  "position",  "angle",         "scale",      "rotation",
                         "inflow", "viscosity", "initial state", "oscillation"};
  group.name = kinds[static_cast<int>(spec.kind)];
  group.name += part_words[static_cast<int>(spec.part)];
  if (of_body) group.name += " of " + spec.body;
  if (spec.kind == ControlKind::inflow) group.name += " at " + spec.side;
  if (spec.kind == ControlKind::shape) {
    group.count = static_cast<std::size_t>(
        make_body(c.bodies[group.body], c.grid.dimension)->shape_parameters());
  }
  if (spec.kind == ControlKind::position || spec.kind == ControlKind::oscillation) {
    group.count =
        static_cast<std::size_t>(make_body(c.bodies[group.body], c.grid.dimension)->dimension());
  }

  const std::vector<double*> at = places(group, spec, baseline_);
  group.count = at.size();
  const double unit = in_degrees(spec) ? std::acos(-1.0) / 180 : 1;
  const bool rests_at_zero =
      (spec.kind == ControlKind::rotation || spec.kind == ControlKind::oscillation) &&
      spec.part <= MotionPart::amplitude;
  for (std::size_t n = 0; n < at.size(); ++n) {
    const auto bound = [&](const std::vector<double>& bounds, double none) {
      if (bounds.empty()) return none;
      return unit * (bounds.size() == 1 ? bounds[0] : bounds[n]);
    };
    start_.push_back(*at[n]);
    lower_.push_back(bound(spec.lower, -infinity));
    upper_.push_back(bound(spec.upper, infinity));
    scale_.push_back(unit * spec.scale);
    rest_.push_back(rests_at_zero ? 0.0 : *at[n]);
  }
  if (at.empty()) throw CaseError{c.path + ": control " + group.name + " has nothing to change"};
  const bool many = spec.kind == ControlKind::initial;
  const std::vector<std::string> names = names_of(c, group, spec.part, many ? 0 : at.size());
  names_.insert(names_.end(), names.begin(), names.end());
  if (many) names_.resize(start_.size(), group.name);
  groups_.push_back(group);
  specs_.push_back(spec);
}

Controls::Controls(const Case& c, const Design& baseline) : baseline_{baseline} {
  for (const ControlSpec& spec : c.controls) add(c, spec);
}

Design Controls::apply(std::span<const double> x) const {
  Design design = baseline_;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::vector<double*> at = places(groups_[g], specs_[g], design);
    for (std::size_t n = 0; n < at.size(); ++n) *at[n] = x[groups_[g].first + n];
  }
  return design;
}

std::vector<double> Controls::pull_back(const Design& bar) const {
  Design copy = bar;
  std::vector<double> gradient;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const double* place : places(groups_[g], specs_[g], copy)) gradient.push_back(*place);
  }
  return gradient;
}

double Controls::effort(std::span<const double> x, double weight,
                        std::span<double> gradient) const {
  double sum = 0;
  const auto count = static_cast<double>(size());
  for (std::size_t n = 0; n < size(); ++n) {
    const double off = (x[n] - rest_[n]) / scale_[n];
    sum += off * off / count;
    if (!gradient.empty()) gradient[n] += weight * 2 * off / (scale_[n] * count);
  }
  return sum;
}

} // namespace contraflow
