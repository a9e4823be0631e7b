#include "adjoint/projection/divergence.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(DivergenceAdjoint);
CONTRAFLOW_INSTANTIATE_SCALARS(SideDivergenceAdjoint);
