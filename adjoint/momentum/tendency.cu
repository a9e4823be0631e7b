#include "adjoint/momentum/tendency.hpp"

#include "kernels/run_impl.hpp"

#define CONTRAFLOW_INSTANTIATE_DIMENSIONS(T)                                                       \
  CONTRAFLOW_INSTANTIATE(TendencyAdjoint<T, 2, false>);                                            \
  CONTRAFLOW_INSTANTIATE(TendencyAdjoint<T, 2, true>);                                             \
  CONTRAFLOW_INSTANTIATE(TendencyAdjoint<T, 3, false>);                                            \
  CONTRAFLOW_INSTANTIATE(TendencyAdjoint<T, 3, true>)

CONTRAFLOW_INSTANTIATE_DIMENSIONS(float);
CONTRAFLOW_INSTANTIATE_DIMENSIONS(double);
