#pragma once

#include "contraflow/box.hpp"
#include "contraflow/exec.hpp"

#include <cstddef>
#include <vector>

namespace contraflow {

/// What sums of T are gathered in: double for float.
template <class T> struct AccumulatorOf { using type = T; };
template <> struct AccumulatorOf<float> { using type = double; };
template <class T> using Accumulator = typename AccumulatorOf<T>::type;

/// N quantities that are summed together.
template <class A, int N> struct Sums {
  A value[N];

  CONTRAFLOW_HD friend Sums operator+(const Sums& a, const Sums& b) {
    Sums sum;
    for (int n = 0; n < N; ++n) sum.value[n] = a.value[n] + b.value[n];
    return sum;
  }
  CONTRAFLOW_HD static Sums zero() {
    Sums sum;
    for (int n = 0; n < N; ++n) sum.value[n] = A(0);
    return sum;
  }
};

constexpr std::size_t reduction_workspace_bytes = std::size_t{1} << 20;

/// Sums kernel(i,j,k) over kernel.range() into *out, in the memory of exec. A reduction kernel
/// returns a Kernel::Value (a Sums) instead of writing. Fixed order: the same bits every time, on
/// any number of threads. `workspace`: reduction_workspace_bytes in the memory of exec. Defined in
/// reduce_impl.hpp, instantiated as kernels are.
template <class Kernel>
void reduce(const Exec& exec, const Kernel& kernel, typename Kernel::Value* out, void* workspace);

/// The same on the host's threads, for any scalar type: row by row, then the rows in order.
template <class Kernel> void reduce_on_cpu(const Kernel& kernel, typename Kernel::Value* out) {
  using Value = typename Kernel::Value;
  const Box box = kernel.range();
  const int height = box.size(1);
  std::vector<Value> rows(static_cast<std::size_t>(height) * static_cast<std::size_t>(box.size(2)));
#pragma omp parallel for collapse(2) schedule(static) if (box.count() > 4096)
  for (int k = box.lo[2]; k < box.hi[2]; ++k) {
    for (int j = box.lo[1]; j < box.hi[1]; ++j) {
      const Kernel local = kernel;
      Value sum = Value::zero();
      for (int i = box.lo[0]; i < box.hi[0]; ++i) sum = sum + local(i, j, k);
      rows[static_cast<std::size_t>(k - box.lo[2]) * static_cast<std::size_t>(height) +
           static_cast<std::size_t>(j - box.lo[1])] = sum;
    }
  }
  Value total = Value::zero();
  for (const Value& row : rows) total = total + row;
  *out = total;
}

} // namespace contraflow
