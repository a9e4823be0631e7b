// Cost of a time step and of its adjoint per cell: the 2D grid of the design, 512 x 256 stretched,
// with a body. `contraflow_benchmark` prints nanoseconds per cell and step; a gradient over a step
// of the same precision is its cost in forward runs.
#include "src/solver/freeze.hpp"
#include "src/solver/grid.hpp"
#include "src/solver/tunnel.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

namespace contraflow {
namespace {

Case cylinder(long steps) {
  Case c;
  c.grid.spacing = 1.0 / 40;
  c.grid.axis[0] = {-12, 28, 0, -0.8, 2.85, 1.5, 0.35};
  c.grid.axis[1] = {-10, 10, 0, -1.3, 1.3, 1.5, 1.5};
  for (auto& axis : c.boundary) axis = {BoundarySpec{}, BoundarySpec{}};
  c.boundary[0][0].type = BoundaryType::inflow;
  c.boundary[0][1].type = BoundaryType::outflow;
  c.flow.viscosity = 0.01;
  c.time.steps = steps;
  c.bodies.emplace_back();
  c.objective.emplace_back();
  freeze_constants(c);
  return c;
}

double cells_of(const Grid& grid) {
  return static_cast<double>(grid.cells(0)) * grid.cells(1) * grid.cells(2);
}

constexpr long steps = 50;

/// Times `work` and reports nanoseconds per cell and step of its fastest repetition.
template <class Work> void measure(benchmark::State& state, double cells, long count, Work work) {
  double fastest = 1e300;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(taken.count());
    fastest = std::min(fastest, taken.count());
  }
  state.counters["cells"] = cells;
  state.counters["ns_per_cell_and_step"] = fastest * 1e9 / (cells * static_cast<double>(count));
}

template <class T> void step(benchmark::State& state) {
  Tunnel<T> tunnel{cylinder(steps), Exec::cpu()};
  measure(state, cells_of(tunnel.grid()), steps,
          [&] { benchmark::DoNotOptimize(tunnel.evaluate({Functional{{TermSpec{}}}}, {})); });
}

/// With so many stored states; 0: stage values of all steps kept.
void gradient(benchmark::State& state) {
  Tunnel<float> tunnel{cylinder(steps), Exec::cpu()};
  Horizon horizon;
  horizon.slots = static_cast<int>(state.range(0));
  measure(state, cells_of(tunnel.grid()), steps,
          [&] { benchmark::DoNotOptimize(tunnel.gradient({Functional{{TermSpec{}}}}, horizon)); });
}

template <class T> void solve_pressure(benchmark::State& state) {
  const Grid grid = make_grid(cylinder(1).grid);
  PoissonSolver<T> solver{grid, {false, false, false}, Exec::cpu()};
  std::vector<T> b(static_cast<std::size_t>(cells_of(grid)), T(1));
  measure(state, cells_of(grid), 1, [&] { solver.solve(b.data()); });
}

BENCHMARK(step<float>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(step<double>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(gradient)->Arg(0)->Arg(steps)->Arg(8)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(solve_pressure<float>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(solve_pressure<double>)->Unit(benchmark::kMillisecond)->UseManualTime();

} // namespace
} // namespace contraflow
