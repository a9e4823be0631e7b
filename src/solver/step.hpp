#pragma once

#include "kernels/body/forcing.hpp"
#include "kernels/body/inertia.hpp"
#include "kernels/boundary/outflow.hpp"
#include "kernels/momentum/tendency.hpp"
#include "kernels/projection/correct.hpp"
#include "kernels/projection/divergence.hpp"
#include "kernels/run.hpp"
#include "src/solver/model.hpp"

#include <utility>

namespace contraflow {

// Runners: where kernels and sums go. The step is a template over them.

/// Kernels compiled into the library, on either back end.
class DeviceRunner {
public:
  explicit DeviceRunner(const Exec& exec)
      : exec_{exec}, workspace_{exec, reduction_workspace_bytes} {}
  template <class Kernel> void operator()(const Kernel& kernel) { run(exec_, kernel); }
  template <class Kernel> void sum(const Kernel& kernel, typename Kernel::Value* out) {
    reduce(exec_, kernel, out, workspace_.data());
  }

private:
  Exec exec_;
  Buffer<char> workspace_;
};

/// Any scalar type, on the host.
struct HostRunner {
  template <class Kernel> void operator()(const Kernel& kernel) { run_on_cpu(kernel); }
  template <class Kernel> void sum(const Kernel& kernel, typename Kernel::Value* out) {
    reduce_on_cpu(kernel, out);
  }
};

/// Stage values of one step, which its adjoint is linearised about.
template <class T> struct StepRecord {
  std::vector<Velocity<T>> velocity;                    ///< v of each stage, [stage]
  std::vector<std::vector<Velocity<T>>> body_predictor; ///< H, [stage][body], body layout

  explicit StepRecord(const FlowModel<T>& model) {
    for (int stage = 0; stage < model.stage_count(); ++stage) {
      velocity.push_back(model.make_velocity());
      body_predictor.emplace_back();
      for (const BodyModel<T>& body : model.bodies) {
        body_predictor.back().emplace_back();
        for (int c = 0; c < model.components(); ++c) {
          body_predictor.back().back()[static_cast<std::size_t>(c)] =
              Buffer<T>{model.exec, static_cast<std::size_t>(body.layout.size)};
        }
      }
    }
  }
};

/// What one body has from one stage, in the memory of the back end.
template <class T> struct StageForces {
  typename ForceSums<T>::Value exchange;  ///< reaction of the forces on the fluid
  typename BodyInertia<T>::Value inertia; ///< what of them accelerates the fluid inside
};

template <class T>
BodyInertia<T> inertia_of(const FlowModel<T>& model, std::size_t b, const RigidMotion<T>* motion) {
  const BodyModel<T>& body = model.bodies[b];
  return {{body.mask[0].centre.data(), body.mask[1].centre.data(), body.mask[2].centre.data()},
          model.mask_constants().width,
          motion,
          model.metric,
          body.layout,
          body.box};
}

/// Advances a FlowModel. Owns the work space; allocates nothing after construction and does not
/// synchronise.
template <class T, class Runner> class Stepper {
public:
  Stepper(FlowModel<T>& model, Runner& runner)
      : model_{model}, run_{runner}, work_{model.make_velocity(), model.make_velocity()} {}

  /// One step from `state`, in place. Forces of every stage and body go to forces[stage][body] (may
  /// be null; the inertia of a body that does not accelerate is left as it is). With `record`,
  /// keeps the stage values there; then, unless `complete`, the last projection is left out and the
  /// state is not to be used afterwards.
  void step(long n, State<T>& state, StageForces<T>* forces, StepRecord<T>* record = nullptr,
            bool complete = true);

  /// Projects the velocity of `state` onto divergence-free fields (an initial state), pressure 0.
  void project_initial(State<T>& state);

  void fill_ghosts(Velocity<T>& velocity) { fill(model_.ghosts, velocity); }

private:
  void tendency(int stage, const Velocity<T>& v, const Velocity<T>& start, const Buffer<T>& p,
                Velocity<T>& out);
  template <int Dim, int Axis> void tendency_along(const Stage& stage, const Velocity<T>& v,
                                                   const Velocity<T>& start, const Buffer<T>& p,
                                                   Velocity<T>& out);
  void body_forcing(long n, int stage, const Velocity<T>& v, const Velocity<T>& start,
                    Velocity<T>& out, std::vector<Velocity<T>>* record);
  void sum_forces(long n, int stage, StageForces<T>* forces);
  void boundary_values(long n, int stage, const Velocity<T>& v, const Velocity<T>& start,
                       Velocity<T>& out);
  void correct_mass(Velocity<T>& velocity);
  void project(double projection, Velocity<T>& velocity, Buffer<T>* pressure);
  void fill(const std::array<FillGhosts<T>, 3>& rules, Velocity<T>& velocity);

  FlowModel<T>& model_;
  Runner& run_;
  std::array<Velocity<T>, 2> work_;
};

template <class T, class Runner>
void Stepper<T, Runner>::fill(const std::array<FillGhosts<T>, 3>& rules, Velocity<T>& velocity) {
  for (int a = 0; a < model_.components(); ++a) {
    FillGhosts<T> kernel = rules[static_cast<std::size_t>(a)];
    if (kernel.rules[0].count == 0) continue;
    for (int c = 0; c < model_.components(); ++c) {
      kernel.field[c] = velocity[static_cast<std::size_t>(c)].data();
    }
    run_(kernel);
  }
}

template <class T, class Runner> template <int Dim, int Axis>
void Stepper<T, Runner>::tendency_along(const Stage& stage, const Velocity<T>& v,
                                        const Velocity<T>& start, const Buffer<T>& p,
                                        Velocity<T>& out) {
  run_(Tendency<T, Dim, Axis>{.velocity = {v[0].data(), v[1].data(), v[2].data()},
                              .pressure = p.data(),
                              .start = start[Axis].data(),
                              .out = out[Axis].data(),
                              .start_weight = T(stage.start),
                              .euler_weight = T(stage.euler),
                              .dt = T(model_.setup.dt),
                              .viscosity = model_.viscosity,
                              .advection = model_.advection,
                              .metric = model_.metric,
                              .layout = model_.layout,
                              .faces = model_.faces[Axis]});
}

template <class T, class Runner>
void Stepper<T, Runner>::tendency(int stage, const Velocity<T>& v, const Velocity<T>& start,
                                  const Buffer<T>& p, Velocity<T>& out) {
  const Stage& weights = model_.stages[static_cast<std::size_t>(stage)];
  if (model_.components() == 2) {
    tendency_along<2, 0>(weights, v, start, p, out);
    tendency_along<2, 1>(weights, v, start, p, out);
  } else {
    tendency_along<3, 0>(weights, v, start, p, out);
    tendency_along<3, 1>(weights, v, start, p, out);
    tendency_along<3, 2>(weights, v, start, p, out);
  }
}

template <class T, class Runner>
void Stepper<T, Runner>::body_forcing(long n, int stage, const Velocity<T>& v,
                                      const Velocity<T>& start, Velocity<T>& out,
                                      std::vector<Velocity<T>>* record) {
  const Stage& weights = model_.stages[static_cast<std::size_t>(stage)];
  const double dt = model_.setup.dt, tau = model_.setup.relaxation_time;
  if (model_.place_masks) model_.place_masks(n, stage);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    BodyModel<T>& body = model_.bodies[b];
    Velocity<T>& predictor = record == nullptr ? body.predictor : (*record)[b];
    for (int c = 0; c < model_.components(); ++c) {
      const auto at = static_cast<std::size_t>(c);
      run_(BodyPredictor<T>{.previous = v[at].data(),
                            .start = start[at].data(),
                            .advanced = out[at].data(),
                            .predictor = predictor[at].data(),
                            .start_weight = T(weights.start),
                            .euler_weight = T(weights.euler),
                            .theta = T(dt / tau),
                            .motion = model_.motion.data() +
                                      model_.table_index(n, stage, model_.bodies.size(), b),
                            .component = c,
                            .metric = model_.metric,
                            .layout = model_.layout,
                            .body = body.layout,
                            .box = body.ring});
    }
  }
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    BodyModel<T>& body = model_.bodies[b];
    Velocity<T>& predictor = record == nullptr ? body.predictor : (*record)[b];
    for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
      const ComponentMask<T>& mask = body.mask[c];
      run_(BodyForcing<T>{
          .predictor = predictor[c].data(),
          .solid = mask.solid.data(),
          .moment = {mask.moment[0].data(), mask.moment[1].data(), mask.moment[2].data()},
          .force = body.force[c].data(),
          .advanced = out[c].data(),
          .step = T(weights.euler * dt),
          .relaxation_time = T(tau),
          .layout = model_.layout,
          .body = body.layout,
          .box = body.box});
    }
  }
}

template <class T, class Runner>
void Stepper<T, Runner>::sum_forces(long n, int stage, StageForces<T>* forces) {
  const std::size_t bodies = model_.bodies.size();
  for (std::size_t b = 0; b < bodies; ++b) {
    const BodyModel<T>& body = model_.bodies[b];
    const RigidMotion<T>* motion = model_.motion.data() + model_.table_index(n, stage, bodies, b);
    StageForces<T>* out = forces + static_cast<std::size_t>(stage) * bodies + b;
    run_.sum(ForceSums<T>{{body.force[0].data(), body.force[1].data(), body.force[2].data()},
                          motion,
                          model_.metric,
                          body.layout,
                          body.box},
             &out->exchange);
    if (body.accelerates) run_.sum(inertia_of(model_, b, motion), &out->inertia);
  }
}

template <class T, class Runner> void Stepper<T, Runner>::correct_mass(Velocity<T>& velocity) {
  if (model_.outlets == 0) return;
  const int sides = static_cast<int>(model_.open_sides.size());
  for (int s = 0; s < sides; ++s) {
    const OpenSide& side = model_.open_sides[static_cast<std::size_t>(s)];
    run_.sum(SideFlux<T>{velocity[static_cast<std::size_t>(side.axis)].data(), side, model_.metric,
                         model_.layout},
             model_.side_fluxes.data() + s);
  }
  for (const OpenSide& side : model_.open_sides) {
    if (!side.outlet) continue;
    run_(CorrectMass<T>{.fluxes = model_.side_fluxes.data(),
                        .velocity = velocity[static_cast<std::size_t>(side.axis)].data(),
                        .sides = sides,
                        .outlet_area = model_.outlet_area,
                        .side = side,
                        .layout = model_.layout});
  }
}

template <class T, class Runner>
void Stepper<T, Runner>::boundary_values(long n, int stage, const Velocity<T>& v,
                                         const Velocity<T>& start, Velocity<T>& out) {
  const Stage& weights = model_.stages[static_cast<std::size_t>(stage)];
  for (std::size_t s = 0; s < model_.inflows.size(); ++s) {
    const InflowSide<T>& inflow = model_.inflows[s];
    run_(PrescribeInflow<T>{.knots = inflow.knots.data(),
                            .time = model_.knot_time.data() +
                                    model_.table_index(n, stage, model_.inflows.size(), s),
                            .velocity = out[static_cast<std::size_t>(inflow.side.axis)].data(),
                            .axis = inflow.side.axis,
                            .face = inflow.side.face,
                            .layout = model_.layout});
  }
  for (const OutflowPlane& outflow : model_.outflows) {
    const auto c = static_cast<std::size_t>(outflow.component);
    run_(ConvectOutflow<T>{.velocity = v[c].data(),
                           .start = start[c].data(),
                           .out = out[c].data(),
                           .start_weight = T(weights.start),
                           .euler_weight = T(weights.euler),
                           .courant = T(outflow.courant),
                           .inward = outflow.inward,
                           .layout = model_.layout,
                           .plane = outflow.plane});
  }
  correct_mass(out);
}

template <class T, class Runner>
void Stepper<T, Runner>::project(double projection, Velocity<T>& velocity, Buffer<T>* pressure) {
  const double step = projection * model_.setup.dt;
  fill(model_.periodic_velocity, velocity);
  run_(Divergence<T>{.velocity = {velocity[0].data(), velocity[1].data(), velocity[2].data()},
                     .divergence = model_.cells.data(),
                     .scale = T(1 / step),
                     .metric = model_.metric,
                     .layout = model_.layout});
  model_.poisson.solve(model_.cells.data());
  run_(UnpackCells<T>{model_.cells.data(), model_.phi.data(),
                      pressure == nullptr ? nullptr : pressure->data(), model_.layout});
  for (Buffer<T>* field : {&model_.phi, pressure}) {
    for (int a = 0; field != nullptr && a < model_.components(); ++a) {
      FillGhosts<T> kernel = model_.periodic_cells[static_cast<std::size_t>(a)];
      if (kernel.rules[0].count == 0) continue;
      kernel.field[0] = field->data();
      run_(kernel);
    }
  }
  run_(CorrectVelocity<T>{.phi = model_.phi.data(),
                          .velocity = {velocity[0].data(), velocity[1].data(), velocity[2].data()},
                          .step = T(step),
                          .metric = model_.metric,
                          .layout = model_.layout});
  fill(model_.ghosts, velocity);
}

template <class T, class Runner>
void Stepper<T, Runner>::step(long n, State<T>& state, StageForces<T>* forces,
                              StepRecord<T>* record, bool complete) {
  const int stages = model_.stage_count();
  const Velocity<T>* v = &state.velocity;
  Velocity<T>* out = nullptr;
  for (int k = 0; k < stages; ++k) {
    const bool last = k + 1 == stages;
    out = last || record == nullptr ? &work_[static_cast<std::size_t>(k % 2)]
                                    : &record->velocity[static_cast<std::size_t>(k) + 1];
    tendency(k, *v, state.velocity, state.pressure, *out);
    body_forcing(n, k, *v, state.velocity, *out,
                 record == nullptr ? nullptr
                                   : &record->body_predictor[static_cast<std::size_t>(k)]);
    if (forces != nullptr) sum_forces(n, k, forces);
    if (!last || complete) {
      boundary_values(n, k, *v, state.velocity, *out);
      project(model_.stages[static_cast<std::size_t>(k)].projection, *out, &state.pressure);
    }
    v = out;
  }
  for (std::size_t c = 0; c < 3; ++c) {
    state.velocity[c].swap((*out)[c]);
    if (record != nullptr) record->velocity[0][c].swap((*out)[c]);
  }
}

template <class T, class Runner> void Stepper<T, Runner>::project_initial(State<T>& state) {
  correct_mass(state.velocity);
  project(1, state.velocity, nullptr);
  state.pressure.zero();
}

} // namespace contraflow
