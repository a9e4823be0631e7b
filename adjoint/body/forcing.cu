#include "adjoint/body/forcing.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(BodyForcingAdjoint);
