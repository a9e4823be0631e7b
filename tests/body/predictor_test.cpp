#include "adjoint/body/predictor.hpp"
#include "tests/body/body_models.hpp"
#include "tests/support/adjoint_pair.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

/// Inputs: v, u0 and A u0 + B E per component (on the ring); linear and angular part of the surface
/// velocity; centre of rotation.
/// Outputs: H per component.
struct PredictorPair {
  BodyModels models;
  double start_weight = 0.25, euler_weight = 0.75, theta = 0.4;

  Blocks inputs() const {
    Blocks shape(3 * models.components(), BodyModels::block(models.ring()));
    shape.emplace_back(4);
    shape.emplace_back(2);
    return random_like(shape, 1);
  }
  std::vector<Bar> bars() const {
    return std::vector<Bar>(3 * models.components() + 2, Bar::added_to);
  }

  template <class T> RigidMotion<T> motion(const BlocksOf<T>& in) const {
    const std::vector<T>&velocity = in[3 * models.components()], &centre = in.back();
    return {
        {centre[0], centre[1], T(0)}, {{velocity[0], velocity[1], velocity[2]}, velocity[3]}, {}};
  }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    BlocksOf<T> blocks;
    const RigidMotion<T> moved = motion<T>(in);
    for (std::size_t c = 0; c < models.components(); ++c) {
      PaddedField<T> previous{models.layout(), models.ring(), in[3 * c]};
      PaddedField<T> start{models.layout(), models.ring(), in[3 * c + 1]};
      PaddedField<T> advanced{models.layout(), models.ring(), in[3 * c + 2]};
      PaddedField<T> predictor{models.body_layout()};
      runner_for<T>()(BodyPredictor<T>{.previous = previous.data(),
                                       .start = start.data(),
                                       .advanced = advanced.data(),
                                       .predictor = predictor.data(),
                                       .start_weight = T(start_weight),
                                       .euler_weight = T(euler_weight),
                                       .theta = T(theta),
                                       .motion = &moved,
                                       .component = static_cast<int>(c),
                                       .metric = models.flow<T>().metric,
                                       .layout = models.layout(),
                                       .body = models.body_layout(),
                                       .box = models.ring()});
      blocks.push_back(predictor.get(models.ring()));
    }
    return blocks;
  }

  template <class T>
  void adjoint(const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    const double by_advanced = 1 / (theta * euler_weight);
    const double weights[3] = {1 - 1 / theta, -start_weight * by_advanced, by_advanced};
    std::vector<PaddedField<T>> bars;
    for (std::size_t c = 0; c < models.components(); ++c) {
      bars.emplace_back(models.body_layout(), models.ring(), out_bar[c]);
      for (std::size_t input = 0; input < 3; ++input) {
        std::vector<T>& block = in_bar[3 * c + input];
        PaddedField<T> bar{models.layout(), models.ring(), block};
        runner_for<T>()(BodyPredictorAdjoint<T>{bars[c].data(), bar.data(), T(weights[input]),
                                                models.layout(), models.body_layout(),
                                                models.ring()});
        block = bar.get(models.ring());
      }
    }
    const RigidMotion<T> moved = motion<T>(in);
    typename MotionBar<T>::Value sums;
    runner_for<T>().sum(MotionBar<T>{{bars[0].data(), bars[1].data(),
                                      models.components() == 3 ? bars[2].data() : nullptr},
                                     &moved,
                                     models.flow<T>().metric,
                                     models.body_layout(),
                                     models.ring()},
                        &sums);
    std::vector<T>& velocity_bar = in_bar[3 * models.components()];
    for (std::size_t a = 0; a < 4; ++a) velocity_bar[a] += T(sums.value[a]);
    in_bar.back()[0] -= moved.velocity.angular * T(sums.value[1]);
    in_bar.back()[1] += moved.velocity.angular * T(sums.value[0]);
  }
};

PredictorPair predictor(int dimension, const std::array<int, 3>& cells, const Box& box) {
  return {{dimension, cells, box}};
}

TEST(BodyPredictor, HasItsAdjoint) {
  expect_adjoint_pair(pair_of(predictor(2, {72, 70, 1}, {{2, 2, 0}, {69, 67, 1}})));
  expect_adjoint_pair(pair_of(predictor(3, {20, 20, 19}, {{2, 2, 1}, {18, 19, 17}})));
}

TEST(BodyPredictor, HasTheJacobianOfItsAdjoint) {
  expect_equal_jacobians(pair_of(predictor(2, {8, 7, 1}, {{3, 2, 0}, {5, 4, 1}})));
  expect_equal_jacobians(pair_of(predictor(3, {6, 6, 5}, {{2, 3, 2}, {3, 4, 3}})));
}

TEST(BodyPredictor, LooksTheRelaxationTimeAheadRelativeToTheSurface) {
  FlowSetup setup = box_setup(2, {4, 4, 1}, {periodic_sides, periodic_sides, periodic_sides}, 0);
  FlowModel<double> model{setup, Exec::cpu()};
  const RigidMotion<double> turning{{0.5, 0.25, 0}, {{0.5, -0.5, 0}, 2}, {}};
  PaddedField<double> v{model.layout, 3.0}, start{model.layout, 5.0}, advanced{model.layout, 4.25};
  for (int c = 0; c < 2; ++c) {
    PaddedField<double> predictor{model.layout};
    run(Exec::cpu(), BodyPredictor<double>{.previous = v.data(),
                                           .start = start.data(),
                                           .advanced = advanced.data(),
                                           .predictor = predictor.data(),
                                           .start_weight = 0.25,
                                           .euler_weight = 0.75, // so E = 4
                                           .theta = 0.5,
                                           .motion = &turning,
                                           .component = c,
                                           .metric = model.metric,
                                           .layout = model.layout,
                                           .body = model.layout,
                                           .box = model.layout.interior()});
    // Counter-clockwise about (0.5, 0.25): (-2 (y - 0.25), 2 (x - 0.5)) at (3.5, 2.5)/4, carried by
    // (0.5, -0.5).
    EXPECT_NEAR(predictor(3, 2), 3 + (4 - 3) / 0.5 - (c == 0 ? -0.25 : 0.25), 1e-14);
  }
}

} // namespace
} // namespace contraflow::test
