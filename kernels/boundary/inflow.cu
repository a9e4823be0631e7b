#include "kernels/boundary/inflow.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(PrescribeInflow);
