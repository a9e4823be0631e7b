#include "adjoint/projection/divergence.hpp"
#include "tests/support/adjoint_pair.hpp"
#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

/// Inputs: u0 and E on the advanced faces per component, velocity through every open side.
/// Outputs: scale div u* on the cells, and u* = A u0 + B E on the advanced faces per component, and
/// the velocity through the open sides as it came.
struct DivergencePair {
  std::shared_ptr<FlowModels> models;
  double start_weight = 0.25, euler_weight = 0.75, scale = 0.3;

  explicit DivergencePair(const FlowSetup& setup) : models{std::make_shared<FlowModels>(setup)} {}

  std::size_t components() const {
    return static_cast<std::size_t>(models->as<double>().components());
  }
  const Layout& layout() const { return models->as<double>().layout; }
  const Box& faces(std::size_t component) const { return models->as<double>().faces[component]; }
  const std::vector<OpenSide>& sides() const { return models->as<double>().open_sides; }

  Blocks inputs() const {
    Blocks shape;
    for (std::size_t c = 0; c < components(); ++c) {
      shape.resize(shape.size() + 2,
                   std::vector<double>(static_cast<std::size_t>(faces(c).count())));
    }
    for (const OpenSide& side : sides()) {
      shape.emplace_back(static_cast<std::size_t>(side.plane(layout()).count()));
    }
    return random_like(shape, 1);
  }
  std::vector<Bar> bars() const {
    std::vector<Bar> bars(2 * components() + sides().size(), Bar::added_to);
    for (std::size_t c = 0; c < components(); ++c) bars[2 * c + 1] = Bar::overwritten;
    return bars;
  }

  template <class T> void fill_periodic(std::vector<PaddedField<T>>& fields) const {
    for (std::size_t a = 0; a < components(); ++a) {
      FillGhosts<T> kernel = models->as<T>().periodic_velocity[a];
      if (kernel.rules[0].count == 0) continue;
      for (std::size_t c = 0; c < components(); ++c) kernel.field[c] = fields[c].data();
      runner_for<T>()(kernel);
    }
  }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    FlowModel<T>& model = models->as<T>();
    std::vector<PaddedField<T>> velocity(components(), PaddedField<T>{layout(), T(0)});
    BlocksOf<T> advanced;
    for (std::size_t c = 0; c < components(); ++c) {
      advanced.push_back(in[2 * c]);
      for (std::size_t e = 0; e < advanced[c].size(); ++e) {
        advanced[c][e] = T(start_weight) * in[2 * c][e] + T(euler_weight) * in[2 * c + 1][e];
      }
      velocity[c].set(faces(c), advanced[c]);
    }
    for (std::size_t s = 0; s < sides().size(); ++s) {
      const OpenSide& side = sides()[s];
      velocity[static_cast<std::size_t>(side.axis)].set(side.plane(layout()),
                                                        in[2 * components() + s]);
    }
    fill_periodic(velocity);
    BlocksOf<T> out{std::vector<T>(static_cast<std::size_t>(layout().interior().count()))};
    runner_for<T>()(
        Divergence<T>{.velocity = {velocity[0].data(), velocity[1].data(), velocity.back().data()},
                      .divergence = out[0].data(),
                      .scale = T(scale),
                      .metric = model.metric,
                      .layout = layout()});
    out.insert(out.end(), advanced.begin(), advanced.end());
    out.insert(out.end(), in.begin() + static_cast<std::ptrdiff_t>(2 * components()), in.end());
    return out;
  }

  /// q = b_bar/V with its periodic ghosts.
  template <class T> PaddedField<T> weighted(const std::vector<T>& cells_bar) const {
    const Metric<T>& metric = models->as<T>().metric;
    PaddedField<T> q{layout(), layout().interior(), cells_bar, T(0)};
    each_index(layout().interior(), [&](int i, int j, int k) {
      q(i, j, k) *=
          metric.axis[0].inv_width[i] * metric.axis[1].inv_width[j] * metric.axis[2].inv_width[k];
    });
    for (std::size_t a = 0; a < components(); ++a) {
      FillGhosts<T> kernel = models->as<T>().periodic_cells[a];
      kernel.field[0] = q.data();
      if (kernel.rules[0].count > 0) runner_for<T>()(kernel);
    }
    return q;
  }

  template <class T>
  void adjoint(const BlocksOf<T>&, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    const PaddedField<T> q = weighted<T>(out_bar[0]);
    for (std::size_t c = 0; c < components(); ++c) {
      PaddedField<T> velocity_bar{layout(), faces(c), out_bar[1 + c]};
      PaddedField<T> start_bar{layout(), faces(c), in_bar[2 * c]};
      PaddedField<T> euler_bar{layout(), faces(c), in_bar[2 * c + 1]};
      runner_for<T>()(DivergenceAdjoint<T>{.velocity_bar = velocity_bar.data(),
                                           .q = q.data(),
                                           .euler_bar = euler_bar.data(),
                                           .start_bar = start_bar.data(),
                                           .scale = T(scale),
                                           .start_weight = T(start_weight),
                                           .euler_weight = T(euler_weight),
                                           .axis = static_cast<int>(c),
                                           .metric = models->as<T>().metric,
                                           .layout = layout(),
                                           .faces = faces(c)});
      in_bar[2 * c] = start_bar.get(faces(c));
      in_bar[2 * c + 1] = euler_bar.get(faces(c));
    }
    for (std::size_t s = 0; s < sides().size(); ++s) {
      const Box plane = sides()[s].plane(layout());
      PaddedField<T> bar{layout(), plane, out_bar[1 + components() + s]};
      runner_for<T>()(SideDivergenceAdjoint<T>{.q = q.data(),
                                               .velocity_bar = bar.data(),
                                               .scale = T(scale),
                                               .axis = sides()[s].axis,
                                               .metric = models->as<T>().metric,
                                               .layout = layout(),
                                               .plane = plane});
      const std::vector<T> through = bar.get(plane);
      std::vector<T>& block = in_bar[2 * components() + s];
      for (std::size_t e = 0; e < block.size(); ++e) block[e] += through[e];
    }
  }
};

constexpr BoundaryType inlet = BoundaryType::inflow, outlet = BoundaryType::outflow,
                       wall = BoundaryType::wall;

const Sides tunnel{{{inlet, outlet}, {outlet, wall}, periodic_sides}};
const Sides upright{{periodic_sides, {wall, wall}, {outlet, inlet}}};

TEST(Divergence, HasItsAdjoint) {
  for (const Sides& sides : {tunnel, upright}) {
    expect_adjoint_pair(pair_of(DivergencePair{box_setup(2, {72, 60, 1}, sides)}));
    expect_adjoint_pair(pair_of(DivergencePair{box_setup(3, {18, 17, 16}, sides)}));
    expect_equal_jacobians(pair_of(DivergencePair{box_setup(2, {4, 3, 1}, sides)}));
    expect_equal_jacobians(pair_of(DivergencePair{box_setup(3, {3, 3, 2}, sides)}));
  }
}

TEST(Divergence, OfALinearFieldIsTheTraceOfItsGradient) {
  FlowModel<double> model{box_setup(3, {5, 4, 3}, tunnel), Exec::cpu()};
  std::vector<PaddedField<double>> velocity(3, PaddedField<double>{model.layout});
  each_index(model.layout.padded(), [&](int i, int j, int k) {
    velocity[0](i, j, k) = 2 * model.metric.axis[0].face[i] + model.metric.axis[1].centre[j];
    velocity[1](i, j, k) = 3 * model.metric.axis[1].face[j] - model.metric.axis[2].centre[k];
    velocity[2](i, j, k) = -7 * model.metric.axis[2].face[k] + 1;
  });
  std::vector<double> cells(5 * 4 * 3);
  run(Exec::cpu(),
      Divergence<double>{.velocity = {velocity[0].data(), velocity[1].data(), velocity[2].data()},
                         .divergence = cells.data(),
                         .scale = 10,
                         .metric = model.metric,
                         .layout = model.layout});
  for (double b : cells) EXPECT_NEAR(b, 10 * (2 + 3 - 7), 1e-12);
}

TEST(UnpackCells, SetsTheFieldAndAddsToThePressure) {
  const Layout layout = Layout::over(3, 2, 1, 2);
  const std::vector<double> cells{1, 2, 3, 4, 5, 6};
  PaddedField<double> field{layout, -1.0}, pressure{layout, 10.0};
  run(Exec::cpu(), UnpackCells<double>{cells.data(), field.data(), pressure.data(), layout});
  EXPECT_EQ(field.get(layout.interior()), cells);
  EXPECT_EQ(pressure(1, 1), 15);
  EXPECT_EQ(field(3, 1), -1);
  run(Exec::cpu(), UnpackCells<double>{cells.data(), pressure.data(), nullptr, layout});
  EXPECT_EQ(pressure.get(layout.interior()), cells);
}

} // namespace
} // namespace contraflow::test
