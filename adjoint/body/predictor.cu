#include "adjoint/body/predictor.hpp"

#include "kernels/reduce_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(BodyPredictorAdjoint);
CONTRAFLOW_INSTANTIATE_REDUCTION(MotionBar<float>);
CONTRAFLOW_INSTANTIATE_REDUCTION(MotionBar<double>);
