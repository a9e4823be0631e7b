#include "adjoint/boundary/inflow.hpp"
#include "tests/support/adjoint_pair.hpp"
#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

/// Three knots of a plane -> velocity through its faces.
struct InflowPair {
  Layout layout;
  int axis, face;
  KnotTime<double> time;

  template <class T>
  PrescribeInflow<T> kernel(const std::vector<T>& knots, const KnotTime<T>& at, T* velocity) const {
    return {knots.data(), &at, velocity, axis, face, layout};
  }
  template <class T> KnotTime<T> time_in() const { return {time.first, T(time.weight)}; }
  std::size_t plane_size() const {
    return static_cast<std::size_t>(kernel<double>({}, time, nullptr).range().count());
  }

  Blocks inputs() const { return random_like({std::vector<double>(3 * plane_size())}, 1); }
  std::vector<Bar> bars() const { return {Bar::added_to}; }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    const KnotTime<T> at = time_in<T>();
    PaddedField<T> velocity{layout};
    const auto prescribe = kernel<T>(in[0], at, velocity.data());
    runner_for<T>()(prescribe);
    return {velocity.get(prescribe.range())};
  }

  template <class T>
  void adjoint(const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    const KnotTime<T> at = time_in<T>();
    const auto prescribe = kernel<T>(in[0], at, nullptr);
    PaddedField<T> velocity_bar{layout, prescribe.range(), out_bar[0]};
    runner_for<T>()(PrescribeInflowAdjoint<T>{prescribe, velocity_bar.data(), in_bar[0].data()});
  }
};

TEST(PrescribeInflow, HasItsAdjointOnEverySide) {
  const Layout flat = Layout::over(9, 7, 1, 2), deep = Layout::over(5, 4, 3, 3);
  for (const KnotTime<double> time : {KnotTime<double>{1, 0.3}, KnotTime<double>{0, 0.0}}) {
    for (const Layout& layout : {flat, deep}) {
      for (int axis = 0; axis < layout.dimension; ++axis) {
        for (int face : {0, layout.cells[axis]}) {
          expect_adjoint_pair(pair_of(InflowPair{layout, axis, face, time}));
          expect_equal_jacobians(pair_of(InflowPair{layout, axis, face, time}));
        }
      }
    }
  }
  expect_adjoint_pair(pair_of(InflowPair{Layout::over(4, 65, 66, 3), 0, 4, {1, 0.3}}));
}

TEST(PrescribeInflow, InterpolatesBetweenTheKnotsAroundItsTime) {
  const Layout layout = Layout::over(4, 3, 2, 3);
  std::vector<double> knots(3 * 3 * 2); // across x: [knot][z][y]
  for (std::size_t n = 0; n < knots.size(); ++n) knots[n] = static_cast<double>(n);
  const KnotTime<double> time{1, 0.25};
  PaddedField<double> velocity{layout, -1.0};
  run(Exec::cpu(), PrescribeInflow<double>{knots.data(), &time, velocity.data(), 0, 4, layout});
  EXPECT_DOUBLE_EQ(velocity(4, 2, 1), 0.75 * (6 + 5) + 0.25 * (12 + 5));
  EXPECT_DOUBLE_EQ(velocity(4, 1, 0), 0.75 * (6 + 1) + 0.25 * (12 + 1));
  EXPECT_EQ(velocity(3, 1, 0), -1); // nothing but the plane
  EXPECT_EQ(velocity(4, -1, 0), -1);
}

TEST(PrescribeInflow, NeedsNoKnotAfterTheLast) {
  const Layout layout = Layout::over(4, 3, 1, 2);
  const std::vector<double> knots{1, 2, 3, 4}; // along x
  const KnotTime<double> time{0, 0.0};
  PaddedField<double> velocity{layout};
  run(Exec::cpu(), PrescribeInflow<double>{knots.data(), &time, velocity.data(), 1, 0, layout});
  EXPECT_EQ(velocity.get({{0, 0, 0}, {4, 1, 1}}), knots);
}

} // namespace
} // namespace contraflow::test
