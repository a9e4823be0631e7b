#pragma once

#include <string>
#include <vector>

namespace contraflow {

/// Maps values to a range of pixels, and knows where the tick marks go.
struct PlotAxis {
  double from = 0, to = 1; ///< values; of their logarithm to base 10 if `logarithmic`
  double first_pixel = 0, last_pixel = 1;
  bool logarithmic = false;

  double pixel(double value) const;

  /// Round values inside the range, about `wanted` of them.
  std::vector<double> ticks(int wanted) const;

  /// A tick's value as text, with as many digits as the step between ticks needs.
  std::string tick_text(double tick, int wanted) const;
};

/// The frame of a plot with its tick marks, grid lines and axis names.
std::string svg_axes(const PlotAxis& x, const PlotAxis& y, const std::string& x_label,
                     const std::string& y_label, bool grid_lines);

} // namespace contraflow
