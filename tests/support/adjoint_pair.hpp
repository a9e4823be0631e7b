#pragma once

#include "tests/support/dual.hpp"
#include "tests/support/random_flow.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace contraflow::test {

template <class T> using BlocksOf = std::vector<std::vector<T>>;
using Blocks = BlocksOf<double>;

/// How an adjoint writes a bar.
enum class Bar { overwritten, added_to };

/// An operator and its adjoint in one scalar type.
template <class T> struct Operator {
  std::function<BlocksOf<T>(const BlocksOf<T>& in)> forward;
  std::function<void(const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar)>
      adjoint;
};

/// A kernel and its adjoint, seen as functions of the blocks of numbers that can carry a
/// derivative.
struct AdjointPair {
  Blocks inputs; ///< the state to linearise about
  std::vector<Bar> bars;
  Operator<double> in_double;
  Operator<float> in_float;
  std::function<BlocksOf<Dual>(const BlocksOf<Dual>& in)> on_dual_numbers;
};

/// The pair of a class with the members `Blocks inputs() const`, `std::vector<Bar> bars() const`
/// and, for every scalar T, `BlocksOf<T> forward(in)` and `void adjoint(in, out_bar, in_bar)`,
/// const.
template <class Described> AdjointPair pair_of(Described described) {
  const auto shared = std::make_shared<const Described>(std::move(described));
  const auto operator_in = [&](auto scalar) {
    using T = decltype(scalar);
    return Operator<T>{
        [shared](const BlocksOf<T>& in) { return shared->template forward<T>(in); },
        [shared](const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) {
          shared->template adjoint<T>(in, out_bar, in_bar);
        }};
  };
  return {shared->inputs(), shared->bars(), operator_in(double{}), operator_in(float{}),
          [shared](const BlocksOf<Dual>& in) { return shared->template forward<Dual>(in); }};
}

/// Everything that must hold of every pair:
///   - <w, J v> = <J' w, v> for random v and w, of each input by itself and of all together;
///   - the adjoint adds to a bar or overwrites it, as `bars` says;
///   - both have the same bits on one thread and on four: `large` should be split among threads;
///   - both in float are those in double, to rounding.
void expect_adjoint_pair(const AdjointPair& large);

/// J and J' agree entry by entry. For grids of a few cells: the dot product says that something is
/// wrong, this says which entry.
void expect_equal_jacobians(const AdjointPair& tiny);

} // namespace contraflow::test
