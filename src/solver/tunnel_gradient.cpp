// The differentiating half of Tunnel: functionals, the reversal, and the gradient's way to the
// design.
#include "src/solver/tunnel.hpp"

#include "contraflow/error.hpp"
#include "src/core/host_memory.hpp"
#include "src/tape/schedule.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace contraflow {

namespace {

double available_memory(const Exec& exec) {
  const bool cuda = exec.backend == Backend::cuda;
  return static_cast<double>(cuda ? free_cuda_memory() : host_memory().free);
}

/// A term whose window is shrunk with the horizon.
TermSpec shrunk(TermSpec term, double ratio) {
  term.from *= ratio;
  if (term.to >= 0) term.to *= ratio;
  return term;
}

bool is_force(const TermSpec& term) {
  return term.kind == TermKind::drag || term.kind == TermKind::lift ||
         term.kind == TermKind::moment;
}

/// The part of a force that a term reads, as coefficient.
double coefficient(const Case& c, const TermSpec& term, const BodyForce& force) {
  const Coefficients scale = coefficients_of(c, c.bodies[body_index(c, term.body)]);
  if (term.kind == TermKind::drag) return scale.force * force.force[0];
  if (term.kind == TermKind::lift) return scale.force * force.force[1];
  return scale.moment * force.moment;
}

/// Faces of a component whose positions lie in a region.
Box region_faces(const Grid& grid, const Box& faces, int component,
                 const std::array<Vec3, 2>& region) {
  Box box = faces;
  for (int a = 0; a < grid.dimension; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const auto position = [&](int m) {
      const auto n = static_cast<std::size_t>(m);
      const auto& at = grid.faces[axis];
      return a == component ? at[n] : 0.5 * (at[n] + at[n + 1]);
    };
    while (box.lo[a] < box.hi[a] && position(box.lo[a]) < region[0][axis]) ++box.lo[a];
    while (box.lo[a] < box.hi[a] && position(box.hi[a] - 1) > region[1][axis]) --box.hi[a];
  }
  return box;
}

} // namespace

template <class T> StageForces<T>* Tunnel<T>::force_slot(long step) {
  return force_sums_.data() +
         static_cast<std::size_t>(step) * model_.stages.size() * model_.bodies.size();
}

template <class T> void Tunnel<T>::read_forces(long steps) {
  const auto sums = force_sums_.download();
  forces_.clear();
  for (long n = 0; n < steps; ++n) {
    forces_.push_back(
        force_of(sums, static_cast<std::size_t>(n) * model_.stages.size() * model_.bodies.size()));
  }
}

template <class T> std::vector<std::vector<MisfitTerm<T>>>
Tunnel<T>::misfits_of(const std::vector<Functional>& functionals, const Horizon& horizon) {
  const double ratio = static_cast<double>(horizon.steps) / static_cast<double>(model_.setup.steps);
  std::vector<std::vector<MisfitTerm<T>>> misfits(functionals.size());
  for (std::size_t f = 0; f < functionals.size(); ++f) {
    for (const TermSpec& spec : functionals[f].terms) {
      misfits[f].emplace_back();
      if (spec.kind != TermKind::velocity_misfit) continue;
      MisfitTerm<T>& term = misfits[f].back();
      term.weights = state_weights(shrunk(spec, ratio), model_.setup.dt, horizon.steps);
      double volume = 1;
      for (std::size_t a = 0; a < static_cast<std::size_t>(model_.components()); ++a) {
        volume *= spec.region[1][a] - spec.region[0][a];
      }
      const double speed = case_.flow.reference_speed;
      term.scale = 1 / (speed * speed * volume);
      FlowState recorded;
      if (!spec.target_file.empty()) recorded = read_restart(spec.target_file, grid());
      for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
        term.faces[c] = region_faces(grid(), model_.faces[c], static_cast<int>(c), spec.region);
        if (term.faces[c].count() == 0) {
          throw CaseError{
              fmt::format("{}: objective: the region of a velocity_misfit holds no faces "
                          "of the grid",
                          case_.path)};
        }
        std::vector<T> target(static_cast<std::size_t>(model_.layout.size), T(spec.target[c]));
        if (!recorded.velocity[c].empty()) {
          if (recorded.velocity[c].size() != target.size()) {
            throw FileError{spec.target_file + ": the recorded fields have another size"};
          }
          target.assign(recorded.velocity[c].begin(), recorded.velocity[c].end());
        }
        term.target[c] = Buffer<T>{model_.exec, target};
      }
    }
  }
  return misfits;
}

template <class T>
double Tunnel<T>::misfit(const MisfitTerm<T>& term, const Velocity<T>& velocity) {
  double sum = 0;
  for (int c = 0; c < model_.components(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    runner_.sum(RegionMisfit<T>{velocity[at].data(), term.target[at].data(), c, model_.metric,
                                model_.layout, term.faces[at]},
                misfit_sum_.data());
    sum += static_cast<double>(misfit_sum_.download()[0].value[0]);
  }
  return term.scale * sum;
}

/// Takes the misfits of state n into the values, the first time it is reached.
template <class T> void Tunnel<T>::visit_state(long n, const Velocity<T>& velocity) {
  if (n <= visited_) return;
  visited_ = n;
  for (std::size_t f = 0; f < misfits_.size(); ++f) {
    for (std::size_t t = 0; t < misfits_[f].size(); ++t) {
      const MisfitTerm<T>& term = misfits_[f][t];
      const auto at = static_cast<std::size_t>(n);
      if (term.weights.empty() || term.weights[at] == 0) continue;
      misfit_values_[f][t] += term.weights[at] * misfit(term, velocity);
    }
  }
}

template <class T> void Tunnel<T>::seed_misfits(long n, const Velocity<T>& velocity) {
  for (std::size_t f = 0; f < misfits_.size(); ++f) {
    for (std::size_t t = 0; t < misfits_[f].size(); ++t) {
      const MisfitTerm<T>& term = misfits_[f][t];
      const auto at = static_cast<std::size_t>(n);
      if (term.weights.empty() || term.weights[at] == 0) continue;
      const double weight = weights_[f][t][0] * term.weights[at] * term.scale;
      for (int c = 0; c < model_.components(); ++c) {
        const auto component = static_cast<std::size_t>(c);
        const RegionMisfit<T> forward{velocity[component].data(),
                                      term.target[component].data(),
                                      c,
                                      model_.metric,
                                      model_.layout,
                                      term.faces[component]};
        runner_(RegionMisfitAdjoint<T>{forward, adjoint_[f].velocity[component].data(), T(weight)});
      }
    }
  }
}

/// Weights of every term: of each step for forces; for misfits one entry, the weight of the term.
template <class T>
void Tunnel<T>::set_weights(const std::vector<Functional>& functionals, const Horizon& horizon) {
  if (horizon.steps > model_.setup.steps) {
    throw CaseError{fmt::format("{}: a horizon of {} steps is longer than the case, {}", case_.path,
                                horizon.steps, model_.setup.steps)};
  }
  const double ratio = static_cast<double>(horizon.steps) / static_cast<double>(model_.setup.steps);
  weights_.assign(functionals.size(), {});
  misfit_values_.assign(functionals.size(), {});
  for (std::size_t f = 0; f < functionals.size(); ++f) {
    for (const TermSpec& term : functionals[f].terms) {
      if (is_force(term)) {
        weights_[f].push_back(step_weights(shrunk(term, ratio), model_.setup.dt, horizon.steps));
      } else {
        weights_[f].push_back({term.weight});
      }
      misfit_values_[f].push_back(0);
    }
  }
  misfits_ = misfits_of(functionals, horizon);
  visited_ = -1;
  force_sums_ =
      Buffer<StageForces<T>>{model_.exec, static_cast<std::size_t>(horizon.steps) *
                                              model_.stages.size() * model_.bodies.size()};
}

template <class T> std::vector<FunctionalResult>
Tunnel<T>::values(const std::vector<Functional>& functionals, const Horizon& horizon) const {
  std::vector<FunctionalResult> results(functionals.size());
  for (std::size_t f = 0; f < functionals.size(); ++f) {
    for (std::size_t t = 0; t < functionals[f].terms.size(); ++t) {
      const TermSpec& term = functionals[f].terms[t];
      double value = misfit_values_[f][t];
      if (is_force(term)) {
        const std::size_t b = body_index(case_, term.body);
        for (long n = 0; n < horizon.steps; ++n) {
          const auto at = static_cast<std::size_t>(n);
          value += weights_[f][t][at] * coefficient(case_, term, forces_[at][b]);
        }
      }
      results[f].terms.push_back(value);
      results[f].value += term.weight * value;
    }
  }
  return results;
}

template <class T> StepForceBar<T> Tunnel<T>::force_bar(std::size_t functional,
                                                        const Functional& terms, long step) const {
  StepForceBar<T> bars(model_.bodies.size());
  for (std::size_t t = 0; t < terms.terms.size(); ++t) {
    const TermSpec& term = terms.terms[t];
    if (!is_force(term)) continue;
    const std::size_t b = body_index(case_, term.body);
    const Coefficients scale = coefficients_of(case_, case_.bodies[b]);
    const double weight = term.weight * weights_[functional][t][static_cast<std::size_t>(step)];
    if (term.kind == TermKind::drag) bars[b].force[0] = bars[b].force[0] + T(weight * scale.force);
    if (term.kind == TermKind::lift) bars[b].force[1] = bars[b].force[1] + T(weight * scale.force);
    if (term.kind == TermKind::moment) bars[b].moment = bars[b].moment + T(weight * scale.moment);
  }
  return bars;
}

template <class T> std::vector<FunctionalResult>
Tunnel<T>::evaluate(const std::vector<Functional>& functionals, const Horizon& given) {
  Horizon horizon = given;
  if (horizon.steps <= 0) horizon.steps = model_.setup.steps;
  set_weights(functionals, horizon);
  restart_from_initial();
  keep_good_state();
  visit_state(0, state_.velocity);
  while (step_ < horizon.steps) {
    stepper_->step(step_, state_, force_slot(step_));
    visit_state(++step_, state_.velocity);
    check_flow(step_, horizon.steps);
    if (horizon.progress) horizon.progress(step_, horizon.steps);
  }
  read_forces(horizon.steps);
  return values(functionals, horizon);
}

/// Every so many steps: throws DivergenceError, naming the step, where the flow blew up.
template <class T> void Tunnel<T>::check_flow(long reached, long last) {
  if (reached % 16 != 0 && reached != last) return;
  step_ = reached;
  if (!complaint(norms(state_)).empty()) throw DivergenceError{find_divergence(reached)};
  keep_good_state();
}

template <class T> void Tunnel<T>::check_adjoint(long step) {
  if (step % 16 != 0) return;
  for (std::size_t f = 0; f < adjoint_.size(); ++f) {
    runner_.sum(FieldNorms<T>{{adjoint_[f].velocity[0].data(), adjoint_[f].velocity[1].data(),
                               adjoint_[f].velocity[2].data(), adjoint_[f].pressure.data()},
                              model_.layout},
                norm_.data());
    const auto norm = norm_.download()[0];
    const char* names[] = {"u", "v", "w", "p"};
    for (std::size_t q = 0; q < 4; ++q) {
      if (std::isfinite(static_cast<double>(norm.value[q]))) continue;
      throw DivergenceError{fmt::format(
          "the adjoint of {} stopped being finite at step {}; shorten the horizon or the window",
          names[q], step)};
    }
  }
}

template <class T> TapePlan Tunnel<T>::plan(long steps, std::size_t functionals) const {
  TapePlan plan;
  plan.steps = steps;
  const double field = static_cast<double>(model_.layout.size) * sizeof(T);
  plan.state_bytes = field * (model_.components() + 1);
  double recorded = static_cast<double>(model_.layout.size);
  for (const BodyModel<T>& body : model_.bodies) recorded += static_cast<double>(body.layout.size);
  plan.record_bytes = recorded * sizeof(T) * model_.components() * model_.stage_count();
  const double work = field * static_cast<double>(functionals) * (model_.components() + 2);
  double memory = case_.tape.memory;
  if (memory <= 0) memory = 0.5 * std::max(0.0, available_memory(model_.exec) - work);
  plan.keeps_stages = plan.record_bytes * static_cast<double>(steps) <= memory;
  const double fit = std::floor(memory / plan.state_bytes);
  if (fit < 1 && case_.tape.memory > 0) {
    throw CaseError{fmt::format("{}: tape.memory = {:g}: a single state takes {:g} bytes",
                                case_.path, case_.tape.memory, plan.state_bytes)};
  }
  plan.slots =
      static_cast<int>(std::clamp(fit, 1.0, static_cast<double>(std::min(steps, 1000000L))));
  plan.advances = plan.keeps_stages ? 0 : optimal_advances(steps, plan.slots);
  return plan;
}

template <class T> void Tunnel<T>::reverse_step(long n, const StepRecord<T>& record,
                                                const std::vector<Functional>& functionals,
                                                AdjointStepper<T, DeviceRunner>& by) {
  for (std::size_t f = 0; f < functionals.size(); ++f) {
    by.step(n, record, force_bar(f, functionals[f], n), adjoint_[f]);
  }
  seed_misfits(n, record.velocity[0]);
  check_adjoint(n);
}

template <class T> void Tunnel<T>::reverse_with_stages(const std::vector<Functional>& functionals,
                                                       const Horizon& horizon,
                                                       AdjointStepper<T, DeviceRunner>& by) {
  std::vector<StepRecord<T>> records;
  const long total = 2 * horizon.steps;
  while (step_ < horizon.steps) {
    records.emplace_back(model_);
    stepper_->step(step_, state_, force_slot(step_), &records.back());
    visit_state(++step_, state_.velocity);
    check_flow(step_, horizon.steps);
    if (horizon.progress) horizon.progress(step_, total);
  }
  seed_misfits(horizon.steps, state_.velocity);
  for (long n = horizon.steps; n-- > 0;) {
    reverse_step(n, records[static_cast<std::size_t>(n)], functionals, by);
    if (horizon.progress) horizon.progress(total - n, total);
  }
}

template <class T> void Tunnel<T>::reverse_by_schedule(const std::vector<Functional>& functionals,
                                                       const Horizon& horizon, int slots,
                                                       AdjointStepper<T, DeviceRunner>& by) {
  std::vector<State<T>> stored;
  StepRecord<T> record{model_};
  long long advanced = 0, done = 0;
  const long long forecast = optimal_advances(horizon.steps, slots);
  const long total = static_cast<long>(forecast) + 2 * horizon.steps;
  const auto tick = [&] {
    ++done;
    if (horizon.progress) horizon.progress(static_cast<long>(done), total);
  };
  reverse_schedule(horizon.steps, slots, [&](const TapeAction& action) {
    const auto slot = static_cast<std::size_t>(std::max(action.slot, 0));
    switch (action.verb) {
    case TapeVerb::store:
      while (stored.size() <= slot) stored.push_back(model_.make_state());
      copy_state(stored[slot], state_);
      break;
    case TapeVerb::restore:
      copy_state(state_, stored[slot]);
      break;
    case TapeVerb::advance:
      for (long n = action.step; n < action.step + action.count; ++n) {
        stepper_->step(n, state_, force_slot(n));
        visit_state(n + 1, state_.velocity);
        check_flow(n + 1, horizon.steps);
        ++advanced;
        tick();
      }
      break;
    case TapeVerb::record: {
      const bool last = action.step + 1 == horizon.steps;
      stepper_->step(action.step, state_, force_slot(action.step), &record, last);
      if (last) {
        visit_state(horizon.steps, state_.velocity);
        check_flow(horizon.steps, horizon.steps);
        seed_misfits(horizon.steps, state_.velocity);
      }
      tick();
      break;
    }
    case TapeVerb::reverse:
      reverse_step(action.step, record, functionals, by);
      tick();
      break;
    case TapeVerb::release:
      break;
    }
  });
  advances_ = advanced;
  if (advanced != forecast) {
    throw SolveError{
        fmt::format("the tape advanced {} steps where {} were forecast", advanced, forecast)};
  }
}

template <class T> std::vector<FunctionalResult>
Tunnel<T>::gradient(const std::vector<Functional>& functionals, const Horizon& given) {
  Horizon horizon = given;
  if (horizon.steps <= 0) horizon.steps = model_.setup.steps;
  set_weights(functionals, horizon);
  adjoint_.clear();
  for (std::size_t f = 0; f < functionals.size(); ++f) adjoint_.emplace_back(model_);
  AdjointStepper<T, DeviceRunner> by{model_, runner_, needs_viscosity()};
  travel_bars_.assign(functionals.size(), std::vector<TravelBars>(bodies_.size()));
  if (model_.place_masks) {
    by.take_mask_bars = [this](long step, int stage, AdjointState<T>& adjoint) {
      collect_travel(step, stage, adjoint);
    };
  }
  const TapePlan tape = plan(horizon.steps, functionals.size());
  restart_from_initial();
  keep_good_state();
  visit_state(0, state_.velocity);
  if (horizon.slots == 0 && tape.keeps_stages) {
    reverse_with_stages(functionals, horizon, by);
  } else {
    reverse_by_schedule(functionals, horizon, horizon.slots > 0 ? horizon.slots : tape.slots, by);
  }
  read_forces(horizon.steps);
  std::vector<FunctionalResult> results = values(functionals, horizon);
  sample_bars_.assign(functionals.size(), {});
  for (std::size_t f = 0; f < functionals.size(); ++f) {
    results[f].gradient = collect(f, functionals[f], horizon, by);
  }
  return results;
}

template <class T> bool Tunnel<T>::needs_viscosity() const {
  for (const ControlSpec& control : case_.controls) {
    if (control.kind == ControlKind::viscosity) return true;
  }
  return false;
}

template class Tunnel<float>;
template class Tunnel<double>;

} // namespace contraflow
