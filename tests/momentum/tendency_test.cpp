#include "tests/support/adjoint_pair.hpp"
#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace contraflow::test {
namespace {

template <class T> using Fields = std::vector<PaddedField<T>>;

/// out = A u0 + B E of every component.
template <class T> struct Advance {
  FlowModel<T>& model;
  Fields<T>& velocity;
  Fields<T>& start;
  PaddedField<T>& pressure;
  T viscosity;
  double start_weight = 0, euler_weight = 1;

  template <int Dim, int Axis> void along(Fields<T>& out) const {
    auto run_kernel = runner_for<T>();
    run_kernel(Tendency<T, Dim, Axis>{.velocity = {velocity[0].data(), velocity[1].data(),
                                                   Dim == 3 ? velocity[2].data() : nullptr},
                                      .pressure = pressure.data(),
                                      .start = start[Axis].data(),
                                      .out = out[Axis].data(),
                                      .start_weight = T(start_weight),
                                      .euler_weight = T(euler_weight),
                                      .dt = T(model.setup.dt),
                                      .viscosity = viscosity,
                                      .advection = model.advection,
                                      .metric = model.metric,
                                      .layout = model.layout,
                                      .faces = model.faces[Axis]});
  }

  Fields<T> operator()() const {
    Fields<T> out(static_cast<std::size_t>(model.components()), PaddedField<T>{model.layout});
    if (model.components() == 2) {
      along<2, 0>(out);
      along<2, 1>(out);
    } else {
      along<3, 0>(out);
      along<3, 1>(out);
      along<3, 2>(out);
    }
    return out;
  }
};

/// Inputs: velocity (padded) and u0 (advanced faces) per component, pressure, viscosity.
/// Outputs: A u0 + B E, and, for what the adjoint carries along, 0.7 v, per component.
struct TendencyPair {
  std::shared_ptr<FlowModels> models;
  bool with_viscosity = true;
  double start_weight = 0.25, euler_weight = 0.75, carried_weight = 0.7;

  TendencyPair(const FlowSetup& setup, bool viscosity = true)
      : models{std::make_shared<FlowModels>(setup)}, with_viscosity{viscosity} {}

  std::size_t components() const {
    return static_cast<std::size_t>(models->as<double>().components());
  }
  Box pressure_box() const {
    const FlowModel<double>& model = models->as<double>();
    Box box = model.layout.interior();
    for (std::size_t a = 0; a < components(); ++a) box.lo[a] -= model.periodic[a] ? 1 : 0;
    return box;
  }

  Blocks inputs() const {
    const FlowModel<double>& model = models->as<double>();
    const auto count = [](const Box& box) { return static_cast<std::size_t>(box.count()); };
    Blocks shape(components(), std::vector<double>(count(model.layout.padded())));
    for (std::size_t c = 0; c < components(); ++c) shape.emplace_back(count(model.faces[c]));
    shape.emplace_back(count(pressure_box()));
    Blocks blocks = random_like(shape, 1);
    if (with_viscosity) blocks.push_back({0.03});
    return blocks;
  }

  std::vector<Bar> bars() const {
    std::vector<Bar> bars(components(), Bar::overwritten);
    bars.resize(2 * components() + 1 + (with_viscosity ? 1 : 0), Bar::added_to);
    return bars;
  }

  template <class T> Fields<T> velocity(const BlocksOf<T>& in, T rest) const {
    const Layout& layout = models->as<T>().layout;
    Fields<T> fields;
    for (std::size_t c = 0; c < components(); ++c) {
      fields.emplace_back(layout, layout.padded(), in[c], rest);
    }
    return fields;
  }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    FlowModel<T>& model = models->as<T>();
    const std::size_t n = components();
    Fields<T> v = velocity<T>(in, T(std::nan(""))), start;
    for (std::size_t c = 0; c < n; ++c) start.emplace_back(model.layout, model.faces[c], in[n + c]);
    PaddedField<T> pressure{model.layout, pressure_box(), in[2 * n]};
    const T viscosity = with_viscosity ? in.back()[0] : model.viscosity;
    Fields<T> out = Advance<T>{model, v, start, pressure, viscosity, start_weight, euler_weight}();
    BlocksOf<T> blocks;
    for (std::size_t c = 0; c < n; ++c) blocks.push_back(out[c].get(model.faces[c]));
    for (std::size_t c = 0; c < n; ++c) {
      blocks.push_back(in[c]);
      for (T& x : blocks.back()) x = T(carried_weight) * x;
    }
    return blocks;
  }

  template <class T>
  void adjoint(const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    if (components() == 2) {
      with_viscosity ? adjoint_of<T, 2, true>(in, out_bar, in_bar)
                     : adjoint_of<T, 2, false>(in, out_bar, in_bar);
    } else {
      with_viscosity ? adjoint_of<T, 3, true>(in, out_bar, in_bar)
                     : adjoint_of<T, 3, false>(in, out_bar, in_bar);
    }
  }

  template <class T, int Dim, bool Viscosity>
  void adjoint_of(const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    FlowModel<T>& model = models->as<T>();
    const Layout& layout = model.layout;
    Fields<T> v = velocity<T>(in, T(0)), euler_bar(3, PaddedField<T>{layout, T(0)});
    Fields<T> carried(3, PaddedField<T>{layout, T(0)}), v_bar = carried;
    for (std::size_t c = 0; c < Dim; ++c) {
      std::vector<T> bar = out_bar[c];
      for (std::size_t e = 0; e < bar.size(); ++e) {
        in_bar[Dim + c][e] += T(start_weight) * bar[e];
        bar[e] *= T(euler_weight);
      }
      euler_bar[c].set(model.faces[c], bar);
      carried[c].set(layout.padded(), out_bar[Dim + c]);
      v_bar[c].set(layout.padded(), in_bar[c]);
    }
    PaddedField<T> p_bar{layout, pressure_box(), in_bar[2 * Dim], T(0)}, nu_bar{layout, T(0)};
    if (Viscosity) nu_bar(0, 0) = in_bar.back()[0];
    runner_for<T>()(TendencyAdjoint<T, Dim, Viscosity>{
        .velocity = {v[0].data(), v[1].data(), Dim == 3 ? v.back().data() : nullptr},
        .euler_bar = {euler_bar[0].data(), euler_bar[1].data(), euler_bar[2].data()},
        .carried = {carried[0].data(), carried[1].data(), carried[2].data()},
        .velocity_bar = {v_bar[0].data(), v_bar[1].data(), v_bar[2].data()},
        .pressure_bar = p_bar.data(),
        .viscosity_bar = nu_bar.data(),
        .carried_weight = T(carried_weight),
        .dt = T(model.setup.dt),
        .viscosity = Viscosity ? in.back()[0] : model.viscosity,
        .advection = model.advection,
        .metric = model.metric,
        .layout = layout,
        .faces = {model.faces[0], model.faces[1], model.faces[2]}});
    for (std::size_t c = 0; c < Dim; ++c) in_bar[c] = v_bar[c].get(layout.padded());
    in_bar[2 * Dim] = p_bar.get(pressure_box());
    if (!Viscosity) return;
    double sum = 0;
    for (const T& share : nu_bar.all()) sum += static_cast<double>(share);
    in_bar.back()[0] = static_cast<T>(sum);
  }
};

constexpr BoundaryType inlet = BoundaryType::inflow, outlet = BoundaryType::outflow,
                       wall = BoundaryType::wall, slip = BoundaryType::slip;

const Sides tunnel{{{inlet, outlet}, {wall, slip}, periodic_sides}};
const Sides all_periodic{periodic_sides, periodic_sides, periodic_sides};
const Sides channel{{periodic_sides, {wall, wall}, {slip, wall}}};
const Sides upright{{{wall, outlet}, periodic_sides, {inlet, outlet}}};

FlowSetup with(FlowSetup setup, Advection advection) {
  setup.advection = advection;
  return setup;
}

TEST(Tendency, HasItsAdjointIn2D) {
  for (Advection advection : {Advection::kappa, Advection::central}) {
    for (const Sides& sides : {tunnel, all_periodic, channel, upright}) {
      expect_adjoint_pair(pair_of(TendencyPair{with(box_setup(2, {72, 60, 1}, sides), advection)}));
    }
  }
}

TEST(Tendency, HasItsAdjointIn3D) {
  for (Advection advection : {Advection::kappa, Advection::central}) {
    for (const Sides& sides : {tunnel, all_periodic, channel, upright}) {
      expect_adjoint_pair(
          pair_of(TendencyPair{with(box_setup(3, {16, 14, 12}, sides), advection)}));
    }
  }
}

TEST(Tendency, HasItsAdjointWithoutTheDerivativeByViscosity) {
  expect_adjoint_pair(pair_of(TendencyPair{box_setup(2, {72, 60, 1}, tunnel), false}));
  expect_adjoint_pair(pair_of(TendencyPair{box_setup(3, {16, 14, 12}, tunnel), false}));
}

TEST(Tendency, HasTheJacobianOfItsAdjoint) {
  for (const Sides& sides : {tunnel, all_periodic, upright}) {
    expect_equal_jacobians(pair_of(TendencyPair{box_setup(2, {4, 3, 1}, sides)}));
  }
  expect_equal_jacobians(pair_of(TendencyPair{box_setup(3, {3, 2, 2}, tunnel)}));
}

/// Values of a function at the faces of a component (3: at the cells), ghosts too.
template <class Function>
PaddedField<double> sampled(const FlowModel<double>& model, int component, const Function& f) {
  PaddedField<double> field{model.layout};
  each_index(model.layout.padded(), [&](int i, int j, int k) {
    const int index[3] = {i, j, k};
    double x[3];
    for (int a = 0; a < 3; ++a) {
      const AxisMetric<double>& axis = model.metric.axis[a];
      x[a] = a == component ? axis.face[index[a]] : axis.centre[index[a]];
    }
    field(i, j, k) = f(x[0], x[1], x[2]);
  });
  return field;
}

/// E of given functions.
template <class Velocity, class Pressure> Fields<double>
euler_step(FlowModel<double>& model, const Velocity& velocity, const Pressure& pressure) {
  Fields<double> v;
  for (int c = 0; c < model.components(); ++c) {
    v.push_back(sampled(model, c, [&](double x, double y, double z) {
      return velocity(x, y, z)[static_cast<std::size_t>(c)];
    }));
  }
  PaddedField<double> p = sampled(model, 3, pressure);
  return Advance<double>{model, v, v, p, model.viscosity}();
}

TEST(Tendency, OfAStagnationFlowIsItsAcceleration) {
  for (Advection advection : {Advection::kappa, Advection::central}) {
    FlowModel<double> model{with(box_setup(2, {8, 8, 1}, tunnel, 0), advection), Exec::cpu()};
    // u = (x, -y) accelerates like (x, y); the pressure gradient (2, -3) adds to it.
    auto euler = euler_step(
        model,
        [](double x, double y, double) {
          return Vec3{x, -y, 0};
        },
        [](double x, double y, double) { return 2 * x - 3 * y; });
    const double dt = model.setup.dt;
    EXPECT_NEAR(euler[0](4, 2), 0.5 - dt * (0.5 + 2), 1e-14);
    EXPECT_NEAR(euler[1](1, 6), -0.75 - dt * (0.75 - 3), 1e-14);
    each_index(model.faces[0], [&](int i, int j, int) {
      EXPECT_NEAR(euler[0](i, j), i / 8.0 - dt * (i / 8.0 + 2), 1e-14);
    });
  }
}

TEST(Tendency, OfAParabolicShearIsItsFriction) {
  FlowModel<double> model{box_setup(3, {4, 8, 4}, channel, 0), Exec::cpu()};
  auto euler = euler_step(
      model,
      [](double, double y, double z) {
        return Vec3{y * y - 2 * z * z, 0, 0};
      },
      [](double, double, double) { return 1.0; });
  const double before = 0.4375 * 0.4375 - 2 * 0.625 * 0.625; // j = 3, k = 2
  EXPECT_NEAR(euler[0](2, 3, 2), before + model.setup.dt * 0.03 * (2 - 4), 1e-14);
  EXPECT_NEAR(euler[1](2, 3, 2), 0, 1e-14);
}

TEST(Tendency, ConservesMomentumOnAStretchedPeriodicGrid) {
  FlowModel<double> model{box_setup(3, {9, 8, 7}, all_periodic), Exec::cpu()};
  const Box cells = model.layout.interior();
  const auto shape = std::vector<double>(static_cast<std::size_t>(cells.count()));
  const Blocks blocks = random_like(Blocks(4, shape), 5); // not free of divergence: no matter
  Fields<double> v;
  for (std::size_t c = 0; c < 4; ++c) v.emplace_back(model.layout, cells, blocks[c]);
  for (std::size_t a = 0; a < 3; ++a) {
    for (PaddedField<double>& field : v) {
      FillGhosts<double> fill = model.periodic_cells[a];
      fill.field[0] = field.data();
      run(Exec::cpu(), fill);
    }
  }
  auto euler = Advance<double>{model, v, v, v[3], model.viscosity}();
  for (std::size_t c = 0; c < 3; ++c) {
    double gained = 0, moved = 0;
    each_index(cells, [&](int i, int j, int k) {
      const double gain = (euler[c](i, j, k) - v[c](i, j, k)) *
                          face_volume(model.metric, static_cast<int>(c), i, j, k);
      gained += gain;
      moved += std::abs(gain);
    });
    EXPECT_GT(moved, 1e-2);
    EXPECT_NEAR(gained, 0, 1e-13 * moved);
  }
}

/// Root mean square error of the tendency along `component` in a periodic box of side 2 pi.
template <class Velocity, class Pressure, class Exact>
double tendency_error(int dimension, int cells, Advection advection, const Velocity& velocity,
                      const Pressure& pressure, const Exact& exact, int component) {
  FlowSetup setup = with(box_setup(dimension, {cells, cells, cells}, all_periodic, 0), advection);
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimension); ++a) {
    for (double& face : setup.grid.faces[a]) face *= 2 * pi;
  }
  setup.smoothing_speed = 0;
  FlowModel<double> model{setup, Exec::cpu()};
  auto euler = euler_step(model, velocity, pressure);
  const auto at = static_cast<std::size_t>(component);
  auto before = sampled(model, component,
                        [&](double x, double y, double z) { return velocity(x, y, z)[at]; });
  auto wanted = sampled(model, component, exact);
  double sum = 0;
  each_index(model.layout.interior(), [&](int i, int j, int k) {
    const double rate = (euler[at](i, j, k) - before(i, j, k)) / setup.dt;
    sum += (rate - wanted(i, j, k)) * (rate - wanted(i, j, k));
  });
  return std::sqrt(sum / static_cast<double>(model.layout.interior().count()));
}

/// Vortices drifting in a mean flow, 2D: the tendency along y.
double drifting_vortices(int cells, Advection advection) {
  using std::cos;
  using std::sin;
  return tendency_error(
      2, cells, advection,
      [](double x, double y, double) {
        return Vec3{0.8 + sin(x) * cos(y), -0.5 - cos(x) * sin(y), 0};
      },
      [](double x, double y, double) { return sin(x) * sin(2 * y); },
      [](double x, double y, double) {
        const double u = 0.8 + sin(x) * cos(y), v = -0.5 - cos(x) * sin(y);
        return -(u * sin(x) * sin(y) - v * cos(x) * cos(y)) - 2 * sin(x) * cos(2 * y) +
               0.03 * 2 * cos(x) * sin(y);
      },
      1);
}

/// A Beltrami flow, 3D (Arnold, Beltrami, Childress): the tendency along z.
double beltrami(int cells, Advection advection) {
  using std::cos;
  using std::sin;
  return tendency_error(
      3, cells, advection,
      [](double x, double y, double z) {
        return Vec3{sin(z) + 0.7 * cos(y), 0.5 * sin(x) + cos(z), 0.7 * sin(y) + 0.5 * cos(x)};
      },
      [](double, double y, double z) { return cos(y + z); },
      [](double x, double y, double z) {
        const double u = sin(z) + 0.7 * cos(y), v = 0.5 * sin(x) + cos(z);
        const double w = 0.7 * sin(y) + 0.5 * cos(x);
        return 0.5 * u * sin(x) - 0.7 * v * cos(y) + sin(y + z) - 0.03 * w;
      },
      2);
}

TEST(Tendency, ApproachesTheAnalyticOneAtSecondOrder) {
  for (Advection advection : {Advection::kappa, Advection::central}) {
    const double coarse = drifting_vortices(24, advection), fine = drifting_vortices(48, advection);
    EXPECT_LT(fine, 0.01);
    EXPECT_GT(std::log2(coarse / fine), 1.95);
    const double coarse_3d = beltrami(12, advection), fine_3d = beltrami(24, advection);
    EXPECT_LT(fine_3d, 0.03);
    EXPECT_GT(std::log2(coarse_3d / fine_3d), 1.9);
  }
}

} // namespace
} // namespace contraflow::test
