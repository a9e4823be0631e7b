#pragma once

#include "src/pressure/gemm.hpp"

namespace contraflow {

/// Throws BackendError, in a build without CUDA always.
std::unique_ptr<Cublas, CloseCublas> open_cublas(const Exec& exec);

/// For float and double. Throws BackendError.
template <class T> void multiply(const Cublas& cublas, const Product<T>& product);

} // namespace contraflow
