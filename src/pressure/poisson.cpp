#include "src/pressure/poisson.hpp"

#include "contraflow/error.hpp"
#include "src/core/buffer.hpp"
#include "src/pressure/basis.hpp"
#include "src/pressure/gemm.hpp"
#include "src/pressure/self_check.hpp"
#include "src/pressure/spectral.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace contraflow {
namespace {

constexpr int none = -1;
constexpr int lanes = 64; // neighbouring lines that one CPU thread solves together

std::size_t at(int index) { return static_cast<std::size_t>(index); }

template <class T> std::vector<T> rounded(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

// One axis: its operator and, where it is transformed, its basis in the memory of the back end.
template <class T> struct Axis {
  AxisOperator op;
  std::vector<double> eigenvalues = {0.0}; // host; of a transformed axis
  Buffer<T> modes;                         // Q [cell][mode]
  Buffer<T> weighted;                      // V Q [cell][mode]
  Buffer<T> eigenvalues_of_modes;

  int cells() const { return op.cells(); }
};

template <class T> void transform_basis(Axis<T>& axis, const Exec& exec) {
  Eigenbasis basis = eigenbasis(axis.op);
  axis.eigenvalues = basis.eigenvalues;
  axis.eigenvalues_of_modes = Buffer<T>(exec, rounded<T>(basis.eigenvalues));
  axis.modes = Buffer<T>(exec, rounded<T>(basis.modes));
  for (std::size_t i = 0; i < basis.modes.size(); ++i) {
    basis.modes[i] *= axis.op.widths[i / at(axis.cells())];
  }
  axis.weighted = Buffer<T>(exec, rounded<T>(basis.modes));
}

// The longest Neumann axis, where a tridiagonal solve replaces the transform. In 2D a GPU would
// have too few lines to work on.
int choose_line_axis(const std::array<AxisOperator, 3>& axes, int dimension, const Exec& exec) {
  if (dimension == 2 && exec.backend == Backend::cuda) return none;
  int longest = none;
  for (int a = 0; a < dimension; ++a) {
    if (axes[at(a)].periodic) continue;
    if (longest == none || axes[at(a)].cells() >= axes[at(longest)].cells()) longest = a;
  }
  return longest;
}

// D[i] of L D L', in a form without subtractions: D[i] = c[i+1] + s[i],
// s[i] = L w[i] + c[i] s[i-1] / D[i-1]. `stride` elements lie between the cells of the line.
template <class T>
void factorise(const AxisOperator& axis, double transverse, T* inverse_pivots, std::size_t stride) {
  double surplus = 0, pivot = 1;
  for (std::size_t i = 0; i < axis.widths.size(); ++i) {
    surplus = transverse * axis.widths[i] + axis.couplings[i] * surplus / pivot;
    pivot = axis.couplings[i + 1] + surplus;
    inverse_pivots[i * stride] = pivot > 0 ? static_cast<T>(1 / pivot) : T(0);
  }
}

template <class T> void run_lines_on_cpu(const TridiagonalLines<T, lanes>& lines) {
  const Box bundles = lines.range();
#pragma omp parallel for collapse(2) schedule(static)
  for (int slab = 0; slab < bundles.hi[1]; ++slab) {
    for (int bundle = 0; bundle < bundles.hi[0]; ++bundle) lines(bundle, slab, 0);
  }
}

} // namespace

template <class T> struct PoissonSolver<T>::State {
  State(const Grid& grid, const std::array<bool, 3>& periodic, const Exec& exec_);

  void solve(T* b) const;

private:
  void prepare_lines();
  void check_bases() const;
  void check_solve() const;

  void to_modes(int axis, const T* from, T* to) const;
  void from_modes(int axis, const T* from, T* to) const;
  Product<T> along(int axis) const;
  void solve_modes(T* values) const;
  template <int Lanes> TridiagonalLines<T, Lanes> tridiagonal(T* values) const;

  // The lines lie along x: the transform of y turns each plane, so that its modes are contiguous.
  bool turned(int axis) const { return line_axis == 0 && axis == 1; }
  std::size_t size() const { return at(n[0]) * at(n[1]) * at(n[2]); }

  Exec exec;
  Gemm gemm;
  std::array<Axis<T>, 3> axes;
  int n[3] = {1, 1, 1};
  int line_axis = none;
  std::vector<int> transformed; // in this order
  Buffer<T> inverse_pivots, widths, couplings;
  mutable Buffer<T> work;
};

template <class T>
PoissonSolver<T>::State::State(const Grid& grid, const std::array<bool, 3>& periodic,
                               const Exec& exec_)
    : exec{exec_}, gemm{exec_} {
  std::array<AxisOperator, 3> operators;
  for (int a = 0; a < 3; ++a) {
    operators[at(a)] = axis_operator(grid.faces[at(a)], periodic[at(a)]);
    n[a] = operators[at(a)].cells();
  }
  line_axis = choose_line_axis(operators, grid.dimension, exec);
  for (int a = 0; a < 3; ++a) {
    axes[at(a)].op = std::move(operators[at(a)]);
    if (a >= grid.dimension || a == line_axis) continue;
    transform_basis(axes[at(a)], exec);
    transformed.push_back(a);
  }
  // z first if y is turned; then it still finds whole planes.
  if (line_axis == 0) std::reverse(transformed.begin(), transformed.end());
  if (axes[2].eigenvalues_of_modes.size() == 0) {
    axes[2].eigenvalues_of_modes = Buffer<T>(exec, std::vector<T>{T(0)});
  }
  work = Buffer<T>(exec, size());
  if (line_axis != none) prepare_lines();
  check_bases();
  check_solve();
}

template <class T> void PoissonSolver<T>::State::prepare_lines() {
  const AxisOperator& line = axes[at(line_axis)].op;
  const TridiagonalLines<T, 1> shape = tridiagonal<1>(nullptr);
  const int inner_axis = line_axis == 0 ? 1 : 0;
  const int outer_axis = line_axis == 2 ? 1 : 2;
  std::vector<T> pivots(size());
  for (int slab = 0; slab < shape.slabs; ++slab) {
    for (int index = 0; index < shape.lines; ++index) {
      const int inner = index % n[inner_axis];
      const int outer = line_axis == 2 ? index / n[inner_axis] : slab;
      const double transverse =
          axes[at(inner_axis)].eigenvalues[at(inner)] + axes[at(outer_axis)].eigenvalues[at(outer)];
      T* first = pivots.data() + at(slab) * at(shape.cells) * at(shape.lines) + index;
      factorise(line, transverse, first, at(shape.lines));
    }
  }
  inverse_pivots = Buffer<T>(exec, pivots);
  widths = Buffer<T>(exec, rounded<T>(line.widths));
  couplings = Buffer<T>(exec, rounded<T>(line.couplings));
}

template <class T> template <int Lanes>
TridiagonalLines<T, Lanes> PoissonSolver<T>::State::tridiagonal(T* values) const {
  TridiagonalLines<T, Lanes> lines;
  lines.values = values;
  lines.inverse_pivots = inverse_pivots.data();
  lines.widths = widths.data();
  lines.couplings = couplings.data();
  lines.slabs = line_axis == 2 ? 1 : n[2];
  lines.cells = n[line_axis];
  lines.lines = line_axis == 0 ? n[1] : line_axis == 1 ? n[0] : n[0] * n[1];
  return lines;
}

// The transform along y or z: planes of n rows, the axes below side by side, those above a batch.
template <class T> Product<T> PoissonSolver<T>::State::along(int axis) const {
  Product<T> product;
  product.rows = product.inner = n[axis];
  product.columns = axis == 2 ? n[0] * n[1] : n[0];
  product.batch = axis == 2 ? 1 : n[2];
  product.b_step = product.c_step = static_cast<long long>(product.rows) * product.columns;
  return product;
}

/// Coefficients Q' V from, along one axis.
template <class T> void PoissonSolver<T>::State::to_modes(int axis, const T* from, T* to) const {
  const T* weighted = axes[at(axis)].weighted.data();
  if (axis == 0) {
    return gemm(Product<T>{
        .a = from, .b = weighted, .c = to, .rows = n[1] * n[2], .columns = n[0], .inner = n[0]});
  }
  Product<T> product = along(axis);
  product.a = weighted;
  product.b = from;
  product.c = to;
  product.a_transposed = true;
  if (turned(axis)) {
    std::swap(product.a, product.b);
    std::swap(product.a_step, product.b_step);
    std::swap(product.rows, product.columns);
  }
  gemm(product);
}

/// Values Q from, along one axis.
template <class T> void PoissonSolver<T>::State::from_modes(int axis, const T* from, T* to) const {
  const T* modes = axes[at(axis)].modes.data();
  if (axis == 0) {
    return gemm(Product<T>{.a = from,
                           .b = modes,
                           .c = to,
                           .b_transposed = true,
                           .rows = n[1] * n[2],
                           .columns = n[0],
                           .inner = n[0]});
  }
  Product<T> product = along(axis);
  product.a = modes;
  product.b = from;
  product.c = to;
  product.b_transposed = turned(axis);
  gemm(product);
}

template <class T> void PoissonSolver<T>::State::solve_modes(T* values) const {
  if (line_axis == none) {
    DivideByEigenvalues<T> divide;
    divide.values = values;
    divide.x = axes[0].eigenvalues_of_modes.data();
    divide.y = axes[1].eigenvalues_of_modes.data();
    divide.z = axes[2].eigenvalues_of_modes.data();
    std::copy(n, n + 3, divide.modes);
    run(exec, divide);
  } else if (exec.backend == Backend::cuda) {
    run(exec, tridiagonal<1>(values));
  } else {
    run_lines_on_cpu(tridiagonal<lanes>(values));
  }
}

template <class T> void PoissonSolver<T>::State::solve(T* b) const {
  T* from = b;
  T* to = work.data();
  for (const int axis : transformed) {
    to_modes(axis, from, to);
    std::swap(from, to);
  }
  solve_modes(from);
  for (auto axis = transformed.rbegin(); axis != transformed.rend(); ++axis) {
    from_modes(*axis, from, to);
    std::swap(from, to);
  }
}

template <class T> void PoissonSolver<T>::State::check_bases() const {
  for (const int a : transformed) {
    Buffer<T> product(exec, axes[at(a)].modes.size());
    gemm(Product<T>{.a = axes[at(a)].weighted.data(),
                    .b = axes[at(a)].modes.data(),
                    .c = product.data(),
                    .a_transposed = true,
                    .rows = n[a],
                    .columns = n[a],
                    .inner = n[a]});
    const double error = distance_from_identity(product.download(), n[a]);
    if (error <= 16 * std::numeric_limits<T>::epsilon() * std::sqrt(n[a] + 16.0)) continue;
    throw SolveError{
        fmt::format("pressure solver: the {} modes along {} are orthogonal to {:.1e} only; "
                    "the BLAS computes wrong products, or the grid is beyond {} digits",
                    n[a], "xyz"[a], error, std::numeric_limits<T>::digits10)};
  }
}

template <class T> void PoissonSolver<T>::State::check_solve() const {
  const std::vector<T> b = noise<T>(size());
  Buffer<T> values(exec, b);
  solve(values.data());
  const double error = backward_error({axes[0].op, axes[1].op, axes[2].op}, values.download(), b);
  if (error <= 64 * std::numeric_limits<T>::epsilon()) return;
  throw SolveError{
      fmt::format("pressure solver: a test solve on {} x {} x {} cells leaves a residual "
                  "of {:.1e}; the BLAS computes wrong products on this processor",
                  n[0], n[1], n[2], error)};
}

template <class T>
PoissonSolver<T>::PoissonSolver(const Grid& grid, const std::array<bool, 3>& periodic,
                                const Exec& exec)
    : state_{std::make_unique<State>(grid, periodic, exec)} {}
template <class T> PoissonSolver<T>::PoissonSolver(PoissonSolver&&) noexcept = default;
template <class T>
PoissonSolver<T>& PoissonSolver<T>::operator=(PoissonSolver&&) noexcept = default;
template <class T> PoissonSolver<T>::~PoissonSolver() = default;

template <class T> void PoissonSolver<T>::solve(T* b) { state_->solve(b); }

template class PoissonSolver<float>;
template class PoissonSolver<double>;

} // namespace contraflow
