#include "tests/cuda/on_cuda.hpp"
#include "tests/support/random_flow.hpp"

#include <algorithm>
#include <cmath>

namespace contraflow::test {
namespace {

using StepOnCuda = OnCuda;
using Blocks = RandomFlow::Blocks;

BoundarySpec side(BoundaryType type, double speed = 1) {
  BoundarySpec spec;
  spec.type = type;
  spec.speed = speed;
  spec.velocity = {0.3, -0.2, 0.1};
  return spec;
}

/// Body, stretching, outflow, a moving wall and time-dependent inflow together; in 3D periodic
/// along z.
RandomFlow small_flow(int dimension) {
  RandomFlow flow;
  FlowSetup& setup = flow.setup;
  setup.grid.dimension = dimension;
  setup.grid.faces = {wavy_faces(12, 0.2), wavy_faces(11, 0.15), {0, 1}};
  flow.body = {{4, 4, 0}, {8, 8, 1}};
  if (dimension == 3) {
    setup.grid.faces = {wavy_faces(8, 0.2), wavy_faces(7, 0.15), wavy_faces(6, 0.1)};
    flow.body = {{3, 2, 2}, {6, 5, 4}};
  }
  setup.grid.spacing = 1.0 / setup.grid.cells(0);
  setup.boundary[0] = {side(BoundaryType::inflow), side(BoundaryType::outflow, 0.8)};
  setup.boundary[1] = {side(BoundaryType::wall), side(BoundaryType::slip)};
  setup.boundary[2] = {side(BoundaryType::periodic), side(BoundaryType::periodic)};
  setup.dt = 0.02;
  setup.relaxation_time = 0.05;
  flow.steps = setup.steps = 2;
  return flow;
}

RandomFlow three_stages() {
  RandomFlow flow = small_flow(2);
  flow.setup.scheme = TimeScheme::ssp_rk3;
  flow.setup.advection = Advection::central;
  return flow;
}

RandomFlow periodic_box() {
  RandomFlow flow = small_flow(2);
  for (auto& axis : flow.setup.boundary) {
    axis = {side(BoundaryType::periodic), side(BoundaryType::periodic)};
  }
  return flow;
}

/// Every block to `tolerance` of its largest entry.
void expect_close(const Blocks& a, const Blocks& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t block = 0; block < a.size(); ++block) {
    ASSERT_EQ(a[block].size(), b[block].size());
    double scale = 0, largest = 0;
    for (std::size_t n = 0; n < a[block].size(); ++n) {
      scale = std::max(scale, std::abs(a[block][n]));
      const double difference = std::abs(a[block][n] - b[block][n]);
      if (!(difference <= largest)) largest = difference; // a NaN stays
    }
    EXPECT_GT(scale, 0) << "block " << block << " is zero";
    EXPECT_LE(largest, tolerance * scale) << "block " << block;
  }
}

void expect_same_bits(const Blocks& a, const Blocks& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t block = 0; block < a.size(); ++block) {
    std::size_t differ = 0;
    for (std::size_t n = 0; n < a[block].size(); ++n) differ += a[block][n] != b[block][n];
    EXPECT_EQ(differ, 0u) << "values of block " << block;
  }
}

void expect_as_on_the_cpu(const RandomFlow& flow, const Exec& device) {
  const Blocks in = flow.random_inputs(1);
  const Blocks out = flow.outputs_on(device, in);
  expect_close(flow.outputs_on(Exec::cpu(), in), out, 1e-12);
  expect_same_bits(out, flow.outputs_on(device, in));

  const Blocks w = random_like(out, 15);
  const Blocks bars = flow.adjoint_on(device, in, w);
  expect_close(flow.adjoint(in, w), bars, 1e-12);
  expect_same_bits(bars, flow.adjoint_on(device, in, w));

  Blocks v = random_like(in, 10);
  flow.clear_walls(v);
  const Blocks jv = flow.tangent(in, v); // dual numbers, on the host
  EXPECT_NEAR(inner_product(w, jv), inner_product(bars, v),
              1e-12 * (magnitude(w, jv) + magnitude(bars, v)));
}

TEST_F(StepOnCuda, AndItsAdjointAreThoseOfTheCpuIn2D) {
  expect_as_on_the_cpu(small_flow(2), device);
}
TEST_F(StepOnCuda, AndItsAdjointAreThoseOfTheCpuIn3D) {
  expect_as_on_the_cpu(small_flow(3), device);
}
TEST_F(StepOnCuda, AndItsAdjointAreThoseOfTheCpuWithThreeStagesAndCentralFluxes) {
  expect_as_on_the_cpu(three_stages(), device);
}
TEST_F(StepOnCuda, AndItsAdjointAreThoseOfTheCpuInAPeriodicBox) {
  expect_as_on_the_cpu(periodic_box(), device);
}

} // namespace
} // namespace contraflow::test
