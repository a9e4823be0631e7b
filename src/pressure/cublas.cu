#include "src/pressure/cublas.hpp"

#include "contraflow/error.hpp"
#include "src/core/buffer.hpp"

#ifdef __CUDACC__
#include <cublas_v2.h>

#include <string>
#endif

namespace contraflow {

[[noreturn]] void throw_no_cuda();

#ifdef __CUDACC__

struct Cublas {
  explicit Cublas(const Exec& exec) : workspace{exec, workspace_bytes} {}
  ~Cublas() {
    if (handle != nullptr) cublasDestroy(handle);
  }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20; // as cuBLAS asks on Hopper
  Buffer<char> workspace;
  cublasHandle_t handle = nullptr;
};

namespace {

void throw_if_failed(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw BackendError{std::string{what} + ": " + cublasGetStatusString(status)};
}

cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op, int m,
                    int n, int k, const float* a, int lda, long long a_step, const float* b,
                    int ldb, long long b_step, float* c, int ldc, long long c_step, int batch) {
  const float one = 1, zero = 0;
  return cublasSgemmStridedBatched(handle, a_op, b_op, m, n, k, &one, a, lda, a_step, b, ldb,
                                   b_step, &zero, c, ldc, c_step, batch);
}

cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op, int m,
                    int n, int k, const double* a, int lda, long long a_step, const double* b,
                    int ldb, long long b_step, double* c, int ldc, long long c_step, int batch) {
  const double one = 1, zero = 0;
  return cublasDgemmStridedBatched(handle, a_op, b_op, m, n, k, &one, a, lda, a_step, b, ldb,
                                   b_step, &zero, c, ldc, c_step, batch);
}

} // namespace

std::unique_ptr<Cublas, CloseCublas> open_cublas(const Exec& exec) {
  std::unique_ptr<Cublas, CloseCublas> cublas{new Cublas{exec}};
  throw_if_failed(cublasCreate(&cublas->handle), "open cuBLAS");
  // In this order: setting the stream puts the handle back on a workspace that all handles share.
  throw_if_failed(cublasSetStream(cublas->handle, exec.stream), "set the stream of cuBLAS");
  throw_if_failed(
      cublasSetWorkspace(cublas->handle, cublas->workspace.data(), Cublas::workspace_bytes),
      "set the workspace of cuBLAS");
  throw_if_failed(cublasSetMathMode(cublas->handle, CUBLAS_DEFAULT_MATH),
                  "set cuBLAS to full precision");
  return cublas;
}

template <class T> void multiply(const Cublas& cublas, const Product<T>& product) {
  // cuBLAS thinks in columns, so that it sees every matrix transposed: C' = op(B)' op(A)'.
  const auto op = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
  const int a_pitch = product.a_transposed ? product.rows : product.inner;
  const int b_pitch = product.b_transposed ? product.inner : product.columns;
  throw_if_failed(gemm(cublas.handle, op(product.b_transposed), op(product.a_transposed),
                       product.columns, product.rows, product.inner, product.b, b_pitch,
                       product.b_step, product.a, a_pitch, product.a_step, product.c,
                       product.columns, product.c_step, product.batch),
                  "matrix product");
}

#else

struct Cublas {};

std::unique_ptr<Cublas, CloseCublas> open_cublas(const Exec&) { throw_no_cuda(); }
template <class T> void multiply(const Cublas&, const Product<T>&) { throw_no_cuda(); }

#endif

void CloseCublas::operator()(Cublas* cublas) const noexcept { delete cublas; }

template void multiply(const Cublas&, const Product<float>&);
template void multiply(const Cublas&, const Product<double>&);

} // namespace contraflow
