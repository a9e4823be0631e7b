#include "src/solver/monitor.hpp"

#include "kernels/reduce_impl.hpp"

CONTRAFLOW_INSTANTIATE_REDUCTION(FieldNorms<float>);
CONTRAFLOW_INSTANTIATE_REDUCTION(FieldNorms<double>);
CONTRAFLOW_INSTANTIATE_REDUCTION(ControlVolume<float>);
CONTRAFLOW_INSTANTIATE_REDUCTION(ControlVolume<double>);
