#pragma once

#include "contraflow/grid.hpp"

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace contraflow::test {

/// Faces of n cells from x = start: widths 1.5 / n, or widths that vary smoothly by a factor of
/// three and are not symmetric.
inline std::vector<double> faces_of_line(int n, double start, bool stretched) {
  std::vector<double> faces{start};
  for (int i = 0; i < n; ++i) {
    const double phase = 2.5 * (i + 0.5) / n + 0.3;
    faces.push_back(faces.back() + 1.5 / n * (stretched ? 1 - 0.5 * std::sin(2 * phase) : 1));
  }
  return faces;
}

/// One combination of axes, a letter for each, two letters for 2D: 'u' uniform and 's' stretched
/// between Neumann ends, 'p' uniform and 'q' stretched periodic.
struct PoissonCase {
  std::string kinds;
  std::array<int, 3> cells = {1, 1, 1};

  Grid grid() const {
    Grid grid;
    grid.dimension = static_cast<int>(kinds.size());
    grid.faces[2] = {0.0, 1.0};
    for (std::size_t a = 0; a < kinds.size(); ++a) {
      const bool stretched = kinds[a] == 's' || kinds[a] == 'q';
      grid.faces[a] = faces_of_line(cells[a], 0.25 * static_cast<double>(a) - 1, stretched);
    }
    return grid;
  }
  std::array<bool, 3> periodic() const {
    std::array<bool, 3> result{};
    for (std::size_t a = 0; a < kinds.size(); ++a) result[a] = kinds[a] == 'p' || kinds[a] == 'q';
    return result;
  }
  std::size_t size() const {
    return static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
           static_cast<std::size_t>(cells[2]);
  }
};

/// Every combination of kinds in `dimension` axes.
inline std::vector<PoissonCase> all_kinds(int dimension, const std::array<int, 3>& cells) {
  std::vector<PoissonCase> cases{{"", cells}};
  for (int a = 0; a < dimension; ++a) {
    std::vector<PoissonCase> longer;
    for (const PoissonCase& shorter : cases) {
      for (const char kind : {'u', 's', 'p', 'q'}) longer.push_back({shorter.kinds + kind, cells});
    }
    cases = longer;
  }
  return cases;
}

template <class T> std::vector<T> random_cells(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> values(size);
  for (T& value : values) value = static_cast<T>(uniform(generator));
  return values;
}

inline double width(const Grid& grid, int axis, int i) {
  const auto& faces = grid.faces[static_cast<std::size_t>(axis)];
  return faces[static_cast<std::size_t>(i) + 1] - faces[static_cast<std::size_t>(i)];
}

/// Calls visit(index, i, j, k, volume) for every cell.
template <class Visit> void for_each_cell(const Grid& grid, Visit visit) {
  std::size_t index = 0;
  for (int k = 0; k < grid.cells(2); ++k) {
    for (int j = 0; j < grid.cells(1); ++j) {
      for (int i = 0; i < grid.cells(0); ++i) {
        visit(index++, i, j, k, width(grid, 0, i) * width(grid, 1, j) * width(grid, 2, k));
      }
    }
  }
}

/// sum of volume a b
template <class T>
double inner_product(const Grid& grid, const std::vector<T>& a, const std::vector<T>& b) {
  double sum = 0;
  for_each_cell(grid, [&](std::size_t index, int, int, int, double volume) {
    sum += volume * static_cast<double>(a[index]) * static_cast<double>(b[index]);
  });
  return sum;
}

template <class T> double mean(const Grid& grid, const std::vector<T>& a) {
  const std::vector<T> ones(a.size(), T(1));
  return inner_product(grid, a, ones) / inner_product(grid, ones, ones);
}

/// The Laplacian as a sum over faces: each puts the flux between its two cells into one and takes
/// it from the other; then divided by the volumes.
template <class T> std::vector<double>
flux_laplacian(const Grid& grid, const std::array<bool, 3>& periodic, const std::vector<T>& phi) {
  std::vector<double> balance(phi.size(), 0.0), volumes(phi.size());
  std::array<std::size_t, 3> stride{};
  stride[0] = 1;
  stride[1] = static_cast<std::size_t>(grid.cells(0));
  stride[2] = stride[1] * static_cast<std::size_t>(grid.cells(1));
  for_each_cell(grid, [&](std::size_t here, int i, int j, int k, double volume) {
    volumes[here] = volume;
    const std::array<int, 3> cell{i, j, k};
    for (std::size_t a = 0; a < 3; ++a) {
      const int n = grid.cells(static_cast<int>(a));
      const bool last = cell[a] + 1 == n;
      if (last && !periodic[a]) continue;
      const int next = last ? 0 : cell[a] + 1;
      const std::size_t there = here + stride[a] * static_cast<std::size_t>(next) -
                                stride[a] * static_cast<std::size_t>(cell[a]);
      const double here_width = width(grid, static_cast<int>(a), cell[a]);
      const double distance = (here_width + width(grid, static_cast<int>(a), next)) / 2;
      const double area = volume / here_width;
      const double flux =
          area * (static_cast<double>(phi[there]) - static_cast<double>(phi[here])) / distance;
      balance[here] += flux;
      balance[there] -= flux;
    }
  });
  for (std::size_t index = 0; index < balance.size(); ++index) balance[index] /= volumes[index];
  return balance;
}

} // namespace contraflow::test
