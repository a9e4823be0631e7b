#include "adjoint/projection/correct.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(CorrectVelocityAdjoint);
