#include "adjoint/boundary/mass_correction.hpp"

#include "kernels/reduce_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(CorrectMassAdjoint);
CONTRAFLOW_INSTANTIATE_REDUCTION(CorrectionBar<float>);
CONTRAFLOW_INSTANTIATE_REDUCTION(CorrectionBar<double>);
