#include "tests/support/random_flow.hpp"

#include <gtest/gtest.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace contraflow::test {
namespace {

BoundarySpec side(BoundaryType type, double speed = 1) {
  BoundarySpec spec;
  spec.type = type;
  spec.speed = speed;
  spec.velocity = {0.3, -0.2, 0.1};
  return spec;
}

/// Body, stretching, outflow, a moving wall and time-dependent inflow together.
RandomFlow wind_tunnel(int dimension, TimeScheme scheme, Advection advection) {
  RandomFlow flow;
  flow.setup.grid.dimension = dimension;
  flow.setup.grid.faces = {wavy_faces(12, 0.2), wavy_faces(11, 0.15), {0, 1}};
  if (dimension == 3) flow.setup.grid.faces[2] = wavy_faces(9, 0.1);
  flow.setup.grid.spacing = 1.0 / 12;
  flow.setup.boundary[0] = {side(BoundaryType::inflow), side(BoundaryType::outflow, 0.8)};
  flow.setup.boundary[1] = {side(BoundaryType::wall), side(BoundaryType::slip)};
  flow.setup.boundary[2] = {side(BoundaryType::periodic), side(BoundaryType::periodic)};
  flow.setup.scheme = scheme;
  flow.setup.advection = advection;
  flow.setup.dt = 0.02;
  flow.setup.relaxation_time = 0.05;
  flow.steps = flow.setup.steps = 2;
  flow.body = {{4, 4, dimension == 3 ? 3 : 0}, {8, 8, dimension == 3 ? 6 : 1}};
  return flow;
}

void expect_transposed(const RandomFlow& flow, double tolerance) {
  const auto in = flow.random_inputs(1);
  for (unsigned seed : {10u, 20u, 30u}) {
    auto v = random_like(in, seed);
    flow.clear_walls(v);
    const auto jv = flow.tangent(in, v);
    const auto w = random_like(jv, seed + 5);
    const auto jtw = flow.adjoint(in, w);
    ASSERT_EQ(jtw.size(), v.size());
    const double scale = magnitude(w, jv) + magnitude(jtw, v);
    ASSERT_GT(scale, 0) << "a zero derivative proves nothing";
    EXPECT_NEAR(inner_product(w, jv), inner_product(jtw, v), tolerance * scale) << seed;
    for (std::size_t block = 0; block < in.size(); ++block) { // each kind of input by itself
      RandomFlow::Blocks alone = v;
      for (std::size_t other = 0; other < in.size(); ++other) {
        if (other != block) std::fill(alone[other].begin(), alone[other].end(), 0.0);
      }
      const auto j_alone = flow.tangent(in, alone);
      const double size = magnitude(w, j_alone) + magnitude(jtw, alone);
      EXPECT_GT(size, 0) << "input block " << block << " has no influence";
      EXPECT_NEAR(inner_product(w, j_alone), inner_product(jtw, alone), tolerance * size)
          << "input block " << block;
    }
  }
}

TEST(Step, HasItsAdjointIn2D) {
  expect_transposed(wind_tunnel(2, TimeScheme::heun, Advection::kappa), 1e-13);
}
TEST(Step, HasItsAdjointIn3D) {
  expect_transposed(wind_tunnel(3, TimeScheme::heun, Advection::kappa), 1e-13);
}
TEST(Step, HasItsAdjointWithThreeStagesAndCentralFluxes) {
  expect_transposed(wind_tunnel(2, TimeScheme::ssp_rk3, Advection::central), 1e-13);
}

TEST(Step, HasItsAdjointForEveryPairOfBoundaries) {
  const BoundaryType kinds[] = {BoundaryType::inflow, BoundaryType::outflow, BoundaryType::slip,
                                BoundaryType::wall};
  for (BoundaryType low : kinds) {
    for (BoundaryType high : kinds) {
      RandomFlow flow = wind_tunnel(2, TimeScheme::heun, Advection::kappa);
      flow.body = {};
      flow.setup.boundary[0] = {side(BoundaryType::inflow), side(BoundaryType::outflow)};
      flow.setup.boundary[1] = {side(low), side(high)};
      SCOPED_TRACE(static_cast<int>(low) * 10 + static_cast<int>(high));
      expect_transposed(flow, 1e-13);
    }
  }
}

TEST(Step, HasItsAdjointInAPeriodicBox) {
  RandomFlow flow = wind_tunnel(2, TimeScheme::heun, Advection::kappa);
  for (auto& axis : flow.setup.boundary) {
    axis = {side(BoundaryType::periodic), side(BoundaryType::periodic)};
  }
  expect_transposed(flow, 1e-13);
}

TEST(Step, GivesTheSameBitsOnAnyNumberOfThreads) {
#ifdef _OPENMP
  const RandomFlow flow = wind_tunnel(3, TimeScheme::heun, Advection::kappa);
  const auto in = flow.random_inputs(1);
  const auto w = random_like(flow.outputs(in), 7);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto out = flow.outputs_on(Exec::cpu(), in), bars = flow.adjoint(in, w);
  omp_set_num_threads(4);
  EXPECT_EQ(out, flow.outputs_on(Exec::cpu(), in));
  EXPECT_EQ(bars, flow.adjoint(in, w));
  omp_set_num_threads(threads);
#endif
}

} // namespace
} // namespace contraflow::test
