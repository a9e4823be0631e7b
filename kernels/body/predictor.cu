#include "kernels/body/predictor.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(BodyPredictor);
