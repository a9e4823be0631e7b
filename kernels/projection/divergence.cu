#include "kernels/projection/divergence.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(Divergence);
CONTRAFLOW_INSTANTIATE_SCALARS(UnpackCells);
