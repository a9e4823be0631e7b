#include "src/pressure/basis.hpp"

#include "tests/pressure/poisson_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace contraflow::test {
namespace {

struct Line {
  AxisOperator op;
  Eigenbasis basis;

  Line(char kind, int n)
      : op{axis_operator(faces_of_line(n, -0.7, kind == 's' || kind == 'q'),
                         kind == 'p' || kind == 'q')},
        basis{eigenbasis(op)} {}

  std::size_t n() const { return op.widths.size(); }
  double mode(std::size_t cell, std::size_t m) const { return basis.modes[cell * n() + m]; }
};

constexpr char kinds[] = {'u', 's', 'p', 'q'};
constexpr int sizes[] = {1, 2, 3, 8, 33, 256};

TEST(Eigenbasis, IsOrthonormalInTheWidths) {
  for (const char kind : kinds) {
    for (const int size : sizes) {
      const Line line(kind, size);
      for (std::size_t a = 0; a < line.n(); ++a) {
        for (std::size_t b = 0; b <= a; ++b) {
          double sum = 0;
          for (std::size_t i = 0; i < line.n(); ++i) {
            sum += line.op.widths[i] * line.mode(i, a) * line.mode(i, b);
          }
          ASSERT_NEAR(sum, a == b ? 1 : 0, 1e-13) << kind << size << " " << a << " " << b;
        }
      }
    }
  }
}

TEST(Eigenbasis, DiagonalisesTheOperator) {
  for (const char kind : kinds) {
    for (const int size : sizes) {
      const Line line(kind, size);
      const std::size_t n = line.n();
      const double largest =
          *std::max_element(line.basis.eigenvalues.begin(), line.basis.eigenvalues.end());
      for (std::size_t m = 0; m < n; ++m) {
        for (std::size_t i = 0; i < n; ++i) {
          const double here = line.mode(i, m);
          const double low = line.op.couplings[i] * (here - line.mode(i == 0 ? n - 1 : i - 1, m));
          const double high =
              line.op.couplings[i + 1] * (here - line.mode(i == n - 1 ? 0 : i + 1, m));
          ASSERT_NEAR((low + high) / line.op.widths[i], line.basis.eigenvalues[m] * here,
                      1e-13 * (largest + 1))
              << kind << size << " " << m;
        }
      }
    }
  }
}

TEST(Eigenbasis, BeginsWithTheConstantAtExactlyZero) {
  for (const char kind : kinds) {
    for (const int size : sizes) {
      const Line line(kind, size);
      EXPECT_EQ(line.basis.eigenvalues[0], 0);
      for (std::size_t i = 1; i < line.n(); ++i) EXPECT_EQ(line.mode(i, 0), line.mode(0, 0));
      for (std::size_t m = 1; m < line.n(); ++m) EXPECT_GT(line.basis.eigenvalues[m], 0);
    }
  }
}

TEST(Eigenbasis, OfAUniformLineIsThatOfTheDenseSolver) {
  for (const char kind : {'u', 'p'}) {
    Line line(kind, 64);
    AxisOperator general = line.op;
    general.uniform = false;
    Eigenbasis dense = eigenbasis(general);
    std::sort(line.basis.eigenvalues.begin(), line.basis.eigenvalues.end());
    for (std::size_t m = 0; m < line.n(); ++m) {
      EXPECT_NEAR(line.basis.eigenvalues[m], dense.eigenvalues[m], 1e-12 * dense.eigenvalues[m]);
    }
  }
}

TEST(Eigenbasis, HasTheSameBitsWhereverTheWidthsLie) {
  for (const char kind : {'s', 'q'}) {
    std::vector<Line> lines; // each keeps its widths, so that the next lie elsewhere
    for (int copy = 0; copy < 20; ++copy) lines.emplace_back(kind, 40);
    for (const Line& line : lines) {
      EXPECT_EQ(line.basis.modes, lines[0].basis.modes) << kind;
      EXPECT_EQ(line.basis.eigenvalues, lines[0].basis.eigenvalues) << kind;
    }
  }
}

TEST(AxisOperator, TakesRoundedCoordinatesForUniform) {
  std::vector<double> faces, bent;
  for (int i = 0; i <= 300; ++i) faces.push_back(-25 + i * 0.1);
  bent = faces;
  bent[150] += 1e-9;
  EXPECT_TRUE(axis_operator(faces, false).uniform);
  EXPECT_FALSE(axis_operator(bent, false).uniform);
}

} // namespace
} // namespace contraflow::test
