#pragma once

#include "kernels/run.hpp"

namespace contraflow {

/// Solves lap phi = b in eigenmodes of all axes: divides by minus the sum of the three eigenvalues.
/// The null mode becomes 0.
template <class T> struct DivideByEigenvalues {
  T* values = nullptr;  ///< in and out, coefficients [mode z][mode y][mode x]
  const T* x = nullptr; ///< in, eigenvalues per mode, not negative, the first 0
  const T* y = nullptr;
  const T* z = nullptr;
  int modes[3] = {0, 0, 0};

  static constexpr const char* name = "divide_by_eigenvalues";

  Box range() const { return {{0, 0, 0}, {modes[0], modes[1], modes[2]}}; }

  CONTRAFLOW_HD void operator()(int i, int j, int k) const {
    const T sum = x[i] + y[j] + z[k];
    const long long at = (static_cast<long long>(k) * modes[1] + j) * modes[0] + i;
    values[at] = sum > T(0) ? -values[at] / sum : T(0);
  }
};

/// Solves lap phi = b along one Neumann axis for every pair of modes of the other two: a
/// tridiagonal system per line, LDL' with stored inverse pivots D. With w the widths, c the
/// couplings, L the sum of the transverse eigenvalues:
///
///   (c[i] + c[i+1] + L w[i]) phi[i] - c[i] phi[i-1] - c[i+1] phi[i+1] = -w[i] b[i]
///
/// Line (0, 0) has L = 0 and is singular: its w-weighted mean is taken from b, the last cell is
/// pinned at 0 by an inverse pivot of 0, and the mean is taken from phi, so that the whole stays
/// the pseudo-inverse that is symmetric in w. `Lanes` neighbouring lines are solved together.
template <class T, int Lanes> struct TridiagonalLines {
  T* values = nullptr;               ///< in and out, [slab][cell][line], slabs * cells * lines
  const T* inverse_pivots = nullptr; ///< in, the same shape
  const T* widths = nullptr;         ///< in, per cell
  const T* couplings = nullptr;      ///< in, cells + 1, 0 at both ends
  int slabs = 0;
  int cells = 0;
  int lines = 0;

  static constexpr const char* name = "tridiagonal_lines";

  Box range() const { return {{0, 0, 0}, {(lines + Lanes - 1) / Lanes, slabs, 1}}; }

  CONTRAFLOW_HD void operator()(int bundle, int slab, int) const {
    const int first = bundle * Lanes;
    const long long start = static_cast<long long>(slab) * cells * lines + first;
    const bool singular = first == 0 && slab == 0;
    if (singular) remove_mean();
    if (lines - first >= Lanes) {
      sweep(values + start, inverse_pivots + start, Lanes);
    } else {
      sweep(values + start, inverse_pivots + start, lines - first);
    }
    if (singular) remove_mean();
  }

private:
  CONTRAFLOW_HD void sweep(T* __restrict__ row, const T* __restrict__ pivots, int count) const {
    T carried[Lanes] = {};
    for (int cell = 0; cell < cells; ++cell) {
      const T coupling = couplings[cell], width = widths[cell];
      for (int lane = 0; lane < count; ++lane) {
        carried[lane] = (coupling * carried[lane] - width * row[lane]) * pivots[lane];
        row[lane] = carried[lane];
      }
      row += lines;
      pivots += lines;
    }
    for (int lane = 0; lane < count; ++lane) carried[lane] = T(0);
    for (int cell = cells - 1; cell >= 0; --cell) {
      row -= lines;
      pivots -= lines;
      const T coupling = couplings[cell + 1];
      for (int lane = 0; lane < count; ++lane) {
        carried[lane] = row[lane] + coupling * pivots[lane] * carried[lane];
        row[lane] = carried[lane];
      }
    }
  }

  CONTRAFLOW_HD void remove_mean() const {
    double sum = 0, length = 0;
    for (long long cell = 0; cell < cells; ++cell) {
      sum += static_cast<double>(widths[cell]) * static_cast<double>(values[cell * lines]);
      length += static_cast<double>(widths[cell]);
    }
    const double mean = sum / length;
    for (long long cell = 0; cell < cells; ++cell) {
      values[cell * lines] = static_cast<T>(static_cast<double>(values[cell * lines]) - mean);
    }
  }
};

} // namespace contraflow
