#include "src/pressure/gemm.hpp"

#include "tests/pressure/poisson_cases.hpp"

#include <cblas.h>
#include <gtest/gtest.h>

#include <limits>

namespace contraflow::test {
namespace {

template <class T> void expect_the_product_of_loops(const Product<T>& shape) {
  const auto elements = [&](long long step, int rows, int columns) {
    return static_cast<std::size_t>(step == 0 ? 1 : shape.batch) * static_cast<std::size_t>(rows) *
           static_cast<std::size_t>(columns);
  };
  const auto a = random_cells<T>(elements(shape.a_step, shape.rows, shape.inner), 1);
  const auto b = random_cells<T>(elements(shape.b_step, shape.inner, shape.columns), 2);
  std::vector<T> c(elements(shape.c_step, shape.rows, shape.columns), T(7));
  Product<T> product = shape;
  product.a = a.data();
  product.b = b.data();
  product.c = c.data();
  Gemm{Exec::cpu()}(product);

  const int m = shape.rows, n = shape.columns, l = shape.inner;
  for (int index = 0; index < shape.batch; ++index) {
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < n; ++column) {
        double sum = 0;
        for (int k = 0; k < l; ++k) {
          const int in_a = shape.a_transposed ? k * m + row : row * l + k;
          const int in_b = shape.b_transposed ? column * l + k : k * n + column;
          sum += static_cast<double>(a[static_cast<std::size_t>(index * shape.a_step + in_a)]) *
                 static_cast<double>(b[static_cast<std::size_t>(index * shape.b_step + in_b)]);
        }
        const auto found = c[static_cast<std::size_t>(index * shape.c_step + row * n + column)];
        const double rounding = static_cast<double>(std::numeric_limits<T>::epsilon()) * l;
        ASSERT_NEAR(static_cast<double>(found), sum, 16 * rounding);
      }
    }
  }
}

template <class T> void expect_every_shape() {
  for (const auto& size : {std::array{5, 3, 4}, std::array{150, 31, 31}, std::array{31, 150, 40},
                           std::array{64, 64, 17}, std::array{1, 9, 1}}) {
    for (int variant = 0; variant < 4; ++variant) {
      Product<T> shape;
      shape.rows = size[0];
      shape.columns = size[1];
      shape.inner = size[2];
      shape.a_transposed = variant % 2 == 1;
      shape.b_transposed = variant / 2 == 1;
      expect_the_product_of_loops(shape);
      shape.batch = 3;
      shape.b_step = static_cast<long long>(size[1]) * size[2];
      shape.c_step = static_cast<long long>(size[0]) * size[1];
      expect_the_product_of_loops(shape);
    }
  }
}

TEST(Gemm, EqualsLoopsInEveryShape) {
  expect_every_shape<double>();
  expect_every_shape<float>();
}

TEST(Gemm, LeavesThreadsToItsOwnLoop) {
  const Gemm gemm{Exec::cpu()};
  EXPECT_EQ(openblas_get_num_threads(), 1);
}

} // namespace
} // namespace contraflow::test
