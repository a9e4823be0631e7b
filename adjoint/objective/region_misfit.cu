#include "adjoint/objective/region_misfit.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(RegionMisfitAdjoint);
