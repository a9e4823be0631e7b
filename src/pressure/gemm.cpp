#include "src/pressure/gemm.hpp"

#include "src/pressure/cublas.hpp"

#include <cblas.h>

#include <algorithm>

namespace contraflow {
namespace {

// Of the longer side of C that one BLAS call computes. Fixed, because other blocks give other bits.
constexpr int block = 64;

CBLAS_TRANSPOSE op(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

void call(const Product<float>& p, int a_pitch, int b_pitch, int c_pitch) {
  cblas_sgemm(CblasRowMajor, op(p.a_transposed), op(p.b_transposed), p.rows, p.columns, p.inner, 1,
              p.a, a_pitch, p.b, b_pitch, 0, p.c, c_pitch);
}

void call(const Product<double>& p, int a_pitch, int b_pitch, int c_pitch) {
  cblas_dgemm(CblasRowMajor, op(p.a_transposed), op(p.b_transposed), p.rows, p.columns, p.inner, 1,
              p.a, a_pitch, p.b, b_pitch, 0, p.c, c_pitch);
}

// Part `part` of the product `index` of the batch: a block of rows, or of columns if those are
// more.
template <class T> void multiply_block(Product<T> p, int index, int part) {
  const int a_pitch = p.a_transposed ? p.rows : p.inner;
  const int b_pitch = p.b_transposed ? p.inner : p.columns;
  const int c_pitch = p.columns;
  const std::ptrdiff_t first = std::ptrdiff_t{part} * block;
  p.a += index * p.a_step;
  p.b += index * p.b_step;
  p.c += index * p.c_step;
  if (p.rows >= p.columns) {
    p.a += p.a_transposed ? first : first * a_pitch;
    p.c += first * c_pitch;
    p.rows = std::min(block, p.rows - static_cast<int>(first));
  } else {
    p.b += p.b_transposed ? first * b_pitch : first;
    p.c += first;
    p.columns = std::min(block, p.columns - static_cast<int>(first));
  }
  call(p, a_pitch, b_pitch, c_pitch);
}

template <class T> void multiply_on_cpu(const Product<T>& product) {
  const int parts = (std::max(product.rows, product.columns) + block - 1) / block;
#pragma omp parallel for collapse(2) schedule(static)
  for (int index = 0; index < product.batch; ++index) {
    for (int part = 0; part < parts; ++part) multiply_block(product, index, part);
  }
}

} // namespace

Gemm::Gemm(const Exec& exec) {
  static const bool single_threaded = (openblas_set_num_threads(1), true);
  static_cast<void>(single_threaded);
  if (exec.backend == Backend::cuda) cublas_ = open_cublas(exec);
}

template <class T> void Gemm::operator()(const Product<T>& product) const {
  if (cublas_ != nullptr) return multiply(*cublas_, product);
  multiply_on_cpu(product);
}

template void Gemm::operator()(const Product<float>&) const;
template void Gemm::operator()(const Product<double>&) const;

} // namespace contraflow
