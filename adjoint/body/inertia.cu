#include "adjoint/body/inertia.hpp"

#include "kernels/reduce_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(BodyInertiaAdjoint);
CONTRAFLOW_INSTANTIATE_REDUCTION(AccelerationBar<float>);
CONTRAFLOW_INSTANTIATE_REDUCTION(AccelerationBar<double>);
