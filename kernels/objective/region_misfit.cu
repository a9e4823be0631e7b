#include "kernels/objective/region_misfit.hpp"

#include "kernels/reduce_impl.hpp"

CONTRAFLOW_INSTANTIATE_REDUCTION(RegionMisfit<float>);
CONTRAFLOW_INSTANTIATE_REDUCTION(RegionMisfit<double>);
