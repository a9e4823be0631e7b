#include "src/solver/step_adjoint.hpp"
#include "tests/cuda/on_cuda.hpp"
#include "tests/support/random_flow.hpp"

#include <cuda_runtime_api.h>

#include <random>
#include <utility>

namespace contraflow::test {
namespace {

using GraphOnCuda = OnCuda;

FlowSetup setup_with_everything() {
  FlowSetup setup;
  setup.grid.dimension = 2;
  setup.grid.faces = {wavy_faces(12, 0.2), wavy_faces(11, 0.15), {0, 1}};
  setup.grid.spacing = 1.0 / 12;
  setup.boundary[0][0].type = BoundaryType::inflow;
  setup.boundary[0][1].type = BoundaryType::outflow;
  setup.boundary[1][0].type = BoundaryType::wall;
  setup.dt = 0.02;
  setup.relaxation_time = 0.05;
  setup.steps = 1;
  return setup;
}

void randomise(Buffer<double>& buffer, unsigned seed) {
  std::mt19937_64 engine{seed};
  std::uniform_real_distribution<double> uniform{-1.0, 1.0};
  std::vector<double> values(buffer.size());
  for (double& value : values) value = uniform(engine);
  buffer.upload(values);
}

FlowModel<double> model_with_body(const Exec& exec) {
  FlowModel<double> model{setup_with_everything(), exec};
  BodyModel<double>& body = model.add_body({{4, 4, 0}, {8, 8, 1}}, {0.5, 0.5, 0});
  for (std::size_t c = 0; c < 2; ++c) randomise(body.mask[c].solid, 7);
  for (InflowSide<double>& side : model.inflows) randomise(side.knots, 8);
  body.accelerates = true;
  model.set_tables({{{{0.5, 0.5, 0}, {{0.1, 0.2, 0}, 0.3}, {{0.4, 0.1, 0}, 0.2}},
                     {{0.5, 0.5, 0}, {{0.2, 0.1, 0}, 0.4}, {{0.3, 0.2, 0}, 0.1}}}});
  return model;
}

/// One step and its transpose, from random data.
struct ThereAndBack {
  FlowModel<double> model;
  DeviceRunner runner;
  State<double> state;
  StepRecord<double> record;
  AdjointState<double> adjoint;
  Stepper<double, DeviceRunner> stepper;
  AdjointStepper<double, DeviceRunner> adjoint_stepper;
  Buffer<StageForces<double>> forces;

  explicit ThereAndBack(const Exec& exec)
      : model{model_with_body(exec)}, runner{exec}, state{model.make_state()}, record{model},
        adjoint{model}, stepper{model, runner},
        adjoint_stepper{model, runner, true}, forces{exec, model.stages.size()} {
    for (std::size_t c = 0; c < 2; ++c) randomise(state.velocity[c], static_cast<unsigned>(c));
    synchronise(exec); // what cleared the buffers is no part of a graph
  }

  void go() {
    stepper.fill_ghosts(state.velocity);
    stepper.step(0, state, forces.data(), &record);
    adjoint_stepper.step(0, record, {ForceBar<double>{{1, 2, 0}, 3}}, adjoint);
  }

  std::vector<std::vector<double>> results() const {
    std::vector<std::vector<double>> all{state.pressure.download(), adjoint.pressure.download(),
                                         adjoint.viscosity.download(),
                                         adjoint.inflow[0].download()};
    for (std::size_t c = 0; c < 2; ++c) {
      all.push_back(state.velocity[c].download());
      all.push_back(adjoint.velocity[c].download());
      all.push_back(adjoint.mask[0].solid[c].download());
    }
    for (const StageForces<double>& sum : forces.download()) {
      all.emplace_back(sum.exchange.value, sum.exchange.value + 4);
      all.emplace_back(sum.inertia.value, sum.inertia.value + 4);
    }
    return all;
  }
};

// A stream that is captured refuses to allocate and to wait.
TEST_F(GraphOnCuda, HoldsAStepAndItsAdjointWithTheSameBits) {
  ThereAndBack called{device}, captured{device};
  called.go();

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(device.stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  captured.go();
  ASSERT_EQ(cudaStreamEndCapture(device.stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, device.stream), cudaSuccess);

  EXPECT_EQ(captured.results(), called.results());
  EXPECT_NE(called.results()[1], std::vector<double>(called.model.phi.size(), 0.0));
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

} // namespace
} // namespace contraflow::test
