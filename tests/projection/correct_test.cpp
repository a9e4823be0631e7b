#include "adjoint/projection/correct.hpp"
#include "kernels/projection/divergence.hpp"
#include "tests/support/adjoint_pair.hpp"
#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

/// phi on the cells -> what it does to the velocity (faces with the index of a cell) and to the
/// pressure.
struct CorrectPair {
  std::shared_ptr<FlowModels> models;
  double step = 0.3;

  explicit CorrectPair(const FlowSetup& setup) : models{std::make_shared<FlowModels>(setup)} {}

  std::size_t components() const {
    return static_cast<std::size_t>(models->as<double>().components());
  }
  const Layout& layout() const { return models->as<double>().layout; }

  Blocks inputs() const {
    return random_like({std::vector<double>(static_cast<std::size_t>(layout().interior().count()))},
                       1);
  }
  std::vector<Bar> bars() const { return {Bar::overwritten}; }

  template <class T>
  void fill(const std::array<FillGhosts<T>, 3>& rules, std::vector<PaddedField<T>>& fields) const {
    for (std::size_t a = 0; a < components(); ++a) {
      FillGhosts<T> kernel = rules[a];
      if (kernel.rules[0].count == 0) continue;
      for (std::size_t f = 0; f < fields.size(); ++f) kernel.field[f] = fields[f].data();
      runner_for<T>()(kernel);
    }
  }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    FlowModel<T>& model = models->as<T>();
    // Prescribed faces at the low ends read phi below, times zero.
    std::vector<PaddedField<T>> phi(1, PaddedField<T>{layout(), T(0)});
    std::vector<PaddedField<T>> velocity(components(), PaddedField<T>{layout(), T(0.5)});
    PaddedField<T> pressure{layout(), T(2)};
    runner_for<T>()(UnpackCells<T>{in[0].data(), phi[0].data(), pressure.data(), layout()});
    fill(model.periodic_cells, phi);
    CorrectVelocity<T> kernel{};
    kernel.phi = phi[0].data();
    for (std::size_t c = 0; c < components(); ++c) kernel.velocity[c] = velocity[c].data();
    kernel.step = T(step);
    kernel.metric = model.metric;
    kernel.layout = layout();
    runner_for<T>()(kernel);
    BlocksOf<T> out;
    for (auto& field : velocity) out.push_back(field.get(layout().interior()));
    out.push_back(pressure.get(layout().interior()));
    return out;
  }

  template <class T>
  void adjoint(const BlocksOf<T>&, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    FlowModel<T>& model = models->as<T>();
    const Box cells = layout().interior();
    std::vector<PaddedField<T>> velocity_bar;
    for (std::size_t c = 0; c < components(); ++c) {
      velocity_bar.emplace_back(layout(), cells, out_bar[c], T(0));
    }
    fill(model.periodic_velocity, velocity_bar);
    const PaddedField<T> pressure_bar{layout(), cells, out_bar.back()};
    CorrectVelocityAdjoint<T> kernel{};
    for (std::size_t c = 0; c < components(); ++c) kernel.velocity_bar[c] = velocity_bar[c].data();
    kernel.pressure_bar = pressure_bar.data();
    kernel.out = in_bar[0].data();
    kernel.step = T(step);
    kernel.metric = model.metric;
    kernel.layout = layout();
    runner_for<T>()(kernel);
    std::size_t n = 0; // the kernel leaves phi_bar/V
    each_index(cells, [&](int i, int j, int k) {
      in_bar[0][n++] *= model.metric.axis[0].width[i] * model.metric.axis[1].width[j] *
                        model.metric.axis[2].width[k];
    });
  }
};

constexpr BoundaryType inlet = BoundaryType::inflow, outlet = BoundaryType::outflow,
                       wall = BoundaryType::wall;

const Sides tunnel{{{inlet, outlet}, {outlet, wall}, periodic_sides}};
const Sides upright{{periodic_sides, {wall, wall}, {outlet, inlet}}};

TEST(CorrectVelocity, HasItsAdjoint) {
  for (const Sides& sides : {tunnel, upright}) {
    expect_adjoint_pair(pair_of(CorrectPair{box_setup(2, {72, 60, 1}, sides)}));
    expect_adjoint_pair(pair_of(CorrectPair{box_setup(3, {18, 17, 16}, sides)}));
    expect_equal_jacobians(pair_of(CorrectPair{box_setup(2, {4, 3, 1}, sides)}));
    expect_equal_jacobians(pair_of(CorrectPair{box_setup(3, {3, 3, 2}, sides)}));
  }
}

TEST(CorrectVelocity, TakesTheGradientOfALinearPressureAwayButAtPrescribedFaces) {
  FlowModel<double> model{box_setup(2, {5, 4, 1}, tunnel), Exec::cpu()};
  PaddedField<double> phi{model.layout}, u{model.layout, 1.0}, v{model.layout, 1.0};
  each_index(model.layout.padded(), [&](int i, int j, int) {
    phi(i, j) = 2 * model.metric.axis[0].centre[i] - 3 * model.metric.axis[1].centre[j];
  });
  run(Exec::cpu(), CorrectVelocity<double>{.phi = phi.data(),
                                           .velocity = {u.data(), v.data(), nullptr},
                                           .step = 0.1,
                                           .metric = model.metric,
                                           .layout = model.layout});
  each_index(model.layout.interior(), [&](int i, int j, int) {
    EXPECT_NEAR(u(i, j), i == 0 ? 1 : 0.8, 1e-13);
    EXPECT_NEAR(v(i, j), j == 0 ? 1 : 1.3, 1e-13);
  });
  EXPECT_EQ(u(5, 1), 1);
  EXPECT_EQ(v(1, 4), 1);
}

} // namespace
} // namespace contraflow::test
