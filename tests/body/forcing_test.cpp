#include "adjoint/body/forcing.hpp"
#include "tests/body/body_models.hpp"
#include "tests/support/adjoint_pair.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

/// Inputs per component: H (on the ring), solid and moments (in the box).
/// Outputs: the advanced velocity per component (in the box); forces and the moment.
struct ForcingPair {
  BodyModels models;
  double euler_weight = 0.75;

  std::size_t per_component() const { return 2 + models.components(); }

  Blocks inputs() const {
    Blocks shape;
    for (std::size_t c = 0; c < models.components(); ++c) {
      shape.push_back(BodyModels::block(models.ring()));
      shape.resize(shape.size() + 1 + models.components(), BodyModels::block(models.box()));
    }
    return random_like(shape, 1);
  }
  std::vector<Bar> bars() const {
    std::vector<Bar> bars(per_component() * models.components(), Bar::added_to);
    for (std::size_t c = 0; c < models.components(); ++c) {
      bars[c * per_component()] = Bar::overwritten;
    }
    return bars;
  }

  /// The inputs of one component as fields: H, solid, moments.
  template <class T>
  std::vector<PaddedField<T>> fields(const BlocksOf<T>& in, std::size_t c, T rest) const {
    const std::size_t first = c * per_component();
    std::vector<PaddedField<T>> fields;
    for (std::size_t n = 0; n < per_component(); ++n) {
      fields.emplace_back(models.body_layout(), n == 0 ? models.ring() : models.box(),
                          in[first + n], n == 0 ? T(3) * rest : rest);
    }
    return fields;
  }
  template <class T> RigidMotion<T> motion() const { return {{T(0.47), T(0.52), T(0.4)}, {}, {}}; }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    const FlowModel<T>& flow = models.flow<T>();
    const T not_set(std::numeric_limits<double>::quiet_NaN());
    std::vector<PaddedField<T>> force(3, PaddedField<T>{models.body_layout()});
    BlocksOf<T> blocks;
    for (std::size_t c = 0; c < models.components(); ++c) {
      auto inputs = fields<T>(in, c, not_set);
      PaddedField<T> advanced{models.layout(), T(0.5)};
      BodyForcing<T> kernel{};
      kernel.predictor = inputs[0].data();
      kernel.solid = inputs[1].data();
      for (std::size_t a = 0; a < models.components(); ++a) kernel.moment[a] = inputs[2 + a].data();
      kernel.force = force[c].data();
      kernel.advanced = advanced.data();
      kernel.step = T(euler_weight * flow.setup.dt);
      kernel.relaxation_time = T(flow.setup.relaxation_time);
      kernel.layout = models.layout();
      kernel.body = models.body_layout();
      kernel.box = models.box();
      runner_for<T>()(kernel);
      blocks.push_back(advanced.get(models.box()));
    }
    const RigidMotion<T> about = motion<T>();
    ForceSums<T> kernel{{force[0].data(), force[1].data(), force[2].data()},
                        &about,
                        flow.metric,
                        models.body_layout(),
                        models.box()};
    typename ForceSums<T>::Value sums;
    runner_for<T>().sum(kernel, &sums);
    blocks.emplace_back();
    for (const auto& value : sums.value) blocks.back().push_back(T(value));
    return blocks;
  }

  template <class T>
  void adjoint(const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    const FlowModel<T>& flow = models.flow<T>();
    const RigidMotion<T> about = motion<T>();
    for (std::size_t c = 0; c < models.components(); ++c) {
      auto inputs = fields<T>(in, c, T(0)), bars = fields<T>(in_bar, c, T(0));
      std::vector<T> bar = out_bar[c];
      for (T& x : bar) x *= T(euler_weight);
      // Outside of the box E has bars of its own, which must not matter here.
      PaddedField<T> euler_bar{models.layout(), models.box(), bar, T(7)};
      BodyForcingAdjoint<T> kernel{};
      kernel.euler_bar = euler_bar.data();
      kernel.predictor = inputs[0].data();
      kernel.solid = inputs[1].data();
      kernel.predictor_bar = bars[0].data();
      kernel.solid_bar = bars[1].data();
      for (std::size_t a = 0; a < models.components(); ++a) {
        kernel.moment[a] = inputs[2 + a].data();
        kernel.moment_bar[a] = bars[2 + a].data();
      }
      for (std::size_t a = 0; a < 3; ++a) kernel.force_bar.force[a] = out_bar.back()[a];
      kernel.force_bar.moment = out_bar.back()[3];
      kernel.motion = &about;
      kernel.dt = T(flow.setup.dt);
      kernel.relaxation_time = T(flow.setup.relaxation_time);
      kernel.component = static_cast<int>(c);
      kernel.metric = flow.metric;
      kernel.layout = models.layout();
      kernel.body = models.body_layout();
      kernel.box = models.ring();
      runner_for<T>()(kernel);
      for (std::size_t n = 0; n < per_component(); ++n) {
        in_bar[c * per_component() + n] = bars[n].get(n == 0 ? models.ring() : models.box());
      }
    }
  }
};

ForcingPair forcing(int dimension, const std::array<int, 3>& cells, const Box& box) {
  return {{dimension, cells, box}};
}

TEST(BodyForcing, HasItsAdjoint) {
  expect_adjoint_pair(pair_of(forcing(2, {72, 70, 1}, {{2, 2, 0}, {69, 67, 1}})));
  expect_adjoint_pair(pair_of(forcing(3, {21, 20, 19}, {{2, 2, 1}, {19, 18, 17}})));
}

TEST(BodyForcing, HasTheJacobianOfItsAdjoint) {
  expect_equal_jacobians(pair_of(forcing(2, {8, 7, 1}, {{3, 2, 0}, {6, 5, 1}})));
  expect_equal_jacobians(pair_of(forcing(3, {7, 6, 5}, {{2, 2, 1}, {4, 4, 3}})));
}

TEST(BodyForcing, RelaxesWhatIsSolidAndCarriesGradientsAcrossTheSurface) {
  const Layout layout = Layout::over(4, 4, 1, 2);
  PaddedField<double> predictor{layout}, solid{layout}, along_x{layout}, along_y{layout};
  predictor(1, 1) = 2; // with 5 and 1 beside it, 10 and 4 above and below
  predictor(2, 1) = 5;
  predictor(0, 1) = 1;
  predictor(1, 2) = 10;
  predictor(1, 0) = 4;
  solid(1, 1) = 0.75;
  along_x(1, 1) = 0.5;
  along_y(1, 1) = -0.25;
  PaddedField<double> force{layout}, advanced{layout, 1.0};
  run(Exec::cpu(), BodyForcing<double>{.predictor = predictor.data(),
                                       .solid = solid.data(),
                                       .moment = {along_x.data(), along_y.data(), nullptr},
                                       .force = force.data(),
                                       .advanced = advanced.data(),
                                       .step = 0.2,
                                       .relaxation_time = 0.5,
                                       .layout = layout,
                                       .body = layout,
                                       .box = {{1, 1, 0}, {2, 2, 1}}});
  const double f = (-0.75 * 2 + 0.5 * (5 - 1) - 0.25 * (10 - 4)) / 0.5;
  EXPECT_DOUBLE_EQ(force(1, 1), f);
  EXPECT_DOUBLE_EQ(advanced(1, 1), 1 + 0.2 * f);
  EXPECT_EQ(advanced(2, 1), 1); // outside of the box
}

TEST(ForceSums, AreTheReactionOfTheForcesAndTheirMoment) {
  FlowSetup setup = box_setup(2, {4, 2, 1}, {periodic_sides, periodic_sides, periodic_sides});
  setup.grid.faces = {std::vector<double>{0, 1, 2, 4, 6}, {0, 1, 3}, {0, 1}};
  FlowModel<double> model{setup, Exec::cpu()};
  PaddedField<double> x_force{model.layout, 0.0}, y_force{model.layout, 0.0};
  x_force(2, 1) = 10;  // at (2, 2), volume 1.5 times 2
  y_force(3, 1) = 100; // at (5, 1), volume 2 times 1.5
  Sums<double, 4> sums;
  const RigidMotion<double> about{{1, 0.5, 0}, {}, {}};
  DeviceRunner{Exec::cpu()}.sum(ForceSums<double>{{x_force.data(), y_force.data(), nullptr},
                                                  &about,
                                                  model.metric,
                                                  model.layout,
                                                  model.layout.interior()},
                                &sums);
  EXPECT_DOUBLE_EQ(sums.value[0], -30);
  EXPECT_DOUBLE_EQ(sums.value[1], -300);
  EXPECT_EQ(sums.value[2], 0);
  EXPECT_DOUBLE_EQ(sums.value[3], (5 - 1) * -300 - (2 - 0.5) * -30);
}

} // namespace
} // namespace contraflow::test
