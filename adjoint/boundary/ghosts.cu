#include "adjoint/boundary/ghosts.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(FillGhostsAdjoint);
