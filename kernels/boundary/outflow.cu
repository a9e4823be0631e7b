#include "kernels/boundary/outflow.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(ConvectOutflow);
