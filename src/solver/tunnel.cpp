#include "src/solver/tunnel.hpp"

#include "contraflow/error.hpp"
#include "src/solver/grid.hpp"
#include "src/solver/initial_velocity.hpp"
#include "src/solver/motion_table.hpp"

#include <cmath>

#include <fmt/format.h>

namespace contraflow {

namespace {

constexpr long batch = 16; ///< steps between looks at the flow

FlowSetup setup_of(const Case& c) {
  FlowSetup setup;
  setup.grid = make_grid(c.grid);
  setup.boundary = c.boundary;
  setup.advection = c.flow.advection;
  setup.scheme = c.time.scheme;
  setup.viscosity = c.flow.viscosity;
  setup.dt = c.frozen.dt;
  setup.relaxation_time = c.frozen.tau;
  setup.smoothing_speed = c.frozen.smoothing_speed;
  setup.mask_width = c.numerics.mask_width;
  setup.mask_shift = c.frozen.mask_shift;
  setup.robin_shift = c.frozen.robin_shift;
  setup.steps = c.frozen.steps;
  return setup;
}

/// Of rotation, as the parameters of a body hold it.
Vec3 centre_of(const Body& body, const std::vector<double>& parameters) {
  const auto first = static_cast<std::size_t>(body.shape_parameters());
  return {parameters[first], parameters[first + 1], 0};
}

bool has_initial_control(const Case& c) {
  for (const ControlSpec& control : c.controls) {
    if (control.kind == ControlKind::initial) return true;
  }
  return false;
}

} // namespace

template <class T> Tunnel<T>::Tunnel(const Case& c, const Exec& exec)
    : case_{c}, model_{setup_of(c), exec}, runner_{exec}, initial_{model_.make_state()},
      state_{model_.make_state()}, good_{model_.make_state()}, norm_{exec, 1}, misfit_sum_{exec,
                                                                                           1} {
  std::array<std::size_t, 3> faces{};
  if (has_initial_control(c)) {
    for (int a = 0; a < model_.components(); ++a) {
      const auto axis = static_cast<std::size_t>(a);
      faces[axis] = static_cast<std::size_t>(model_.faces[axis].count());
    }
  }
  baseline_ = baseline_design(case_, faces);
  set_design(baseline_);
  make_initial_state();
  restart_from_initial();
}

template <class T> void Tunnel<T>::copy_state(State<T>& to, const State<T>& from) const {
  for (std::size_t c = 0; c < 3; ++c) to.velocity[c].copy_from(from.velocity[c]);
  to.pressure.copy_from(from.pressure);
}

/// How the body moves at every step and stage, empty where it is at rest; and in `placed` where it
/// goes.
template <class T> std::vector<RigidMotion<double>>
Tunnel<T>::motions_of(std::size_t b, const Design& design, PlacedBody& placed) const {
  const BodySpec& spec = case_.bodies[b];
  const MotionValues values{design.rotation[b], design.oscillation[b]};
  std::vector<RigidMotion<double>> motions;
  if (values.rotation.empty() && !travels(spec)) return motions;
  const Vec3 centre = centre_of(*placed.body, design.body[b]);
  for (long n = 0; n < model_.setup.steps; ++n) {
    for (int k = 0; k < model_.stage_count(); ++k) {
      const Motion motion = motion_at(spec, values, model_.data_time(n, k));
      if (travels(spec)) placed.displacement.push_back(motion.displacement);
      motions.push_back(rigid_motion(motion, centre, model_.setup.relaxation_time));
    }
  }
  return motions;
}

template <class T> std::vector<std::string> Tunnel<T>::set_design(const Design& design) {
  const MaskReach reach = mask_reach(model_);
  std::vector<PlacedBody> placed(design.body.size());
  std::vector<std::vector<RigidMotion<double>>> tables(placed.size());
  for (std::size_t b = 0; b < placed.size(); ++b) {
    const BodySpec& spec = case_.bodies[b];
    placed[b].body = make_body(spec, model_.components(), design.body[b]);
    tables[b] = motions_of(b, design, placed[b]);
    placed[b].box =
        mask_box(grid(), *placed[b].body, reach, sweep_of(placed[b].displacement), spec.name);
  }
  design_ = design;
  bodies_ = std::move(placed);
  model_.viscosity = T(design.viscosity);
  std::vector<std::string> warnings = place_bodies();
  set_inflow();
  model_.set_tables(tables);
  renew_stepper();
  force_sums_ = Buffer<StageForces<T>>{
      model_.exec, static_cast<std::size_t>(batch) * model_.stages.size() * model_.bodies.size()};
  return warnings;
}

/// Gives every body its mask where it starts. Returns warnings of thin parts.
template <class T> std::vector<std::string> Tunnel<T>::place_bodies() {
  std::vector<std::string> warnings;
  const MaskReach reach = mask_reach(model_);
  model_.bodies.clear();
  model_.place_masks = nullptr;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodySpec& spec = case_.bodies[b];
    PlacedBody& placed = bodies_[b];
    BodyModel<T>& body = model_.add_body(placed.box, centre_of(*placed.body, design_.body[b]));
    body.accelerates = accelerates(spec);
    const Vec3 start = placed.displacement.empty() ? Vec3{} : placed.displacement.front();
    make_masks(model_, runner_, placed, body, start);
    if (travels(spec)) {
      placed.time = model_.data_time(0, 0);
      model_.place_masks = [this](long step, int stage) { move_masks(step, stage); };
    }
    double thinnest = reach.probe;
    for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
      thinnest = std::min(thinnest, thinnest_part(placed.samples[c], reach));
    }
    if (thinnest >= 1.25 * reach.spacing) continue;
    warnings.push_back(fmt::format("body \"{}\" has parts thinner than 2.5 cells (half-thickness "
                                   "{:.2f} h): they are sealed by the one-sided mask; refine the "
                                   "grid if their forces matter",
                                   spec.name, thinnest / reach.spacing));
  }
  return warnings;
}

/// Masks of travelling bodies at the data time of a stage.
template <class T> void Tunnel<T>::move_masks(long step, int stage) {
  const double time = model_.data_time(step, stage);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    PlacedBody& placed = bodies_[b];
    if (placed.displacement.empty() || placed.time == time) continue;
    make_masks(model_, runner_, placed, model_.bodies[b],
               placed.displacement[model_.table_index(step, stage, 1, 0)]);
    placed.time = time;
  }
}

template <class T> void Tunnel<T>::set_inflow() {
  for (InflowSide<T>& inflow : model_.inflows) {
    const auto axis = static_cast<std::size_t>(inflow.side.axis);
    const std::size_t end = inflow.side.outward > 0 ? 1 : 0;
    const BoundarySpec& spec = case_.boundary[axis][end];
    const InletShape shape = inlet_shape(spec, grid(), inflow.side.axis);
    const std::vector<double>& values = design_.inflow[axis][end];
    inflow.times = spec.times.empty() ? std::vector<double>{0} : spec.times;
    std::vector<T> knots;
    for (std::size_t knot = 0; knot < inflow.times.size(); ++knot) {
      for (const InletShape::Share& share : shape.faces) {
        const double* at = values.data() + knot * shape.coefficients;
        knots.push_back(T(-inflow.side.outward * (share.weight[0] * at[share.index[0]] +
                                                  share.weight[1] * at[share.index[1]])));
      }
    }
    inflow.knots = Buffer<T>{model_.exec, knots};
  }
}

/// With a clean work space: that of a flow that blew up holds infinities even on faces that are
/// never advanced.
template <class T> void Tunnel<T>::renew_stepper() {
  stepper_ = std::make_unique<Stepper<T, DeviceRunner>>(model_, runner_);
}

/// The velocity of a component as the case prescribes it, before projection, padded.
template <class T> std::vector<T> Tunnel<T>::raw_initial(std::size_t component) const {
  const Layout& layout = model_.layout;
  std::vector<T> values(static_cast<std::size_t>(layout.size), T(0));
  const Box padded = layout.padded();
  for (int k = padded.lo[2]; k < padded.hi[2]; ++k) {
    for (int j = padded.lo[1]; j < padded.hi[1]; ++j) {
      for (int i = padded.lo[0]; i < padded.hi[0]; ++i) {
        values[static_cast<std::size_t>(layout.index(i, j, k))] =
            T(initial_velocity(case_, grid(), component, {i, j, k}));
      }
    }
  }
  return values;
}

template <class T> void Tunnel<T>::make_initial_state() {
  if (!case_.time.start_from.empty()) {
    load_state(read_restart(case_.time.start_from, grid()));
    copy_state(initial_, state_);
    return;
  }
  for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
    initial_.velocity[c].upload(raw_initial(c));
  }
  for (std::size_t s = 0; s < model_.inflows.size(); ++s) {
    const InflowSide<T>& inflow = model_.inflows[s];
    runner_(PrescribeInflow<T>{
        .knots = inflow.knots.data(),
        .time = model_.knot_time.data() + s,
        .velocity = initial_.velocity[static_cast<std::size_t>(inflow.side.axis)].data(),
        .axis = inflow.side.axis,
        .face = inflow.side.face,
        .layout = model_.layout});
  }
  if (design_.initial[0].empty()) stepper_->project_initial(initial_);
}

template <class T> void Tunnel<T>::restart_from_initial() {
  step_ = 0;
  copy_state(state_, initial_);
  if (design_.initial[0].empty()) return;
  for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
    std::vector<T> values = state_.velocity[c].download();
    const Box& faces = model_.faces[c];
    std::size_t n = 0;
    for (int k = faces.lo[2]; k < faces.hi[2]; ++k) {
      for (int j = faces.lo[1]; j < faces.hi[1]; ++j) {
        for (int i = faces.lo[0]; i < faces.hi[0]; ++i) {
          T& value = values[static_cast<std::size_t>(model_.layout.index(i, j, k))];
          value = value + T(design_.initial[c][n++]);
        }
      }
    }
    state_.velocity[c].upload(values);
  }
  stepper_->project_initial(state_);
  state_.pressure.copy_from(initial_.pressure);
}

template <class T> void Tunnel<T>::load_state(const FlowState& from) {
  const auto load = [](Buffer<T>& buffer, const std::vector<double>& values) {
    if (values.size() != buffer.size()) throw FileError{"restart: the fields have another size"};
    buffer.upload(std::vector<T>(values.begin(), values.end()));
  };
  for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
    load(state_.velocity[c], from.velocity[c]);
  }
  load(state_.pressure, from.pressure);
}

template <class T> void Tunnel<T>::start(const FlowState* from) {
  if (from == nullptr) return restart_from_initial();
  load_state(*from);
  step_ = from->step;
}

template <class T> FlowState Tunnel<T>::state() const {
  FlowState out;
  out.step = step_;
  out.dt = model_.setup.dt;
  out.time = static_cast<double>(step_) * out.dt;
  const auto save = [](const Buffer<T>& buffer) {
    const std::vector<T> values = buffer.download();
    return std::vector<double>(values.begin(), values.end());
  };
  for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
    out.velocity[c] = save(state_.velocity[c]);
  }
  out.pressure = save(state_.pressure);
  return out;
}

/// Momentum exchange, and in `inertia` (may be null) the part of it that accelerates what is
/// inside.
template <class T>
std::vector<BodyForce> Tunnel<T>::force_of(const std::vector<StageForces<T>>& sums,
                                           std::size_t first,
                                           std::vector<BodyForce>* inertia) const {
  std::vector<BodyForce> forces(model_.bodies.size()), inside(model_.bodies.size());
  const auto add = [&](BodyForce& force, const auto& sum, double weight) {
    for (std::size_t a = 0; a < static_cast<std::size_t>(model_.components()); ++a) {
      force.force[a] += weight * static_cast<double>(sum.value[a]);
    }
    force.moment += weight * static_cast<double>(sum.value[3]);
  };
  for (std::size_t k = 0; k < model_.stages.size(); ++k) {
    for (std::size_t b = 0; b < forces.size(); ++b) {
      const StageForces<T>& sum = sums[first + k * forces.size() + b];
      add(forces[b], sum.exchange, model_.stages[k].force_weight);
      if (!model_.bodies[b].accelerates) continue;
      add(forces[b], sum.inertia, model_.stages[k].force_weight);
      add(inside[b], sum.inertia, model_.stages[k].force_weight);
    }
  }
  if (inertia != nullptr) *inertia = inside;
  return forces;
}

template <class T> typename FieldNorms<T>::Value Tunnel<T>::norms(const State<T>& state) {
  runner_.sum(FieldNorms<T>{{state.velocity[0].data(), state.velocity[1].data(),
                             state.velocity[2].data(), state.pressure.data()},
                            model_.layout},
              norm_.data());
  return norm_.download()[0];
}

/// Empty, or what is wrong with a flow of these norms.
template <class T>
std::string Tunnel<T>::complaint(const typename FieldNorms<T>::Value& norms) const {
  const char* names[] = {"u", "v", "w", "p"};
  const double speed = case_.flow.reference_speed;
  const double limit = 1e4 * speed * speed * static_cast<double>(model_.layout.interior().count());
  for (std::size_t f = 0; f < 4; ++f) {
    const double square = static_cast<double>(norms.value[f]);
    if (!std::isfinite(square)) return fmt::format("{} is not finite", names[f]);
    if (f < 3 && square > limit) return fmt::format("{} grew a hundredfold", names[f]);
  }
  return {};
}

/// Replays the steps from the last good state one by one; stops in the state before the one that
/// fails. Says which one, and what.
template <class T> std::string Tunnel<T>::find_divergence(long to) {
  copy_state(state_, good_);
  renew_stepper();
  State<T> before = model_.make_state();
  for (step_ = good_step_; step_ < to; ++step_) {
    copy_state(before, state_);
    stepper_->step(step_, state_, nullptr);
    const std::string what = complaint(norms(state_));
    if (what.empty()) continue;
    copy_state(state_, before);
    renew_stepper();
    return fmt::format("the flow blew up in step {} (t = {:g}): {}; the last good state is that "
                       "before it",
                       step_, static_cast<double>(step_) * model_.setup.dt, what);
  }
  return fmt::format("the flow blew up between steps {} and {}", good_step_, to);
}

template <class T> void Tunnel<T>::keep_good_state() {
  copy_state(good_, state_);
  good_step_ = step_;
}

/// Momentum and fluxes of the control volume around every body.
template <class T>
void Tunnel<T>::balance(Buffer<typename ControlVolume<T>::Value>& out, long entry) {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    Box cells = model_.bodies[b].box;
    runner_.sum(ControlVolume<T>{{state_.velocity[0].data(), state_.velocity[1].data(),
                                  state_.velocity[2].data()},
                                 state_.pressure.data(),
                                 model_.viscosity,
                                 model_.metric,
                                 model_.layout,
                                 cells},
                out.data() + static_cast<std::size_t>(entry) * model_.bodies.size() + b);
  }
}

template <class T>
void Tunnel<T>::advance(long to, const std::function<bool(const StepReport&)>& after) {
  to = std::min(to, model_.setup.steps); // tables of time-dependent data end there
  const std::size_t bodies = model_.bodies.size(), per_step = model_.stages.size() * bodies;
  Buffer<typename ControlVolume<T>::Value> volumes{model_.exec,
                                                   static_cast<std::size_t>(batch + 1) * bodies};
  if (force_sums_.size() < static_cast<std::size_t>(batch) * per_step) { // a short evaluation's
    force_sums_ = Buffer<StageForces<T>>{model_.exec, static_cast<std::size_t>(batch) * per_step};
  }
  while (step_ < to) {
    const long first = step_, count = std::min(batch, to - first);
    keep_good_state();
    balance(volumes, 0);
    for (long n = 0; n < count; ++n, ++step_) {
      stepper_->step(step_, state_, force_sums_.data() + static_cast<std::size_t>(n) * per_step);
      balance(volumes, n + 1);
    }
    const auto sums = force_sums_.download();
    const auto volume = volumes.download();
    std::string trouble;
    if (!complaint(norms(state_)).empty()) trouble = find_divergence(first + count);
    for (long n = 0; n < step_ - first; ++n) {
      if (!after || after(report_of(first, n, sums, volume))) continue;
      to = step_; // the rest of the batch has been advanced too
    }
    if (!trouble.empty()) throw DivergenceError{trouble};
  }
}

/// Of entry n of a batch that began with step `first`.
template <class T> StepReport
Tunnel<T>::report_of(long first, long n, const std::vector<StageForces<T>>& sums,
                     const std::vector<typename ControlVolume<T>::Value>& volumes) const {
  const std::size_t bodies = model_.bodies.size();
  StepReport report;
  report.step = first + n;
  report.time = static_cast<double>(first + n + 1) * model_.setup.dt;
  report.exchange =
      force_of(sums, static_cast<std::size_t>(n) * model_.stages.size() * bodies, &report.balance);
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto& before = volumes[static_cast<std::size_t>(n) * bodies + b];
    const auto& now = volumes[static_cast<std::size_t>(n + 1) * bodies + b];
    for (std::size_t a = 0; a < static_cast<std::size_t>(model_.components()); ++a) {
      report.balance[b].force[a] += -(now.value[a] - before.value[a]) / model_.setup.dt -
                                    0.5 * (now.value[3 + a] + before.value[3 + a]);
    }
  }
  return report;
}

template class Tunnel<float>;
template class Tunnel<double>;

std::unique_ptr<WindTunnel> make_wind_tunnel(const Case& c, const Exec& exec, bool full) {
  if (full) return std::make_unique<Tunnel<double>>(c, exec);
  return std::make_unique<Tunnel<float>>(c, exec);
}

} // namespace contraflow
