#pragma once

#include "contraflow/exec.hpp"

#include <memory>

namespace contraflow {

/// C = op(A) op(B) for `batch` triples of dense row-major matrices, rows compact.
template <class T> struct Product {
  const T* a = nullptr; ///< in,  rows x inner, or inner x rows if a_transposed
  const T* b = nullptr; ///< in,  inner x columns, or columns x inner if b_transposed
  T* c = nullptr;       ///< out, rows x columns; overlaps neither a nor b
  bool a_transposed = false;
  bool b_transposed = false;
  int rows = 0;
  int columns = 0;
  int inner = 0;
  int batch = 1;
  long long a_step = 0; ///< elements from one matrix of the batch to the next; 0: all share one
  long long b_step = 0;
  long long c_step = 0;
};

struct Cublas; ///< a handle with its stream and workspace; see cublas.cu
struct CloseCublas {
  void operator()(Cublas* cublas) const noexcept;
};

/// Matrix products on one back end. Float and double stay what they are (no TF32), and the bits do
/// not depend on the number of threads: blocks of fixed width go to a single-threaded BLAS on the
/// CPU; on CUDA cuBLAS runs on the stream of `exec` with a workspace of its own, so that calls can
/// be captured in a graph. The constructor turns threading off in OpenBLAS for the whole program.
/// Throws BackendError.
class Gemm {
public:
  explicit Gemm(const Exec& exec);

  /// Allocates nothing and does not synchronise.
  template <class T> void operator()(const Product<T>& product) const;

private:
  std::unique_ptr<Cublas, CloseCublas> cublas_;
};

} // namespace contraflow
