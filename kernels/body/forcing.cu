#include "kernels/body/forcing.hpp"

#include "kernels/reduce_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(BodyForcing);
CONTRAFLOW_INSTANTIATE_REDUCTION(ForceSums<float>);
CONTRAFLOW_INSTANTIATE_REDUCTION(ForceSums<double>);
