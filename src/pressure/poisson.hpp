#pragma once

#include "contraflow/exec.hpp"
#include "contraflow/grid.hpp"

#include <array>
#include <memory>

namespace contraflow {

/// Direct solver of lap phi = b on a tensor grid, cell-centred, two-point Laplacian, homogeneous
/// Neumann ends or periodic per axis (Lynch, Rice & Thomas 1964: fast diagonalisation):
///
///   phi = S b,   S = Q L+ Q' V,   Q' V Q = I,   V the cell volumes,
///
/// per axis a basis Q that diagonalises the 1D operator, applied by GEMM; along one Neumann axis a
/// tridiagonal solve where that is cheaper. The null mode is removed: the volume-weighted mean of b
/// is ignored and that of phi is zero. V S is symmetric, so the solver is its own adjoint:
/// b_bar = V S V^-1 phi_bar. Same bits on any number of threads. Throws SolveError at construction
/// if |Q'VQ - I| or the residual of a test solve is not at rounding (a BLAS that is broken on this
/// processor, say).
template <class T> class PoissonSolver {
public:
  PoissonSolver(const Grid& grid, const std::array<bool, 3>& periodic, const Exec& exec);
  PoissonSolver(PoissonSolver&&) noexcept;
  PoissonSolver& operator=(PoissonSolver&&) noexcept;
  ~PoissonSolver();

  /// In place: b becomes phi. Compact cells [nz][ny][nx], x fastest, in the memory of exec.
  /// Allocates nothing and does not synchronise.
  void solve(T* b);

private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class PoissonSolver<float>;
extern template class PoissonSolver<double>;

} // namespace contraflow
