#include "adjoint/objective/region_misfit.hpp"
#include "tests/support/adjoint_pair.hpp"
#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

/// Velocity on the faces of a region -> squared distance to its target, per component.
struct MisfitPair {
  std::shared_ptr<FlowModels> models;
  Box faces;

  MisfitPair(const FlowSetup& setup, const Box& region)
      : models{std::make_shared<FlowModels>(setup)}, faces{region} {}

  std::size_t components() const {
    return static_cast<std::size_t>(models->as<double>().components());
  }
  Blocks inputs() const {
    const std::vector<double> block(static_cast<std::size_t>(faces.count()));
    return random_like(Blocks(components(), block), 1);
  }
  std::vector<Bar> bars() const { return std::vector<Bar>(components(), Bar::added_to); }

  template <class T> PaddedField<T> target(std::size_t component) const {
    PaddedField<T> field{models->as<T>().layout};
    each_index(faces, [&](int i, int j, int k) {
      field(i, j, k) = T(0.1 * i - 0.2 * j + 0.05 * k + 0.3 * static_cast<double>(component));
    });
    return field;
  }

  template <class T>
  RegionMisfit<T> kernel(const T* velocity, const T* wanted, std::size_t component) const {
    const FlowModel<T>& model = models->as<T>();
    return {velocity, wanted, static_cast<int>(component), model.metric, model.layout, faces};
  }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    BlocksOf<T> out;
    for (std::size_t c = 0; c < components(); ++c) {
      const PaddedField<T> velocity{models->as<T>().layout, faces, in[c]}, wanted = target<T>(c);
      typename RegionMisfit<T>::Value sum;
      runner_for<T>().sum(kernel<T>(velocity.data(), wanted.data(), c), &sum);
      out.push_back({T(sum.value[0])});
    }
    return out;
  }

  template <class T>
  void adjoint(const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    for (std::size_t c = 0; c < components(); ++c) {
      const PaddedField<T> velocity{models->as<T>().layout, faces, in[c]}, wanted = target<T>(c);
      PaddedField<T> bar{models->as<T>().layout, faces, in_bar[c]};
      runner_for<T>()(RegionMisfitAdjoint<T>{kernel<T>(velocity.data(), wanted.data(), c),
                                             bar.data(), out_bar[c][0]});
      in_bar[c] = bar.get(faces);
    }
  }
};

const Sides tunnel{{{BoundaryType::inflow, BoundaryType::outflow}, periodic_sides, periodic_sides}};

TEST(RegionMisfit, HasItsAdjoint) {
  expect_adjoint_pair(
      pair_of(MisfitPair{box_setup(2, {72, 68, 1}, tunnel), {{1, 1, 0}, {71, 67, 1}}}));
  expect_adjoint_pair(
      pair_of(MisfitPair{box_setup(3, {20, 19, 18}, tunnel), {{1, 0, 1}, {19, 18, 17}}}));
  expect_equal_jacobians(
      pair_of(MisfitPair{box_setup(2, {6, 5, 1}, tunnel), {{1, 2, 0}, {5, 4, 1}}}));
  expect_equal_jacobians(
      pair_of(MisfitPair{box_setup(3, {5, 5, 4}, tunnel), {{1, 2, 1}, {4, 4, 3}}}));
}

TEST(RegionMisfit, WeighsSquaresWithTheVolumesOfMomentumCells) {
  FlowSetup setup = box_setup(2, {4, 2, 1}, tunnel);
  setup.grid.faces = {std::vector<double>{0, 1, 2, 4, 6}, {0, 1, 3}, {0, 1}};
  FlowModel<double> model{setup, Exec::cpu()};
  PaddedField<double> velocity{model.layout, 3.0}, target{model.layout, 1.0};
  const auto misfit = [&](int component, const Box& faces) {
    Sums<double, 1> sum;
    DeviceRunner{Exec::cpu()}.sum(RegionMisfit<double>{velocity.data(), target.data(), component,
                                                       model.metric, model.layout, faces},
                                  &sum);
    return sum.value[0];
  };
  EXPECT_DOUBLE_EQ(misfit(0, {{1, 0, 0}, {3, 2, 1}}), 4 * (1.0 * 1 + 1.5 * 1 + 1.0 * 2 + 1.5 * 2));
  EXPECT_DOUBLE_EQ(misfit(1, {{2, 1, 0}, {3, 2, 1}}), 4 * (2 * 1.5));
}

} // namespace
} // namespace contraflow::test
