#include "adjoint/body/mask.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(BodyMaskAdjoint);
