#include "tests/support/random_flow.hpp"

#include <algorithm>
#include <cmath>

namespace contraflow::test {

namespace {

using Blocks = RandomFlow::Blocks;

template <class T> T with_tangent(double value, double dot);
template <> double with_tangent<double>(double value, double) { return value; }
template <> Dual with_tangent<Dual>(double value, double dot) { return {value, dot}; }

double value_of(double x) { return x; }
double value_of(const Dual& x) { return x.dot; }

template <class T>
std::vector<T> joined(const std::vector<double>& value, const std::vector<double>& dot) {
  std::vector<T> both(value.size());
  for (std::size_t n = 0; n < value.size(); ++n) both[n] = with_tangent<T>(value[n], dot[n]);
  return both;
}

/// Calls visit(i, j, k) for every index of a box, x fastest.
template <class Visit> void each(const Box& box, const Visit& visit) {
  for (int k = box.lo[2]; k < box.hi[2]; ++k) {
    for (int j = box.lo[1]; j < box.hi[1]; ++j) {
      for (int i = box.lo[0]; i < box.hi[0]; ++i) visit(i, j, k);
    }
  }
}

/// The faces of a component that bound cells of the grid, without ghosts.
Box own_faces(const Layout& layout, std::size_t component) {
  return faces_of(layout.interior(), static_cast<int>(component));
}

template <class T> void scatter(Buffer<T>& buffer, const Layout& layout, const Box& box,
                                const std::vector<T>& values) {
  std::vector<T> host = buffer.download();
  std::size_t n = 0;
  each(box, [&](int i, int j, int k) {
    host[static_cast<std::size_t>(layout.index(i, j, k))] = values[n++];
  });
  buffer.upload(host);
}

template <class T>
std::vector<double> gather(const Buffer<T>& buffer, const Layout& layout, const Box& box) {
  const std::vector<T> host = buffer.download();
  std::vector<double> values;
  each(box, [&](int i, int j, int k) {
    values.push_back(value_of(host[static_cast<std::size_t>(layout.index(i, j, k))]));
  });
  return values;
}

constexpr std::size_t numbers_of_motion = 10;

/// Per entry: centre x, y; linear and angular part of velocity and acceleration.
template <class T> std::vector<RigidMotion<T>> motions_of(const std::vector<T>& numbers) {
  std::vector<RigidMotion<T>> motions(numbers.size() / numbers_of_motion);
  for (std::size_t e = 0; e < motions.size(); ++e) {
    const T* at = numbers.data() + e * numbers_of_motion;
    std::copy_n(at, 2, motions[e].centre);
    std::copy_n(at + 2, 3, motions[e].velocity.linear);
    motions[e].velocity.angular = at[5];
    std::copy_n(at + 6, 3, motions[e].acceleration.linear);
    motions[e].acceleration.angular = at[9];
  }
  return motions;
}

std::vector<double> numbers_of(const RigidMotion<double>& motion) {
  const RigidField<double>&u = motion.velocity, &a = motion.acceleration;
  return {motion.centre[0], motion.centre[1], u.linear[0], u.linear[1], u.linear[2],
          u.angular,        a.linear[0],      a.linear[1], a.linear[2], a.angular};
}

/// A model and a state filled from blocks.
template <class T> struct Filled {
  FlowModel<T> model;
  State<T> state;

  Filled(const RandomFlow& flow, const Exec& exec, const Blocks& in, const Blocks& direction)
      : model{flow.setup, exec}, state{model.make_state()} {
    std::size_t block = 0;
    const auto next = [&] {
      std::vector<T> values = joined<T>(in[block], direction[block]);
      ++block;
      return values;
    };
    const Box padded = model.layout.padded();
    for (std::size_t c = 0; c < static_cast<std::size_t>(model.components()); ++c) {
      scatter(state.velocity[c], model.layout, padded, next());
    }
    scatter(state.pressure, model.layout, model.layout.interior(), next());
    model.viscosity = next()[0];
    for (InflowSide<T>& side : model.inflows) {
      const std::vector<T> knots = next();
      side.knots = Buffer<T>{exec, knots};
      const auto plane = static_cast<std::size_t>(side.side.plane(model.layout).count());
      side.times.clear();
      for (std::size_t knot = 0; knot < knots.size() / plane; ++knot) {
        side.times.push_back(0.7 * flow.setup.dt * static_cast<double>(knot));
      }
    }
    if (flow.body.count() == 0) {
      model.set_tables({});
      return;
    }
    BodyModel<T>& body = model.add_body(flow.body, {0, 0, 0});
    body.accelerates = true;
    model.set_tables({{}});
    model.motion = Buffer<RigidMotion<T>>{exec, motions_of(next())};
    for (std::size_t c = 0; c < static_cast<std::size_t>(model.components()); ++c) {
      scatter(body.mask[c].centre, body.layout, body.box, next());
      scatter(body.mask[c].solid, body.layout, body.box, next());
      for (std::size_t a = 0; a < static_cast<std::size_t>(model.components()); ++a) {
        scatter(body.mask[c].moment[a], body.layout, body.box, next());
      }
    }
  }
};

template <class T, class Runner> Blocks run_flow(const RandomFlow& flow, const Exec& exec,
                                                 Runner& runner, const Blocks& in,
                                                 const Blocks& direction) {
  Filled<T> filled{flow, exec, in, direction};
  FlowModel<T>& model = filled.model;
  const std::size_t per_step = model.stages.size() * model.bodies.size();
  Buffer<StageForces<T>> forces{exec, static_cast<std::size_t>(flow.steps) * per_step};
  Stepper<T, Runner> stepper{model, runner};
  stepper.fill_ghosts(filled.state.velocity);
  for (long n = 0; n < flow.steps; ++n) {
    stepper.step(n, filled.state, forces.data() + static_cast<std::size_t>(n) * per_step);
  }
  Blocks out;
  for (std::size_t c = 0; c < static_cast<std::size_t>(model.components()); ++c) {
    out.push_back(gather(filled.state.velocity[c], model.layout, own_faces(model.layout, c)));
  }
  out.push_back(gather(filled.state.pressure, model.layout, model.layout.interior()));
  out.emplace_back();
  for (const StageForces<T>& sum : forces.download()) {
    for (std::size_t q = 0; q < 4; ++q) {
      out.back().push_back(value_of(sum.exchange.value[q] + sum.inertia.value[q]));
    }
  }
  return out;
}

/// The force bars of one step, from those of its stages (here all stages share them, weighted).
StepForceBar<double> force_bar_of(const std::vector<double>& bars, long step) {
  ForceBar<double> bar;
  for (std::size_t a = 0; a < 3; ++a) bar.force[a] = bars[static_cast<std::size_t>(step) * 4 + a];
  bar.moment = bars[static_cast<std::size_t>(step) * 4 + 3];
  return {bar};
}

template <class Runner> Blocks run_adjoint(const RandomFlow& flow, const Exec& exec, Runner& runner,
                                           const Blocks& in, const Blocks& out_bar) {
  Filled<double> filled{flow, exec, in, in};
  FlowModel<double>& model = filled.model;
  const auto components = static_cast<std::size_t>(model.components());
  Stepper<double, Runner> stepper{model, runner};
  AdjointStepper<double, Runner> adjoint_stepper{model, runner, true};
  stepper.fill_ghosts(filled.state.velocity);
  std::vector<StepRecord<double>> records;
  const std::size_t per_step = model.stages.size() * model.bodies.size();
  Buffer<StageForces<double>> forces{exec, static_cast<std::size_t>(flow.steps) * per_step};
  for (long n = 0; n < flow.steps; ++n) {
    records.emplace_back(model);
    stepper.step(n, filled.state, forces.data() + static_cast<std::size_t>(n) * per_step,
                 &records.back());
  }
  AdjointState<double> adjoint{model};
  for (std::size_t c = 0; c < components; ++c) {
    scatter(adjoint.velocity[c], model.layout, own_faces(model.layout, c), out_bar[c]);
  }
  scatter(adjoint.pressure, model.layout, model.layout.interior(), out_bar[components]);
  for (long n = flow.steps; n-- > 0;) {
    StepForceBar<double> bar;
    if (!model.bodies.empty()) bar = force_bar_of(out_bar.back(), n);
    adjoint_stepper.step(n, records[static_cast<std::size_t>(n)], bar, adjoint);
  }
  adjoint_stepper.fold_ghosts(adjoint.velocity);

  Blocks bars;
  for (std::size_t c = 0; c < components; ++c) {
    bars.push_back(gather(adjoint.velocity[c], model.layout, model.layout.padded()));
  }
  bars.push_back(gather(adjoint.pressure, model.layout, model.layout.interior()));
  double viscosity = 0;
  for (double share : adjoint.viscosity.download()) viscosity += share;
  bars.push_back({viscosity});
  for (const Buffer<double>& side : adjoint.inflow) bars.push_back(side.download());
  if (model.bodies.empty()) return bars;
  bars.emplace_back();
  const auto velocity = adjoint.surface_velocity.download();
  const auto acceleration = adjoint.surface_acceleration.download();
  const auto motions = model.motion.download();
  const auto sums = forces.download();
  for (std::size_t e = 0; e < motions.size(); ++e) {
    const double weight = model.stages[e % model.stages.size()].force_weight;
    const double moment_bar = weight * out_bar.back()[e / model.stages.size() * 4 + 3];
    for (double number :
         numbers_of(motion_bar(motions[e], velocity[e], acceleration[e], sums[e], moment_bar))) {
      bars.back().push_back(number);
    }
  }
  const BodyModel<double>& body = model.bodies[0];
  for (std::size_t c = 0; c < components; ++c) {
    bars.push_back(gather(adjoint.mask[0].distance[c], body.layout, body.box));
    bars.push_back(gather(adjoint.mask[0].solid[c], body.layout, body.box));
    for (std::size_t a = 0; a < components; ++a) {
      bars.push_back(gather(adjoint.mask[0].moment[c][a], body.layout, body.box));
    }
  }
  return bars;
}

/// Forces of the stages combined into those of a step, as the adjoint's force bars are.
Blocks with_step_forces(const RandomFlow& flow, Blocks out) {
  const std::vector<Stage> stages = stages_of(flow.setup.scheme);
  std::vector<double> combined;
  const std::vector<double>& by_stage = out.back();
  for (std::size_t n = 0; n * stages.size() * 4 < by_stage.size(); ++n) {
    for (std::size_t q = 0; q < 4; ++q) {
      double sum = 0;
      for (std::size_t k = 0; k < stages.size(); ++k) {
        sum += stages[k].force_weight * by_stage[(n * stages.size() + k) * 4 + q];
      }
      combined.push_back(sum);
    }
  }
  out.back() = combined;
  return out;
}

} // namespace

std::vector<double> wavy_faces(int cells, double stretch) {
  std::vector<double> faces{0};
  for (int n = 0; n < cells; ++n) {
    faces.push_back(faces.back() + (1 + stretch * std::sin(2.0 * n + 0.5)) / cells);
  }
  return faces;
}

Blocks random_like(const Blocks& shape, unsigned seed) {
  std::mt19937_64 engine{seed};
  std::uniform_real_distribution<double> uniform{-1.0, 1.0};
  Blocks blocks = shape;
  for (auto& block : blocks) {
    for (double& x : block) x = uniform(engine);
  }
  return blocks;
}

double inner_product(const Blocks& a, const Blocks& b) {
  long double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    for (std::size_t e = 0; e < a[n].size(); ++e) {
      sum += static_cast<long double>(a[n][e]) * b[n][e];
    }
  }
  return static_cast<double>(sum);
}

double magnitude(const Blocks& a, const Blocks& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    for (std::size_t e = 0; e < a[n].size(); ++e) sum += std::abs(a[n][e] * b[n][e]);
  }
  return sum;
}

Blocks RandomFlow::random_inputs(unsigned seed) const {
  const FlowModel<double> model{setup, Exec::cpu()};
  const auto count = [](const Box& box) { return static_cast<std::size_t>(box.count()); };
  const auto components = static_cast<std::size_t>(model.components());
  Blocks shape(components, std::vector<double>(count(model.layout.padded())));
  shape.emplace_back(count(model.layout.interior()));
  shape.emplace_back(1);
  for (const InflowSide<double>& side : model.inflows) {
    shape.emplace_back(3 * count(side.side.plane(model.layout)));
  }
  if (body.count() > 0) {
    shape.emplace_back(static_cast<std::size_t>(setup.steps) * model.stages.size() *
                       numbers_of_motion);
    for (std::size_t n = 0; n < components * (2 + components); ++n) shape.emplace_back(count(body));
  }
  Blocks blocks = random_like(shape, seed);
  blocks[components + 1][0] = 0.02 + 0.01 * blocks[components + 1][0];
  clear_walls(blocks);
  return blocks;
}

void RandomFlow::clear_walls(Blocks& in) const {
  const FlowModel<double> model{setup, Exec::cpu()};
  for (int a = 0; a < model.components(); ++a) {
    for (int end = 0; end < 2; ++end) {
      const auto type =
          setup.boundary[static_cast<std::size_t>(a)][static_cast<std::size_t>(end)].type;
      if (type != BoundaryType::slip && type != BoundaryType::wall) continue;
      std::size_t n = 0;
      each(model.layout.padded(), [&](int i, int j, int k) {
        const int x[3] = {i, j, k};
        if (x[a] == (end == 0 ? 0 : model.layout.cells[a])) in[static_cast<std::size_t>(a)][n] = 0;
        ++n;
      });
    }
  }
}

Blocks RandomFlow::outputs(const Blocks& in) const {
  HostRunner runner;
  return with_step_forces(*this, run_flow<double>(*this, Exec::cpu(), runner, in, in));
}

Blocks RandomFlow::tangent(const Blocks& in, const Blocks& direction) const {
  HostRunner runner;
  return with_step_forces(*this, run_flow<Dual>(*this, Exec::cpu(), runner, in, direction));
}

Blocks RandomFlow::adjoint(const Blocks& in, const Blocks& out_bar) const {
  return adjoint_on(Exec::cpu(), in, out_bar);
}

Blocks RandomFlow::outputs_on(const Exec& exec, const Blocks& in) const {
  DeviceRunner runner{exec};
  return with_step_forces(*this, run_flow<double>(*this, exec, runner, in, in));
}

Blocks RandomFlow::adjoint_on(const Exec& exec, const Blocks& in, const Blocks& out_bar) const {
  DeviceRunner runner{exec};
  return run_adjoint(*this, exec, runner, in, out_bar);
}

} // namespace contraflow::test
