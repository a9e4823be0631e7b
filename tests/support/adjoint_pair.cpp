#include "tests/support/adjoint_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace contraflow::test {

namespace {

// Relative to the sum of absolute products. Rounding in a stencil of tens of terms stays below
// 1e-15; a wrong coefficient shows at 1e-3 or more.
constexpr double tolerance = 1e-13;

// Of the largest value of a block: some tens of roundings of 6e-8.
constexpr double float_tolerance = 5e-6;

Blocks zeros_like(const Blocks& shape) {
  Blocks zeros = shape;
  for (auto& block : zeros) std::fill(block.begin(), block.end(), 0.0);
  return zeros;
}

Blocks tangent(const AdjointPair& pair, const Blocks& direction) {
  BlocksOf<Dual> in(direction.size());
  for (std::size_t n = 0; n < in.size(); ++n) {
    for (std::size_t e = 0; e < direction[n].size(); ++e) {
      in[n].emplace_back(pair.inputs[n][e], direction[n][e]);
    }
  }
  Blocks dots;
  for (const auto& block : pair.on_dual_numbers(in)) {
    dots.emplace_back();
    for (const Dual& x : block) dots.back().push_back(x.dot);
  }
  return dots;
}

Blocks transposed(const AdjointPair& pair, const Blocks& out_bar) {
  Blocks in_bar = zeros_like(pair.inputs);
  pair.in_double.adjoint(pair.inputs, out_bar, in_bar);
  return in_bar;
}

void expect_equal_products(const Blocks& w, const Blocks& jv, const Blocks& jtw, const Blocks& v) {
  const double scale = magnitude(w, jv) + magnitude(jtw, v);
  ASSERT_GT(scale, 0) << "a zero derivative proves nothing";
  EXPECT_NEAR(inner_product(w, jv), inner_product(jtw, v), tolerance * scale);
}

void expect_transposed(const AdjointPair& pair, const Blocks& shape_of_outputs, unsigned seed) {
  const Blocks v = random_like(pair.inputs, seed), w = random_like(shape_of_outputs, seed + 50);
  const Blocks jtw = transposed(pair, w);
  expect_equal_products(w, tangent(pair, v), jtw, v);
  for (std::size_t block = 0; block < v.size(); ++block) {
    SCOPED_TRACE("input block " + std::to_string(block));
    Blocks alone = zeros_like(v);
    alone[block] = v[block];
    expect_equal_products(w, tangent(pair, alone), jtw, alone);
  }
}

void expect_bars_written_as_promised(const AdjointPair& pair, const Blocks& w) {
  const Blocks before = random_like(pair.inputs, 600), from_zero = transposed(pair, w);
  Blocks after = before;
  pair.in_double.adjoint(pair.inputs, w, after);
  ASSERT_EQ(pair.bars.size(), after.size());
  for (std::size_t n = 0; n < after.size(); ++n) {
    const bool added = pair.bars[n] == Bar::added_to;
    for (std::size_t e = 0; e < after[n].size(); ++e) {
      const double wanted = from_zero[n][e] + (added ? before[n][e] : 0);
      ASSERT_NEAR(after[n][e], wanted, added ? 1e-13 * (1 + std::abs(wanted)) : 0)
          << "input block " << n << " entry " << e;
    }
  }
}

/// Sets the number of threads; the old one returns with the end of the scope. Small grids gain
/// nothing from threads, which wait in a spin for the processors of other tests.
class Threads {
public:
#ifdef _OPENMP
  explicit Threads(int count) : before_{omp_get_max_threads()} { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }
#else
  explicit Threads(int) {}
#endif
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

private:
  int before_ = 1;
};

void expect_same_bits_on_any_threads(const AdjointPair& pair, const Blocks& w) {
  const Blocks out = pair.in_double.forward(pair.inputs), bars = transposed(pair, w);
  const Threads four{4};
  EXPECT_EQ(out, pair.in_double.forward(pair.inputs));
  EXPECT_EQ(bars, transposed(pair, w));
}

BlocksOf<float> narrowed(const Blocks& blocks) {
  BlocksOf<float> narrow;
  for (const auto& block : blocks) narrow.emplace_back(block.begin(), block.end());
  return narrow;
}

Blocks widened(const BlocksOf<float>& blocks) {
  Blocks wide;
  for (const auto& block : blocks) wide.emplace_back(block.begin(), block.end());
  return wide;
}

void expect_close(const BlocksOf<float>& narrow, const Blocks& wide, const char* what) {
  ASSERT_EQ(narrow.size(), wide.size());
  for (std::size_t n = 0; n < wide.size(); ++n) {
    double largest = 0;
    for (double x : wide[n]) largest = std::max(largest, std::abs(x));
    for (std::size_t e = 0; e < wide[n].size(); ++e) {
      ASSERT_NEAR(narrow[n][e], wide[n][e], float_tolerance * largest)
          << what << ", block " << n << " entry " << e;
    }
  }
}

void expect_float_like_double(const AdjointPair& pair, const Blocks& w) {
  const BlocksOf<float> in = narrowed(pair.inputs), out_bar = narrowed(w);
  BlocksOf<float> in_bar = narrowed(zeros_like(pair.inputs));
  Blocks wide_bar = zeros_like(pair.inputs);
  expect_close(pair.in_float.forward(in), pair.in_double.forward(widened(in)), "forward");
  pair.in_float.adjoint(in, out_bar, in_bar);
  pair.in_double.adjoint(widened(in), widened(out_bar), wide_bar);
  expect_close(in_bar, wide_bar, "adjoint");
}

} // namespace

void expect_adjoint_pair(const AdjointPair& large) {
  const Threads one{1};
  const Blocks outputs = large.in_double.forward(large.inputs);
  for (unsigned seed : {100u, 200u, 300u}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_transposed(large, outputs, seed);
  }
  const Blocks w = random_like(outputs, 400);
  expect_bars_written_as_promised(large, w);
  expect_same_bits_on_any_threads(large, w);
  expect_float_like_double(large, w);
}

void expect_equal_jacobians(const AdjointPair& tiny) {
  const Threads one{1};
  const Blocks outputs = zeros_like(tiny.in_double.forward(tiny.inputs));
  std::vector<std::vector<Blocks>> rows(outputs.size()); // of J', [output][entry]
  for (std::size_t out = 0; out < outputs.size(); ++out) {
    for (std::size_t row = 0; row < outputs[out].size(); ++row) {
      Blocks unit = outputs;
      unit[out][row] = 1;
      rows[out].push_back(transposed(tiny, unit));
    }
  }
  for (std::size_t in = 0; in < tiny.inputs.size(); ++in) {
    for (std::size_t column = 0; column < tiny.inputs[in].size(); ++column) {
      Blocks unit = zeros_like(tiny.inputs);
      unit[in][column] = 1;
      const Blocks of_column = tangent(tiny, unit);
      for (std::size_t out = 0; out < outputs.size(); ++out) {
        for (std::size_t row = 0; row < outputs[out].size(); ++row) {
          const double entry = of_column[out][row];
          ASSERT_NEAR(entry, rows[out][row][in][column], tolerance * (1 + std::abs(entry)))
              << "d output " << out << '[' << row << "] / d input " << in << '[' << column << ']';
        }
      }
    }
  }
}

} // namespace contraflow::test
