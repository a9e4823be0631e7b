#include "kernels/boundary/mass_correction.hpp"

#include "kernels/reduce_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(CorrectMass);
CONTRAFLOW_INSTANTIATE_REDUCTION(SideFlux<float>);
CONTRAFLOW_INSTANTIATE_REDUCTION(SideFlux<double>);
