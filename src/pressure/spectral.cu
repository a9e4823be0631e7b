#include "src/pressure/spectral.hpp"

#include "kernels/run_impl.hpp"

CONTRAFLOW_INSTANTIATE_SCALARS(DivideByEigenvalues);
CONTRAFLOW_INSTANTIATE(TridiagonalLines<float, 1>);
CONTRAFLOW_INSTANTIATE(TridiagonalLines<double, 1>);
