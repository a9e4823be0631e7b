#include "kernels/momentum/tendency.hpp"

#include "kernels/run_impl.hpp"

#define CONTRAFLOW_INSTANTIATE_AXES(T)                                                             \
  CONTRAFLOW_INSTANTIATE(Tendency<T, 2, 0>);                                                       \
  CONTRAFLOW_INSTANTIATE(Tendency<T, 2, 1>);                                                       \
  CONTRAFLOW_INSTANTIATE(Tendency<T, 3, 0>);                                                       \
  CONTRAFLOW_INSTANTIATE(Tendency<T, 3, 1>);                                                       \
  CONTRAFLOW_INSTANTIATE(Tendency<T, 3, 2>)

CONTRAFLOW_INSTANTIATE_AXES(float);
CONTRAFLOW_INSTANTIATE_AXES(double);
