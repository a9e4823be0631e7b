#pragma once

#include "contraflow/grid.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace contraflow {

/// A line plot of a report.
struct ReportPlot {
  std::string title, x_label, y_label;
  struct Line {
    std::string name;
    std::vector<double> x, y;
  };
  std::vector<Line> lines;
  bool equal_axes = false; ///< shapes
  bool logarithmic_y = false;
};

/// A picture of a scalar field, resampled from the stretched grid: blue-white-red about zero, the
/// body outline on it.
struct ReportPicture {
  std::string title;
  std::array<double, 4> window{}; ///< x from, to, y from, to
  double range = 1;               ///< colours saturate at +-range
  std::vector<float> cells;       ///< [ny][nx] of the grid
  std::vector<std::array<double, 3>> outline;
};

struct Report {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts; ///< a table of name and value
  std::vector<std::string> warnings;
  std::vector<ReportPlot> plots;       ///< drawn as inline SVG
  std::vector<ReportPicture> pictures; ///< embedded PNG
  std::string provenance;              ///< shown at the end, folded
};

/// Writes one self-contained HTML file (no network, no scripts from elsewhere), by rename.
void write_report(const std::filesystem::path& file, const Grid& grid, const Report& report);

} // namespace contraflow
