#include "src/solver/grid.hpp"

#include "contraflow/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace contraflow {

namespace {

/// Width of the cells at a distance from the fine part.
double width_at(double distance, double h, double growth) {
  if (growth <= 0 || distance <= 0) return h;
  const double onset = 0.5 / growth;
  const double rise = distance < onset ? distance * distance / (2 * onset) : distance - onset / 2;
  return h * (1 + growth * rise);
}

/// Distances of the faces from the fine part, `cells` of them: dx/dxi = width, by Runge-Kutta.
std::vector<double> march(int cells, double h, double growth) {
  std::vector<double> x{0};
  for (int n = 0; n < cells; ++n) {
    const double at = x.back();
    const double k1 = width_at(at, h, growth), k2 = width_at(at + k1 / 2, h, growth);
    const double k3 = width_at(at + k2 / 2, h, growth), k4 = width_at(at + k3, h, growth);
    x.push_back(at + (k1 + 2 * k2 + 2 * k3 + k4) / 6);
  }
  return x;
}

int cells_to_reach(double length, double h, double growth) {
  constexpr int most = 1 << 20;
  double at = 0;
  int cells = 0;
  while (at < length - 0.5 * width_at(at, h, growth) && cells < most) {
    at += width_at(at + 0.5 * width_at(at, h, growth), h, growth);
    ++cells;
  }
  return std::max(cells, 1);
}

/// Distances of the faces that fill `length` exactly.
std::vector<double> stretched(double length, double h, double growth, const std::string& where) {
  if (length < 1e-9 * h) return {0};
  if (growth <= 0) {
    const int cells = static_cast<int>(std::lround(length / h));
    if (cells < 1 || std::abs(cells * h - length) > 1e-6 * h) {
      throw CaseError{where + ": without growth its length " + std::to_string(length) +
                      " must be a multiple of the spacing " + std::to_string(h)};
    }
    return march(cells, length / cells, 0);
  }
  const int cells = cells_to_reach(length, h, growth);
  double low = 0, high = 4 * growth + 4 / length;
  for (int n = 0; n < 200; ++n) {
    const double middle = 0.5 * (low + high);
    (march(cells, h, middle).back() < length ? low : high) = middle;
  }
  std::vector<double> x = march(cells, h, 0.5 * (low + high));
  const double correction = length / x.back();
  for (double& face : x) face *= correction;
  return x;
}

std::vector<double> axis_faces(const AxisSpec& axis, double h, const std::string& name) {
  if (axis.cells > 0) {
    std::vector<double> faces;
    for (int n = 0; n <= axis.cells; ++n) {
      faces.push_back(axis.low + (axis.high - axis.low) * n / axis.cells);
    }
    return faces;
  }
  const int fine = static_cast<int>(std::ceil((axis.fine_high - axis.fine_low) / h - 1e-9));
  if (axis.fine_low + fine * h > axis.high + 1e-6 * h) {
    throw CaseError{"grid." + name + ": its fine part, widened to " + std::to_string(fine) +
                    " cells of " + std::to_string(h) + ", reaches past the end of the domain"};
  }
  const double fine_high = std::min(axis.fine_low + fine * h, axis.high);
  const auto below =
      stretched(axis.fine_low - axis.low, h, axis.growth_low, "grid." + name + " below");
  const auto above =
      stretched(axis.high - fine_high, h, axis.growth_high, "grid." + name + " above");
  std::vector<double> faces;
  for (auto distance = below.rbegin(); distance != below.rend(); ++distance) {
    faces.push_back(axis.fine_low - *distance);
  }
  for (int n = 1; n <= fine; ++n)
    faces.push_back(axis.fine_low + (fine_high - axis.fine_low) * n / fine);
  for (std::size_t n = 1; n < above.size(); ++n) faces.push_back(fine_high + above[n]);
  faces.front() = axis.low;
  faces.back() = axis.high;
  return faces;
}

} // namespace

Grid make_grid(const GridSpec& spec) {
  Grid grid;
  grid.dimension = spec.dimension;
  grid.spacing = spec.spacing;
  for (int a = 0; a < spec.dimension; ++a) {
    const auto index = static_cast<std::size_t>(a);
    grid.faces[index] = axis_faces(spec.axis[index], spec.spacing, std::string(1, "xyz"[a]));
  }
  if (spec.dimension == 2) grid.faces[2] = {0, 1};
  if (grid.spacing <= 0) {
    grid.spacing = grid.faces[0][1] - grid.faces[0][0];
    for (int a = 0; a < spec.dimension; ++a) {
      const auto& faces = grid.faces[static_cast<std::size_t>(a)];
      for (std::size_t n = 1; n < faces.size(); ++n) {
        grid.spacing = std::min(grid.spacing, faces[n] - faces[n - 1]);
      }
    }
  }
  return grid;
}

} // namespace contraflow
