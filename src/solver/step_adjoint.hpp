#pragma once

#include "adjoint/body/forcing.hpp"
#include "adjoint/body/inertia.hpp"
#include "adjoint/body/predictor.hpp"
#include "adjoint/boundary/ghosts.hpp"
#include "adjoint/boundary/inflow.hpp"
#include "adjoint/boundary/mass_correction.hpp"
#include "adjoint/boundary/outflow.hpp"
#include "adjoint/momentum/tendency.hpp"
#include "adjoint/projection/correct.hpp"
#include "adjoint/projection/divergence.hpp"
#include "src/solver/step.hpp"

namespace contraflow {

/// dJ/d(state) and what has been gathered on the way back, for one functional J.
template <class T> struct AdjointState {
  Velocity<T> velocity; ///< dJ/du of the state reached, ghosts included
  Buffer<T> pressure;   ///< dJ/dp

  Buffer<T> viscosity;           ///< field whose total is dJ/dnu
  std::vector<Buffer<T>> inflow; ///< dJ/dknots of each inflow side
  struct Mask {
    Velocity<T> solid;                 ///< dJ/dsolid per component
    std::array<Velocity<T>, 3> moment; ///< dJ/dm_j per component
    Velocity<T> distance;              ///< dJ/dd per component, by the inertia of what is inside
  };
  std::vector<Mask> mask;                                ///< per body
  Buffer<typename MotionBar<T>::Value> surface_velocity; ///< dJ/d(u_b), [step][stage][body]
  Buffer<typename AccelerationBar<T>::Value> surface_acceleration; ///< dJ/d(du_b/dt), the same

  explicit AdjointState(const FlowModel<T>& model);
};

/// dJ/d(force sums) of one step, per body, without the Runge-Kutta weight.
template <class T> using StepForceBar = std::vector<ForceBar<T>>;

/// The transpose of Stepper::step, hand-derived kernel by kernel, in reverse order.
template <class T, class Runner> class AdjointStepper {
public:
  /// `with_viscosity`: gather dJ/dnu as well (costs a pass over the velocity).
  AdjointStepper(FlowModel<T>& model, Runner& runner, bool with_viscosity);

  /// Takes `adjoint` from dJ/d(state n+1) to dJ/d(state n). `record` holds the stage values of step
  /// n.
  void step(long n, const StepRecord<T>& record, const StepForceBar<T>& force_bar,
            AdjointState<T>& adjoint);

  /// Transpose of Stepper::project_initial: dJ/d(velocity before the projection), on the faces that
  /// are advanced. Valid until the next call.
  const Velocity<T>& project_initial(AdjointState<T>& adjoint);

  /// Moves what the ghosts hold to their sources.
  void fold_ghosts(Velocity<T>& velocity_bar);

  /// Called when the bars of the masks of a step's stage are complete, while the masks are those of
  /// that stage: what takes those of bodies that travel and sets them back to zero.
  std::function<void(long step, int stage, AdjointState<T>& adjoint)> take_mask_bars;

private:
  void fold(const std::array<FillGhosts<T>, 3>& rules, Buffer<T>* const (&fields)[3], int count);
  void solve_pressure(double projection, const AdjointState<T>& adjoint, Velocity<T>& velocity_bar,
                      bool with_pressure);
  void boundary_values(long n, int stage, AdjointState<T>& adjoint);
  void correct_mass(double projection, Velocity<T>& velocity_bar);
  void divergence(const Stage& stage, const Velocity<T>& velocity_bar);
  void body(long n, int stage, const StepRecord<T>& record, const StepForceBar<T>& force_bar,
            AdjointState<T>& adjoint);
  void body_inertia(long n, int stage, std::size_t b, const ForceBar<T>& bar,
                    AdjointState<T>& adjoint);
  void body_to_previous();
  template <int Dim, bool Viscosity>
  void tendency_of(const Velocity<T>& v, bool first, AdjointState<T>& adjoint);
  void tendency(const Velocity<T>& v, bool first, AdjointState<T>& adjoint);
  void outflow(int stage, AdjointState<T>& adjoint);
  void stage(long n, int stage, const StepRecord<T>& record, const StepForceBar<T>& force_bar,
             AdjointState<T>& adjoint);

  FlowModel<T>& model_;
  Runner& run_;
  Velocity<T> euler_bar_;                  ///< dJ/dE, zero outside the faces that are advanced
  Velocity<T> previous_bar_;               ///< dJ/dv of the stage
  Velocity<T> start_bar_;                  ///< dJ/du0 of the step
  std::vector<Velocity<T>> predictor_bar_; ///< dJ/dH per body
  Buffer<Sums<Accumulator<T>, 1>> correction_bars_;
  bool with_viscosity_;
};

/// Bars of an entry of the table of motions: what its fields' are, and its centre's by the arms of
/// fields and of the moment, whose bar (with the weight of the stage) is given.
template <class T>
RigidMotion<double> motion_bar(const RigidMotion<T>& motion,
                               const typename MotionBar<T>::Value& velocity,
                               const typename AccelerationBar<T>::Value& acceleration,
                               const StageForces<T>& forces, double moment_bar) {
  RigidMotion<double> bar;
  for (std::size_t a = 0; a < 3; ++a) {
    bar.velocity.linear[a] = static_cast<double>(velocity.value[a]);
    bar.acceleration.linear[a] = static_cast<double>(acceleration.value[a]);
  }
  bar.velocity.angular = static_cast<double>(velocity.value[3]);
  bar.acceleration.angular = static_cast<double>(acceleration.value[3]);
  const double spin = static_cast<double>(motion.velocity.angular);
  const double spin_rate = static_cast<double>(motion.acceleration.angular);
  const auto force = [&](std::size_t a) {
    return static_cast<double>(forces.exchange.value[a] + forces.inertia.value[a]);
  };
  bar.centre[0] = -spin * bar.velocity.linear[1] - spin_rate * bar.acceleration.linear[1] -
                  moment_bar * force(1);
  bar.centre[1] = spin * bar.velocity.linear[0] + spin_rate * bar.acceleration.linear[0] +
                  moment_bar * force(0);
  return bar;
}

template <class T> AdjointState<T>::AdjointState(const FlowModel<T>& model)
    : velocity{model.make_velocity()}, pressure{model.exec,
                                                static_cast<std::size_t>(model.layout.size)},
      viscosity{model.exec, static_cast<std::size_t>(model.layout.size)},
      surface_velocity{model.exec, model.motion.size()}, surface_acceleration{model.exec,
                                                                              model.motion.size()} {
  for (const InflowSide<T>& side : model.inflows)
    inflow.emplace_back(model.exec, side.knots.size());
  for (const BodyModel<T>& body : model.bodies) {
    const auto size = static_cast<std::size_t>(body.layout.size);
    mask.emplace_back();
    for (std::size_t c = 0; c < static_cast<std::size_t>(model.components()); ++c) {
      mask.back().solid[c] = {model.exec, size};
      if (body.accelerates) mask.back().distance[c] = {model.exec, size};
      for (std::size_t a = 0; a < static_cast<std::size_t>(model.components()); ++a) {
        mask.back().moment[c][a] = {model.exec, size};
      }
    }
  }
}

template <class T, class Runner>
AdjointStepper<T, Runner>::AdjointStepper(FlowModel<T>& model, Runner& runner, bool with_viscosity)
    : model_{model}, run_{runner}, euler_bar_{model.make_velocity()},
      previous_bar_{model.make_velocity()}, start_bar_{model.make_velocity()},
      correction_bars_{model.exec, static_cast<std::size_t>(std::max(model.outlets, 1))},
      with_viscosity_{with_viscosity} {
  for (const BodyModel<T>& body : model.bodies) {
    predictor_bar_.emplace_back();
    for (std::size_t c = 0; c < static_cast<std::size_t>(model.components()); ++c) {
      predictor_bar_.back()[c] = {model.exec, static_cast<std::size_t>(body.layout.size)};
    }
  }
}

template <class T, class Runner>
void AdjointStepper<T, Runner>::fold(const std::array<FillGhosts<T>, 3>& rules,
                                     Buffer<T>* const (&fields)[3], int count) {
  for (int a = model_.components(); a-- > 0;) {
    const FillGhosts<T>& forward = rules[static_cast<std::size_t>(a)];
    if (forward.rules[0].count == 0) continue;
    FillGhostsAdjoint<T> kernel{};
    for (int c = 0; c < count; ++c) {
      kernel.field_bar[c] = fields[c]->data();
      kernel.rules[c] = forward.rules[c];
    }
    kernel.fields = count;
    kernel.axis = a;
    kernel.layout = model_.layout;
    run_(kernel);
  }
}

template <class T, class Runner>
void AdjointStepper<T, Runner>::fold_ghosts(Velocity<T>& velocity_bar) {
  fold(model_.ghosts, {&velocity_bar[0], &velocity_bar[1], &velocity_bar[2]}, model_.components());
}

/// u_bar (folded) and p_bar through the correction and the solve; leaves q in the padded work
/// field.
template <class T, class Runner>
void AdjointStepper<T, Runner>::solve_pressure(double projection, const AdjointState<T>& adjoint,
                                               Velocity<T>& velocity_bar, bool with_pressure) {
  for (int a = 0; a < model_.components(); ++a) { // the face of a periodic end repeats the first
    FillGhosts<T> kernel = model_.periodic_velocity[static_cast<std::size_t>(a)];
    if (kernel.rules[0].count == 0) continue;
    for (int c = 0; c < model_.components(); ++c) {
      kernel.field[c] = velocity_bar[static_cast<std::size_t>(c)].data();
    }
    run_(kernel);
  }
  if (!with_pressure) model_.phi.zero();
  run_(CorrectVelocityAdjoint<T>{
      .velocity_bar = {velocity_bar[0].data(), velocity_bar[1].data(), velocity_bar[2].data()},
      .pressure_bar = with_pressure ? adjoint.pressure.data() : model_.phi.data(),
      .out = model_.cells.data(),
      .step = T(projection * model_.setup.dt),
      .metric = model_.metric,
      .layout = model_.layout});
  model_.poisson.solve(model_.cells.data());
  model_.phi.zero();
  run_(UnpackCells<T>{model_.cells.data(), model_.phi.data(), nullptr, model_.layout});
  for (int a = 0; a < model_.components(); ++a) {
    FillGhosts<T> kernel = model_.periodic_cells[static_cast<std::size_t>(a)];
    if (kernel.rules[0].count == 0) continue;
    kernel.field[0] = model_.phi.data();
    run_(kernel);
  }
}

/// Divergence and mass correction at the open sides.
template <class T, class Runner>
void AdjointStepper<T, Runner>::correct_mass(double projection, Velocity<T>& velocity_bar) {
  for (const OpenSide& side : model_.open_sides) {
    run_(SideDivergenceAdjoint<T>{.q = model_.phi.data(),
                                  .velocity_bar =
                                      velocity_bar[static_cast<std::size_t>(side.axis)].data(),
                                  .scale = T(1 / (projection * model_.setup.dt)),
                                  .axis = side.axis,
                                  .metric = model_.metric,
                                  .layout = model_.layout,
                                  .plane = side.plane(model_.layout)});
  }
  int outlet = 0;
  for (const OpenSide& side : model_.open_sides) {
    if (!side.outlet) continue;
    run_.sum(CorrectionBar<T>{velocity_bar[static_cast<std::size_t>(side.axis)].data(), side,
                              model_.layout},
             correction_bars_.data() + outlet++);
  }
  for (const OpenSide& side : model_.open_sides) {
    if (model_.outlets == 0) break;
    run_(CorrectMassAdjoint<T>{.correction_bars = correction_bars_.data(),
                               .velocity_bar =
                                   velocity_bar[static_cast<std::size_t>(side.axis)].data(),
                               .outlets = model_.outlets,
                               .outlet_area = model_.outlet_area,
                               .side = side,
                               .metric = model_.metric,
                               .layout = model_.layout});
  }
}

template <class T, class Runner>
void AdjointStepper<T, Runner>::boundary_values(long n, int stage, AdjointState<T>& adjoint) {
  correct_mass(model_.stages[static_cast<std::size_t>(stage)].projection, adjoint.velocity);
  for (std::size_t s = 0; s < model_.inflows.size(); ++s) {
    const InflowSide<T>& inflow = model_.inflows[s];
    const PrescribeInflow<T> forward{.knots = inflow.knots.data(),
                                     .time = model_.knot_time.data() +
                                             model_.table_index(n, stage, model_.inflows.size(), s),
                                     .velocity = nullptr,
                                     .axis = inflow.side.axis,
                                     .face = inflow.side.face,
                                     .layout = model_.layout};
    run_(PrescribeInflowAdjoint<T>{
        .forward = forward,
        .velocity_bar = adjoint.velocity[static_cast<std::size_t>(inflow.side.axis)].data(),
        .knots_bar = adjoint.inflow[s].data()});
  }
}

template <class T, class Runner>
void AdjointStepper<T, Runner>::divergence(const Stage& stage, const Velocity<T>& velocity_bar) {
  for (int c = 0; c < model_.components(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    run_(DivergenceAdjoint<T>{.velocity_bar = velocity_bar[at].data(),
                              .q = model_.phi.data(),
                              .euler_bar = euler_bar_[at].data(),
                              .start_bar = start_bar_[at].data(),
                              .scale = T(1 / (stage.projection * model_.setup.dt)),
                              .start_weight = T(stage.start),
                              .euler_weight = T(stage.euler),
                              .axis = c,
                              .metric = model_.metric,
                              .layout = model_.layout,
                              .faces = model_.faces[at]});
  }
}

template <class T, class Runner>
void AdjointStepper<T, Runner>::body(long n, int stage, const StepRecord<T>& record,
                                     const StepForceBar<T>& force_bar, AdjointState<T>& adjoint) {
  const double dt = model_.setup.dt, tau = model_.setup.relaxation_time;
  const double weight = model_.stages[static_cast<std::size_t>(stage)].force_weight;
  if (model_.place_masks) model_.place_masks(n, stage);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const BodyModel<T>& body = model_.bodies[b];
    const Velocity<T>& predictor = record.body_predictor[static_cast<std::size_t>(stage)][b];
    const std::size_t entry = model_.table_index(n, stage, model_.bodies.size(), b);
    ForceBar<T> bar = force_bar[b];
    for (T& component : bar.force) component = component * T(weight);
    bar.moment = bar.moment * T(weight);
    for (int c = 0; c < model_.components(); ++c) {
      const auto at = static_cast<std::size_t>(c);
      const ComponentMask<T>& mask = body.mask[at];
      auto& mask_bar = adjoint.mask[b];
      run_(BodyForcingAdjoint<T>{
          .euler_bar = euler_bar_[at].data(),
          .predictor = predictor[at].data(),
          .solid = mask.solid.data(),
          .moment = {mask.moment[0].data(), mask.moment[1].data(), mask.moment[2].data()},
          .predictor_bar = predictor_bar_[b][at].data(),
          .solid_bar = mask_bar.solid[at].data(),
          .moment_bar = {mask_bar.moment[at][0].data(), mask_bar.moment[at][1].data(),
                         mask_bar.moment[at][2].data()},
          .force_bar = bar,
          .motion = model_.motion.data() + entry,
          .dt = T(dt),
          .relaxation_time = T(tau),
          .component = c,
          .metric = model_.metric,
          .layout = model_.layout,
          .body = body.layout,
          .box = body.ring});
    }
    run_.sum(MotionBar<T>{{predictor_bar_[b][0].data(), predictor_bar_[b][1].data(),
                           predictor_bar_[b][2].data()},
                          model_.motion.data() + entry,
                          model_.metric,
                          body.layout,
                          body.ring},
             adjoint.surface_velocity.data() + entry);
    if (body.accelerates) body_inertia(n, stage, b, bar, adjoint);
  }
  if (take_mask_bars) take_mask_bars(n, stage, adjoint);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
      run_(BodyPredictorAdjoint<T>{.predictor_bar = predictor_bar_[b][c].data(),
                                   .bar = euler_bar_[c].data(),
                                   .weight = T(tau / dt),
                                   .layout = model_.layout,
                                   .body = model_.bodies[b].layout,
                                   .box = model_.bodies[b].ring});
    }
  }
}

template <class T, class Runner>
void AdjointStepper<T, Runner>::body_inertia(long n, int stage, std::size_t b,
                                             const ForceBar<T>& bar, AdjointState<T>& adjoint) {
  const std::size_t entry = model_.table_index(n, stage, model_.bodies.size(), b);
  const BodyInertia<T> forward = inertia_of(model_, b, model_.motion.data() + entry);
  for (int c = 0; c < model_.components(); ++c) {
    run_(BodyInertiaAdjoint<T>{forward, bar, c,
                               adjoint.mask[b].distance[static_cast<std::size_t>(c)].data()});
  }
  run_.sum(AccelerationBar<T>{forward, bar}, adjoint.surface_acceleration.data() + entry);
}

template <class T, class Runner> void AdjointStepper<T, Runner>::body_to_previous() {
  const double theta = model_.setup.dt / model_.setup.relaxation_time;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
      run_(BodyPredictorAdjoint<T>{.predictor_bar = predictor_bar_[b][c].data(),
                                   .bar = previous_bar_[c].data(),
                                   .weight = T(1 - 1 / theta),
                                   .layout = model_.layout,
                                   .body = model_.bodies[b].layout,
                                   .box = model_.bodies[b].ring});
    }
  }
}

template <class T, class Runner> template <int Dim, bool Viscosity> void
AdjointStepper<T, Runner>::tendency_of(const Velocity<T>& v, bool first, AdjointState<T>& adjoint) {
  run_(TendencyAdjoint<T, Dim, Viscosity>{
      .velocity = {v[0].data(), v[1].data(), v[2].data()},
      .euler_bar = {euler_bar_[0].data(), euler_bar_[1].data(), euler_bar_[2].data()},
      .carried = {start_bar_[0].data(), start_bar_[1].data(), start_bar_[2].data()},
      .velocity_bar = {previous_bar_[0].data(), previous_bar_[1].data(), previous_bar_[2].data()},
      .pressure_bar = adjoint.pressure.data(),
      .viscosity_bar = adjoint.viscosity.data(),
      .carried_weight = T(first ? 1 : 0),
      .dt = T(model_.setup.dt),
      .viscosity = model_.viscosity,
      .advection = model_.advection,
      .metric = model_.metric,
      .layout = model_.layout,
      .faces = {model_.faces[0], model_.faces[1], model_.faces[2]}});
}

template <class T, class Runner> void
AdjointStepper<T, Runner>::tendency(const Velocity<T>& v, bool first, AdjointState<T>& adjoint) {
  if (model_.components() == 2) {
    with_viscosity_ ? tendency_of<2, true>(v, first, adjoint)
                    : tendency_of<2, false>(v, first, adjoint);
  } else {
    with_viscosity_ ? tendency_of<3, true>(v, first, adjoint)
                    : tendency_of<3, false>(v, first, adjoint);
  }
}

template <class T, class Runner>
void AdjointStepper<T, Runner>::outflow(int stage, AdjointState<T>& adjoint) {
  const Stage& weights = model_.stages[static_cast<std::size_t>(stage)];
  for (const OutflowPlane& plane : model_.outflows) {
    const auto c = static_cast<std::size_t>(plane.component);
    const ConvectOutflow<T> forward{.velocity = nullptr,
                                    .start = nullptr,
                                    .out = nullptr,
                                    .start_weight = T(weights.start),
                                    .euler_weight = T(weights.euler),
                                    .courant = T(plane.courant),
                                    .inward = plane.inward,
                                    .layout = model_.layout,
                                    .plane = plane.plane};
    // At the first stage u0 is v: what would go to u0 goes to v with the rest (its weight is 0
    // there).
    run_(ConvectOutflowAdjoint<T>{.forward = forward,
                                  .out_bar = adjoint.velocity[c].data(),
                                  .velocity_bar = previous_bar_[c].data(),
                                  .start_bar = start_bar_[c].data()});
  }
}

template <class T, class Runner>
void AdjointStepper<T, Runner>::stage(long n, int k, const StepRecord<T>& record,
                                      const StepForceBar<T>& force_bar, AdjointState<T>& adjoint) {
  const Stage& weights = model_.stages[static_cast<std::size_t>(k)];
  Buffer<T>* const velocity_bars[3] = {&adjoint.velocity[0], &adjoint.velocity[1],
                                       &adjoint.velocity[2]};
  Buffer<T>* const pressure_bars[3] = {&adjoint.pressure, nullptr, nullptr};
  fold(model_.ghosts, velocity_bars, model_.components());
  fold(model_.periodic_cells, pressure_bars, 1);
  solve_pressure(weights.projection, adjoint, adjoint.velocity, true);
  boundary_values(n, k, adjoint);
  divergence(weights, adjoint.velocity);
  body(n, k, record, force_bar, adjoint);
  tendency(record.velocity[static_cast<std::size_t>(k)], k == 0, adjoint);
  body_to_previous();
  outflow(k, adjoint);
  for (std::size_t c = 0; c < 3; ++c) adjoint.velocity[c].swap(previous_bar_[c]);
}

template <class T, class Runner>
void AdjointStepper<T, Runner>::step(long n, const StepRecord<T>& record,
                                     const StepForceBar<T>& force_bar, AdjointState<T>& adjoint) {
  for (Buffer<T>& bar : start_bar_) bar.zero();
  for (int k = model_.stage_count(); k-- > 0;) stage(n, k, record, force_bar, adjoint);
}

template <class T, class Runner>
const Velocity<T>& AdjointStepper<T, Runner>::project_initial(AdjointState<T>& adjoint) {
  fold_ghosts(adjoint.velocity);
  solve_pressure(1, adjoint, adjoint.velocity, false);
  correct_mass(1, adjoint.velocity);
  for (Buffer<T>& bar : start_bar_) bar.zero();
  divergence({0, 1, 1, 0, 0, 0}, adjoint.velocity);
  return euler_bar_;
}

} // namespace contraflow
