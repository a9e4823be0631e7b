// Writes the series that check_fields.py reads, into the folder FOLDER: for 2D and 3D, uniform and
// stretched grids, a folder uniform_2d/ ... with fields named flow and an outline body.vtp.

#include "contraflow/error.hpp"
#include "src/io/fields.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>

namespace {

using contraflow::Grid;
using contraflow::NamedField;

constexpr double times[] = {0, 0.5, 1.25};

/// As check_fields.py expects it: axis a begins at a + 1, its first cell has the width 2^-(a+1).
Grid make_grid(int dimension, bool stretched) {
  const int cells[3] = {12, 10, dimension == 3 ? 8 : 1};
  Grid grid;
  grid.dimension = dimension;
  grid.spacing = 0.5;
  for (std::size_t a = 0; a < 3; ++a) {
    const bool flat = dimension == 2 && a == 2;
    const double width = flat ? 1 : std::ldexp(1., -static_cast<int>(a) - 1);
    double at = static_cast<double>(a) + 1;
    for (int i = 0; i <= cells[a]; ++i) {
      grid.faces[a].push_back(at);
      at += stretched && !flat ? width * std::pow(1.1, i) : width;
    }
  }
  return grid;
}

/// p (float), u (double, three components) in cells, sdf (float) on points: i + 100 j + 10000 k + t
/// of the place, in u also its negative and its double. Cell (1,0,0) of p is NaN.
std::vector<NamedField> make_fields(const Grid& grid, double t) {
  NamedField p{.name = "p"}, u{.name = "u", .components = 3};
  NamedField sdf{.name = "sdf", .components = 1, .on_points = true};
  const int nx = grid.cells(0), ny = grid.cells(1), nz = grid.cells(2);
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) {
        const double value = i + 100. * j + 10000. * k + t;
        sdf.single.push_back(static_cast<float>(value));
        if (i == nx || j == ny || k == nz) continue;
        p.single.push_back(static_cast<float>(value));
        u.full.insert(u.full.end(), {value / 3, -value, 2 * value});
      }
    }
  }
  p.single[1] = std::numeric_limits<float>::quiet_NaN();
  return {p, u, sdf};
}

void write_series(const std::string& folder, int dimension, bool stretched) {
  const Grid grid = make_grid(dimension, stretched);
  const int compression = dimension == 3 ? 1 : 0;
  contraflow::FieldSeries series(folder, "flow", grid, "write_series", compression);
  long step = 0;
  for (const double t : times) series.write(step += 10, t, make_fields(grid, t));
}

/// 40 points of a circle, with their number in `index`; that of point 7 is NaN.
void write_circle(const std::string& file) {
  std::vector<std::array<double, 3>> points;
  NamedField index{.name = "index"};
  for (int i = 0; i < 40; ++i) {
    const double angle = 2 * std::numbers::pi * i / 40;
    points.push_back({std::cos(angle), std::sin(angle), 0});
    index.full.push_back(i == 7 ? std::nan("") : i);
  }
  contraflow::write_surface(file, points, {index});
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_series FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1];
  try {
    for (const bool stretched : {false, true}) {
      for (const int dimension : {2, 3}) {
        const std::string kind = stretched ? "stretched" : "uniform";
        write_series(folder + "/" + kind + "_" + std::to_string(dimension) + "d", dimension,
                     stretched);
      }
    }
    write_circle(folder + "/body.vtp");
  } catch (const contraflow::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
