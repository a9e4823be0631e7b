#pragma once

#include "src/pressure/basis.hpp"

#include <array>
#include <vector>

namespace contraflow {

/// How far `phi` is from solving lap phi = b - mean(b), in double on the host:
///
///   max |lap phi - b + mean(b)| / (norm of lap max |phi| + max |b|)
///
/// A few roundings for a solver that works, whatever the grid. Cells [nz][ny][nx].
template <class T> double backward_error(const std::array<AxisOperator, 3>& axes,
                                         const std::vector<T>& phi, const std::vector<T>& b);

/// Deterministic values in [-1, 1), the right-hand side of the test solve.
template <class T> std::vector<T> noise(std::size_t size);

/// max |product - I| of a square matrix [n][n].
template <class T> double distance_from_identity(const std::vector<T>& product, int n);

} // namespace contraflow
