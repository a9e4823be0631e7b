#include "kernels/projection/correct.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(CorrectVelocity);
