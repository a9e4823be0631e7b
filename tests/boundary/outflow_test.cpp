#include "adjoint/boundary/outflow.hpp"
#include "tests/support/adjoint_pair.hpp"
#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace contraflow::test {
namespace {

/// v (the plane and its inner neighbours) and u0 (the plane) -> the plane, for every component and
/// every outflow side.
struct OutflowPair {
  std::shared_ptr<FlowModels> models;
  double start_weight = 0.25, euler_weight = 0.75;

  explicit OutflowPair(const FlowSetup& setup) : models{std::make_shared<FlowModels>(setup)} {}

  const std::vector<OutflowPlane>& planes() const { return models->as<double>().outflows; }

  /// The plane with its inner neighbours.
  Box read(const OutflowPlane& outflow) const {
    Box box = outflow.plane;
    const Layout& layout = models->as<double>().layout;
    for (int a = 0; a < layout.dimension; ++a) {
      if (std::abs(outflow.inward) != layout.stride[a]) continue;
      if (outflow.inward < 0)
        --box.lo[a];
      else
        ++box.hi[a];
    }
    return box;
  }

  Blocks inputs() const {
    Blocks shape;
    for (const OutflowPlane& outflow : planes()) {
      shape.emplace_back(static_cast<std::size_t>(read(outflow).count()));
      shape.emplace_back(static_cast<std::size_t>(outflow.plane.count()));
    }
    return random_like(shape, 1);
  }
  std::vector<Bar> bars() const { return std::vector<Bar>(2 * planes().size(), Bar::added_to); }

  template <class T> ConvectOutflow<T> kernel(const OutflowPlane& outflow) const {
    return {.velocity = nullptr,
            .start = nullptr,
            .out = nullptr,
            .start_weight = T(start_weight),
            .euler_weight = T(euler_weight),
            .courant = T(outflow.courant),
            .inward = outflow.inward,
            .layout = models->as<T>().layout,
            .plane = outflow.plane};
  }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    const Layout& layout = models->as<T>().layout;
    BlocksOf<T> blocks;
    for (std::size_t n = 0; n < planes().size(); ++n) {
      PaddedField<T> velocity{layout, read(planes()[n]), in[2 * n]};
      PaddedField<T> start{layout, planes()[n].plane, in[2 * n + 1]}, out{layout};
      ConvectOutflow<T> convect = kernel<T>(planes()[n]);
      convect.velocity = velocity.data();
      convect.start = start.data();
      convect.out = out.data();
      runner_for<T>()(convect);
      blocks.push_back(out.get(planes()[n].plane));
    }
    return blocks;
  }

  template <class T>
  void adjoint(const BlocksOf<T>&, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    const Layout& layout = models->as<T>().layout;
    for (std::size_t n = 0; n < planes().size(); ++n) {
      const Box plane = planes()[n].plane;
      PaddedField<T> bar{layout, plane, out_bar[n]};
      PaddedField<T> velocity_bar{layout, read(planes()[n]), in_bar[2 * n]};
      PaddedField<T> start_bar{layout, plane, in_bar[2 * n + 1]};
      runner_for<T>()(ConvectOutflowAdjoint<T>{kernel<T>(planes()[n]), bar.data(),
                                               velocity_bar.data(), start_bar.data()});
      in_bar[2 * n] = velocity_bar.get(read(planes()[n]));
      in_bar[2 * n + 1] = start_bar.get(plane);
    }
  }
};

constexpr BoundaryType inlet = BoundaryType::inflow, outlet = BoundaryType::outflow,
                       wall = BoundaryType::wall;

const Sides two_outlets{{{inlet, outlet}, {outlet, wall}, periodic_sides}};

TEST(ConvectOutflow, HasItsAdjoint) {
  expect_adjoint_pair(pair_of(OutflowPair{box_setup(2, {12, 11, 1}, two_outlets)}));
  expect_adjoint_pair(pair_of(OutflowPair{box_setup(3, {4, 65, 66}, two_outlets, 0.1)}));
  expect_equal_jacobians(pair_of(OutflowPair{box_setup(2, {5, 4, 1}, two_outlets)}));
  expect_equal_jacobians(pair_of(OutflowPair{box_setup(3, {3, 3, 2}, two_outlets)}));
}

TEST(ConvectOutflow, CarriesTheInnerValueOutAtTheSpeedOfTheSide) {
  FlowSetup setup = box_setup(2, {4, 4, 1}, two_outlets, 0); // cells of 1/4
  setup.boundary[0][1].speed = 2;
  setup.boundary[1][0].speed = 3;
  FlowModel<double> model{setup, Exec::cpu()};
  ASSERT_EQ(model.outflows.size(), 4u);
  for (const OutflowPlane& outflow : model.outflows) {
    PaddedField<double> velocity{model.layout, 5.0}, start{model.layout, 7.0}, out{model.layout};
    velocity.set(outflow.plane,
                 std::vector<double>(static_cast<std::size_t>(outflow.plane.count()), 1.0));
    run(Exec::cpu(), ConvectOutflow<double>{.velocity = velocity.data(),
                                            .start = start.data(),
                                            .out = out.data(),
                                            .start_weight = 0.25,
                                            .euler_weight = 0.75,
                                            .courant = outflow.courant,
                                            .inward = outflow.inward,
                                            .layout = model.layout,
                                            .plane = outflow.plane});
    const bool along_x = outflow.plane.size(0) == 1;
    const double euler = 1 - 0.02 * (along_x ? 2 : 3) * (1 - 5) / 0.25;
    const Box& plane = outflow.plane;
    EXPECT_NEAR(out(plane.lo[0], plane.lo[1]), 0.25 * 7 + 0.75 * euler, 1e-14);
    EXPECT_NEAR(out(plane.hi[0] - 1, plane.hi[1] - 1), 0.25 * 7 + 0.75 * euler, 1e-14);
  }
}

TEST(ConvectOutflow, LiesOnTheFacesOfTheNormalAndTheGhostsOfTheOthers) {
  const FlowModel<double> model{box_setup(2, {5, 4, 1}, two_outlets), Exec::cpu()};
  const Box right_u{{5, 0, 0}, {6, 4, 1}}, right_v{{5, 1, 0}, {6, 4, 1}};
  const Box bottom_u{{1, -1, 0}, {5, 0, 1}}, bottom_v{{0, 0, 0}, {5, 1, 1}};
  const Box wanted[4] = {right_u, right_v, bottom_u, bottom_v};
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_TRUE(wanted[n].covers(model.outflows[n].plane)) << n;
    EXPECT_TRUE(model.outflows[n].plane.covers(wanted[n])) << n;
  }
}

} // namespace
} // namespace contraflow::test
