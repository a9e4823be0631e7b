// Defines reduce() for both back ends; for kernel sources only, as run_impl.hpp.
#pragma once

#include "kernels/reduce.hpp"
#include "kernels/run_impl.hpp"

#ifdef __CUDACC__
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#endif

namespace contraflow {

#ifdef __CUDACC__

/// A reduction kernel as a function of the position in its range.
template <class Kernel> struct AtPosition {
  Kernel kernel;
  Box box;
  CONTRAFLOW_HD typename Kernel::Value operator()(int position) const {
    const int row = position / box.size(0);
    return kernel(box.lo[0] + position % box.size(0), box.lo[1] + row % box.size(1),
                  box.lo[2] + row / box.size(1));
  }
};

struct Add {
  template <class Value> CONTRAFLOW_HD Value operator()(const Value& a, const Value& b) const {
    return a + b;
  }
};

template <class Kernel> static void reduce_on_cuda(CUstream_st* stream, const Kernel& kernel,
                                                   typename Kernel::Value* out, void* workspace) {
  const Box box = kernel.range();
  const auto values = thrust::make_transform_iterator(thrust::make_counting_iterator(0),
                                                      AtPosition<Kernel>{kernel, box});
  std::size_t bytes = reduction_workspace_bytes;
  throw_if_cuda_failed(cub::DeviceReduce::Reduce(workspace, bytes, values, out,
                                                 static_cast<int>(box.count()), Add{},
                                                 Kernel::Value::zero(), stream),
                       Kernel::name);
}

#else

template <class Kernel>
static void reduce_on_cuda(CUstream_st*, const Kernel&, typename Kernel::Value*, void*) {
  throw_no_cuda();
}

#endif

template <class Kernel>
void reduce(const Exec& exec, const Kernel& kernel, typename Kernel::Value* out, void* workspace) {
  if (exec.backend == Backend::cuda) return reduce_on_cuda(exec.stream, kernel, out, workspace);
  reduce_on_cpu(kernel, out);
}

} // namespace contraflow

/// Instantiates reduce() for one kernel type.
#define CONTRAFLOW_INSTANTIATE_REDUCTION(...)                                                      \
  template void contraflow::reduce(const contraflow::Exec&, const contraflow::__VA_ARGS__&,        \
                                   typename contraflow::__VA_ARGS__::Value*, void*)
