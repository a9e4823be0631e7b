#pragma once

#include "contraflow/layout.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace contraflow::test {

/// Calls visit(i, j, k) for every index of a box, x fastest.
template <class Visit> void each_index(const Box& box, const Visit& visit) {
  for (int k = box.lo[2]; k < box.hi[2]; ++k) {
    for (int j = box.lo[1]; j < box.hi[1]; ++j) {
      for (int i = box.lo[0]; i < box.hi[0]; ++i) visit(i, j, k);
    }
  }
}

/// A padded field in host memory. What has not been set is `rest`: by default not a number, so that
/// a kernel which reads what its comment does not name is found out.
template <class T> class PaddedField {
public:
  explicit PaddedField(const Layout& layout, T rest = T(std::numeric_limits<double>::quiet_NaN()))
      : layout_{layout}, values_(static_cast<std::size_t>(layout.size), rest) {}

  PaddedField(const Layout& layout, const Box& box, const std::vector<T>& block,
              T rest = T(std::numeric_limits<double>::quiet_NaN()))
      : PaddedField(layout, rest) {
    set(box, block);
  }

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  const std::vector<T>& all() const { return values_; }

  T& operator()(int i, int j, int k = 0) {
    return values_[static_cast<std::size_t>(layout_.index(i, j, k))];
  }

  /// Values of a box, x fastest.
  void set(const Box& box, const std::vector<T>& block) {
    std::size_t n = 0;
    each_index(box, [&](int i, int j, int k) { (*this)(i, j, k) = block[n++]; });
  }
  std::vector<T> get(const Box& box) {
    std::vector<T> block;
    each_index(box, [&](int i, int j, int k) { block.push_back((*this)(i, j, k)); });
    return block;
  }

private:
  Layout layout_;
  std::vector<T> values_;
};

} // namespace contraflow::test
