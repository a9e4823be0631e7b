#include "kernels/body/inertia.hpp"

#include "kernels/reduce_impl.hpp"

CONTRAFLOW_INSTANTIATE_REDUCTION(BodyInertia<float>);
CONTRAFLOW_INSTANTIATE_REDUCTION(BodyInertia<double>);
