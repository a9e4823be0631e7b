#include "adjoint/body/inertia.hpp"
#include "tests/body/body_models.hpp"
#include "tests/support/adjoint_pair.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

/// Inputs: distance per component, over its width (in the box); linear and angular part of the
/// acceleration. Outputs: force and moment.
struct InertiaPair {
  BodyModels models;

  Blocks inputs() const {
    Blocks shape(models.components(), BodyModels::block(models.box()));
    shape.emplace_back(4);
    return random_like(shape, 1);
  }
  std::vector<Bar> bars() const { return std::vector<Bar>(models.components() + 1, Bar::added_to); }

  /// The kernel and what it points to.
  template <class T> struct Given {
    std::vector<PaddedField<T>> distance;
    RigidMotion<T> motion;
    BodyInertia<T> kernel;

    Given(const BodyModels& models, const BlocksOf<T>& in) {
      for (std::size_t c = 0; c < models.components(); ++c) {
        distance.emplace_back(models.body_layout(), models.box(), in[c]);
      }
      const std::vector<T>& rate = in.back();
      motion = {{T(0.47), T(0.52), T(0)}, {}, {{rate[0], rate[1], rate[2]}, rate[3]}};
      kernel = {{distance[0].data(), distance[1].data(),
                 distance.size() == 3 ? distance[2].data() : nullptr},
                T(0.9), // some of the distances lie beyond it
                &motion,
                models.flow<T>().metric,
                models.body_layout(),
                models.box()};
    }
    Given(const Given&) = delete;
  };

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    const Given<T> given{models, in};
    typename BodyInertia<T>::Value sums;
    runner_for<T>().sum(given.kernel, &sums);
    BlocksOf<T> out(1);
    for (const auto& value : sums.value) out[0].push_back(T(value));
    return out;
  }

  template <class T>
  void adjoint(const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    const Given<T> given{models, in};
    ForceBar<T> bar;
    for (std::size_t a = 0; a < 3; ++a) bar.force[a] = out_bar[0][a];
    bar.moment = out_bar[0][3];
    for (std::size_t c = 0; c < models.components(); ++c) {
      PaddedField<T> distance_bar{models.body_layout(), models.box(), in_bar[c]};
      runner_for<T>()(
          BodyInertiaAdjoint<T>{given.kernel, bar, static_cast<int>(c), distance_bar.data()});
      in_bar[c] = distance_bar.get(models.box());
    }
    typename AccelerationBar<T>::Value sums;
    runner_for<T>().sum(AccelerationBar<T>{given.kernel, bar}, &sums);
    for (std::size_t a = 0; a < 4; ++a) in_bar.back()[a] += T(sums.value[a]);
  }
};

InertiaPair inertia(int dimension, const std::array<int, 3>& cells, const Box& box) {
  return {{dimension, cells, box}};
}

TEST(BodyInertia, HasItsAdjoint) {
  expect_adjoint_pair(pair_of(inertia(2, {72, 70, 1}, {{2, 2, 0}, {69, 67, 1}})));
  expect_adjoint_pair(pair_of(inertia(3, {21, 20, 19}, {{2, 2, 1}, {19, 18, 17}})));
}

TEST(BodyInertia, HasTheJacobianOfItsAdjoint) {
  expect_equal_jacobians(pair_of(inertia(2, {8, 7, 1}, {{3, 2, 0}, {6, 5, 1}})));
  expect_equal_jacobians(pair_of(inertia(3, {7, 6, 5}, {{2, 2, 1}, {4, 4, 3}})));
}

} // namespace
} // namespace contraflow::test
