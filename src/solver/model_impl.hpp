#pragma once

#include "src/solver/model.hpp"

#include <algorithm>
#include <cmath>

namespace contraflow {

inline std::vector<Stage> stages_of(TimeScheme scheme) {
  if (scheme == TimeScheme::heun) return {{0, 1, 1, 0, 1, 0.5}, {0.5, 0.5, 0.5, 1, 1, 0.5}};
  return {{0, 1, 1, 0, 1, 1.0 / 6},
          {0.75, 0.25, 0.25, 1, 0.5, 1.0 / 6},
          {1.0 / 3, 2.0 / 3, 2.0 / 3, 0.5, 1, 2.0 / 3}};
}

namespace detail {

inline Layout layout_of(const Grid& grid) {
  return Layout::over(grid.cells(0), grid.cells(1), grid.cells(2), grid.dimension);
}

inline std::array<bool, 3> periodic_axes(const FlowSetup& setup) {
  std::array<bool, 3> periodic{};
  for (std::size_t a = 0; a < 3; ++a) {
    periodic[a] = static_cast<int>(a) < setup.grid.dimension &&
                  setup.boundary[a][0].type == BoundaryType::periodic;
  }
  return periodic;
}

/// Width of cell m, mirrored (or repeated, where periodic) past the ends.
inline double width_of(const std::vector<double>& faces, int m, bool periodic) {
  const int n = static_cast<int>(faces.size()) - 1;
  if (periodic) m = ((m % n) + n) % n;
  if (m < 0) m = std::min(-1 - m, n - 1);
  if (m >= n) m = std::max(2 * n - 1 - m, 0);
  return faces[static_cast<std::size_t>(m) + 1] - faces[static_cast<std::size_t>(m)];
}

} // namespace detail

template <class T> FlowModel<T>::FlowModel(const FlowSetup& given, const Exec& on)
    : setup{given}, exec{on}, layout{detail::layout_of(given.grid)}, stages{stages_of(
                                                                         given.scheme)},
      viscosity{T(given.viscosity)}, periodic{detail::periodic_axes(given)}, poisson{given.grid,
                                                                                     periodic, on},
      cells{on, static_cast<std::size_t>(layout.interior().count())}, phi{on,
                                                                          static_cast<std::size_t>(
                                                                              layout.size)} {
  const T smoothing = T(setup.smoothing_speed);
  advection = setup.advection == Advection::kappa ? AdvectionWeights<T>::kappa(smoothing)
                                                  : AdvectionWeights<T>::central(smoothing);
  build_metric();
  build_boundaries();
  side_fluxes = Buffer<Sums<Accumulator<T>, 1>>{exec, std::max<std::size_t>(open_sides.size(), 1)};
}

template <class T> void FlowModel<T>::build_metric() {
  constexpr int kinds = 6, guard = 8;
  std::vector<T> values;
  std::size_t offsets[3][kinds];
  for (int a = 0; a < 3; ++a) {
    const auto& axis_faces = setup.grid.faces[static_cast<std::size_t>(a)];
    const bool wraps = periodic[static_cast<std::size_t>(a)];
    const int n = layout.cells[a], length = n + 2 * guard;
    std::vector<double> width, face;
    for (int m = -guard; m < n + guard; ++m)
      width.push_back(detail::width_of(axis_faces, m, wraps));
    face.resize(width.size());
    face[guard] = axis_faces[0];
    for (int m = 1; m < n + guard; ++m) {
      const auto at = static_cast<std::size_t>(m + guard);
      face[at] = m <= n ? axis_faces[static_cast<std::size_t>(m)] : face[at - 1] + width[at - 1];
    }
    for (std::size_t at = guard; at-- > 0;) face[at] = face[at + 1] - width[at];
    for (int kind = 0; kind < kinds; ++kind) {
      offsets[a][kind] = values.size() + guard;
      for (int m = 0; m < length; ++m) {
        const auto at = static_cast<std::size_t>(m);
        const double spacing = 0.5 * (width[at] + (m > 0 ? width[at - 1] : width[at]));
        const int index = m - guard;
        const bool corrected = wraps ? index >= 0 && index <= n : index >= 1 && index < n;
        const double by_kind[kinds] = {width[at],
                                       1 / width[at],
                                       1 / spacing,
                                       corrected && a < layout.dimension ? 1 / spacing : 0,
                                       face[at] + 0.5 * width[at],
                                       face[at]};
        values.push_back(T(by_kind[kind]));
      }
    }
  }
  metric_storage_ = Buffer<T>{exec, values};
  for (int a = 0; a < 3; ++a) {
    const T* base = metric_storage_.data();
    metric.axis[a] = {base + offsets[a][0], base + offsets[a][1], base + offsets[a][2],
                      base + offsets[a][3], base + offsets[a][4], base + offsets[a][5]};
  }
}

namespace detail {

/// Ghost rules of component c at one end of an axis (design, section 2, "Boundaries").
template <class T>
void add_rules(GhostRules<T>& rules, BoundaryType type, bool normal, bool high, int n, T wall) {
  const auto low_or_high = [&](int low, int mirrored) { return high ? mirrored : low; };
  if (type == BoundaryType::periodic) {
    if (!high) {
      rules.add(-1, n - 1, T(1), T(0));
      rules.add(-2, n - 2, T(1), T(0));
    } else {
      rules.add(n, 0, T(1), T(0));
      rules.add(n + 1, 1, T(1), T(0));
    }
    return;
  }
  if (normal) {
    const bool odd = type == BoundaryType::slip || type == BoundaryType::wall;
    const int face = low_or_high(0, n);
    if (odd) {
      rules.add(low_or_high(-1, n + 1), low_or_high(1, n - 1), T(-1), T(0));
      if (!high) rules.add(-2, 2, T(-1), T(0));
    } else {
      rules.add(low_or_high(-1, n + 1), face, T(1), T(0));
      if (!high) rules.add(-2, face, T(1), T(0));
    }
    return;
  }
  const int first = low_or_high(-1, n), second = low_or_high(-2, n + 1);
  if (type == BoundaryType::outflow) {
    rules.add(second, first, T(1), T(0));
    return;
  }
  const T sign = type == BoundaryType::slip ? T(1) : T(-1);
  rules.add(first, low_or_high(0, n - 1), sign, T(2) * wall);
  rules.add(second, low_or_high(1, n - 2), sign, T(2) * wall);
}

} // namespace detail

template <class T> void FlowModel<T>::build_boundaries() {
  const int dimension = layout.dimension;
  for (int c = 0; c < dimension; ++c) {
    faces[static_cast<std::size_t>(c)] = layout.interior();
    if (!periodic[static_cast<std::size_t>(c)]) faces[static_cast<std::size_t>(c)].lo[c] = 1;
  }
  for (int a = 0; a < dimension; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    FillGhosts<T> all{};
    all.axis = a;
    all.layout = layout;
    all.fields = dimension;
    FillGhosts<T> wrapped = all, cell = all;
    cell.fields = 1;
    for (int end = 0; end < 2; ++end) {
      const BoundarySpec& spec = setup.boundary[axis][static_cast<std::size_t>(end)];
      for (int c = 0; c < dimension; ++c) {
        const double speed =
            spec.type == BoundaryType::wall ? spec.velocity[static_cast<std::size_t>(c)] : 0;
        detail::add_rules(all.rules[c], spec.type, c == a, end == 1, layout.cells[a], T(speed));
        if (periodic[axis]) {
          detail::add_rules(wrapped.rules[c], spec.type, c == a, end == 1, layout.cells[a], T(0));
        }
      }
      if (periodic[axis]) {
        detail::add_rules(cell.rules[0], spec.type, false, end == 1, layout.cells[a], T(0));
      }
    }
    ghosts[axis] = all;
    periodic_velocity[axis] = wrapped;
    periodic_cells[axis] = cell;
  }
  for (int pass = 0; pass < 2; ++pass) { // inlets first
    for (int a = 0; a < dimension; ++a) {
      for (int end = 0; end < 2; ++end) {
        const BoundarySpec& spec =
            setup.boundary[static_cast<std::size_t>(a)][static_cast<std::size_t>(end)];
        const OpenSide side{a, end == 0 ? 0 : layout.cells[a], end == 0 ? -1 : 1, pass == 1};
        if (pass == 0 && spec.type == BoundaryType::inflow) {
          open_sides.push_back(side);
          inflows.push_back({side, {}, {0.0}});
          const auto plane = static_cast<std::size_t>(side.plane(layout).count());
          inflows.back().knots = Buffer<T>{exec, plane};
        }
        if (pass == 1 && spec.type == BoundaryType::outflow) {
          open_sides.push_back(side);
          build_outlet(a, end, spec.speed);
        }
      }
    }
  }
}

template <class T> void FlowModel<T>::build_outlet(int axis, int end, double speed) {
  ++outlets;
  double area = 1;
  for (int c = 0; c < layout.dimension; ++c) {
    const auto& across = setup.grid.faces[static_cast<std::size_t>(c)];
    if (c != axis) area *= across.back() - across.front();
    const bool normal = c == axis;
    Box plane = faces[static_cast<std::size_t>(c)];
    const int n = layout.cells[axis];
    plane.lo[axis] = end == 1 ? n : (normal ? 0 : -1);
    plane.hi[axis] = plane.lo[axis] + 1;
    const auto& along = setup.grid.faces[static_cast<std::size_t>(axis)];
    const double width = detail::width_of(along, end == 1 ? n - 1 : 0, false);
    outflows.push_back(
        {c, plane, (end == 1 ? -1 : 1) * layout.stride[axis], setup.dt * speed / width});
  }
  outlet_area = outlet_area + T(area);
}

template <class T> Velocity<T> FlowModel<T>::make_velocity() const {
  Velocity<T> velocity;
  for (int c = 0; c < components(); ++c) {
    velocity[static_cast<std::size_t>(c)] = Buffer<T>{exec, static_cast<std::size_t>(layout.size)};
  }
  return velocity;
}

template <class T> State<T> FlowModel<T>::make_state() const {
  return {make_velocity(), Buffer<T>{exec, static_cast<std::size_t>(layout.size)}};
}

template <class T> MaskConstants<T> FlowModel<T>::mask_constants() const {
  const double h = setup.grid.spacing;
  return {T(h), T(setup.mask_width * h), T(setup.mask_shift * h), T(setup.robin_shift * h)};
}

template <class T>
BodyModel<T>& FlowModel<T>::add_body(const Box& box, const std::array<double, 3>& centre) {
  BodyModel<T> body;
  body.box = body.ring = box;
  Layout local = Layout::over(box.size(0), box.size(1), box.size(2), layout.dimension);
  for (int a = 0; a < 3; ++a) {
    local.origin -= box.lo[a] * local.stride[a];
    if (a < layout.dimension) body.ring = grown(body.ring, a, 1);
    body.centre[a] = centre[static_cast<std::size_t>(a)];
  }
  body.layout = local;
  const auto size = static_cast<std::size_t>(local.size);
  for (std::size_t c = 0; c < static_cast<std::size_t>(components()); ++c) {
    ComponentMask<T>& mask = body.mask[c];
    for (Buffer<T>* buffer : {&mask.centre, &mask.thinness, &mask.solid}) *buffer = {exec, size};
    for (std::size_t a = 0; a < static_cast<std::size_t>(components()); ++a) {
      for (Buffer<T>* buffer : {&mask.lower[a], &mask.upper[a], &mask.moment[a]}) {
        *buffer = {exec, size};
      }
    }
    body.predictor[c] = {exec, size};
    body.force[c] = {exec, size};
  }
  bodies.push_back(std::move(body));
  return bodies.back();
}

template <class T> double FlowModel<T>::data_time(long step, int stage) const {
  return (static_cast<double>(step) + stages[static_cast<std::size_t>(stage)].data_time) * setup.dt;
}
template <class T> double FlowModel<T>::result_time(long step, int stage) const {
  return (static_cast<double>(step) + stages[static_cast<std::size_t>(stage)].result_time) *
         setup.dt;
}

/// The knot before `time` and how far on the way to the next one.
template <class T> KnotTime<T> knot_at(const std::vector<double>& times, double time) {
  KnotTime<T> at;
  const int last = static_cast<int>(times.size()) - 1;
  while (at.first < last && times[static_cast<std::size_t>(at.first) + 1] <= time) ++at.first;
  const double from = times[static_cast<std::size_t>(at.first)];
  if (at.first < last && time > from) {
    at.weight = T((time - from) / (times[static_cast<std::size_t>(at.first) + 1] - from));
  }
  return at;
}

namespace detail {

template <class T> RigidField<T> cast_field(const RigidField<double>& field) {
  return {{T(field.linear[0]), T(field.linear[1]), T(field.linear[2])}, T(field.angular)};
}
template <class T> RigidMotion<T> cast_motion(const RigidMotion<double>& motion) {
  return {{T(motion.centre[0]), T(motion.centre[1]), T(motion.centre[2])},
          cast_field<T>(motion.velocity),
          cast_field<T>(motion.acceleration)};
}

} // namespace detail

template <class T>
void FlowModel<T>::set_tables(const std::vector<std::vector<RigidMotion<double>>>& motion_by_body) {
  const std::size_t entries = static_cast<std::size_t>(setup.steps) * stages.size();
  std::vector<RigidMotion<T>> motions(entries * bodies.size());
  std::vector<KnotTime<T>> times(entries * inflows.size());
  for (long step = 0; step < setup.steps; ++step) {
    for (int stage = 0; stage < stage_count(); ++stage) {
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        const auto& given = motion_by_body[b];
        RigidMotion<double> at{};
        std::copy_n(bodies[b].centre, 3, at.centre);
        if (!given.empty()) at = given[table_index(step, stage, 1, 0)];
        motions[table_index(step, stage, bodies.size(), b)] = detail::cast_motion<T>(at);
      }
      for (std::size_t s = 0; s < inflows.size(); ++s) {
        times[table_index(step, stage, inflows.size(), s)] =
            knot_at<T>(inflows[s].times, result_time(step, stage));
      }
    }
  }
  motion = Buffer<RigidMotion<T>>{exec, motions};
  knot_time = Buffer<KnotTime<T>>{exec, times};
}

} // namespace contraflow
