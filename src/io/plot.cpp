#include "src/io/plot.hpp"

#include "src/io/encode.hpp"
#include "src/io/svg_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace contraflow {

namespace {

constexpr double width = 760, height = 358, margin_left = 76, margin_right = 16, margin_top = 30,
                 margin_bottom = 44;
constexpr const char* colours[] = {"#1f6fb4", "#c8452c", "#2c8a4b",
                                   "#8a53a8", "#b57a12", "#4a4a4a"};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Never empty, and wider by `part` of its width at both ends.
  void widen(double part) {
    if (!(low <= high)) *this = {.low = 0, .high = 1};
    const double size = std::max(std::abs(low), std::abs(high));
    const bool is_point = high - low <= 1e-9 * size;
    const double more = !is_point ? part * (high - low) : size > 0 ? size / 2 : 1;
    low -= more;
    high += more;
  }
};

bool shown(const ReportPlot& plot, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && (!plot.logarithmic_y || y > 0);
}

void ranges_of(const ReportPlot& plot, Range& x, Range& y) {
  for (const auto& line : plot.lines) {
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
      if (!shown(plot, line.x[i], line.y[i])) continue;
      x.include(line.x[i]);
      y.include(plot.logarithmic_y ? std::log10(line.y[i]) : line.y[i]);
    }
  }
  x.widen(plot.equal_axes ? 0.05 : 0);
  y.widen(0.05);
}

/// Widens the range of the axis that has pixels to spare.
void equalise(PlotAxis& x, PlotAxis& y) {
  const double x_pixels = std::abs(x.last_pixel - x.first_pixel);
  const double y_pixels = std::abs(y.last_pixel - y.first_pixel);
  const double scale = std::max((x.to - x.from) / x_pixels, (y.to - y.from) / y_pixels);
  const auto widen = [scale](PlotAxis& axis, double pixels) {
    const double middle = (axis.from + axis.to) / 2;
    axis.from = middle - scale * pixels / 2;
    axis.to = middle + scale * pixels / 2;
  };
  widen(x, x_pixels);
  widen(y, y_pixels);
}

/// The points of a line that are drawn: all, or, of a long line, the lowest and highest of each
/// group of neighbours. Infinite where the line is interrupted.
std::vector<std::size_t> thinned(const std::vector<double>& y, std::size_t size) {
  static constexpr std::size_t most = 4000;
  const std::size_t group = size <= most ? 1 : (2 * size + most - 1) / most;
  std::vector<std::size_t> kept;
  for (std::size_t start = 0; start < size; start += group) {
    std::size_t low = start, high = start;
    for (std::size_t i = start; i < std::min(start + group, size); ++i) {
      if (y[i] < y[low] || !std::isfinite(y[i])) low = i;
      if (y[i] > y[high]) high = i;
    }
    kept.push_back(std::min(low, high));
    if (low != high) kept.push_back(std::max(low, high));
  }
  return kept;
}

std::string path_of(const ReportPlot& plot, const ReportPlot::Line& line, const PlotAxis& x,
                    const PlotAxis& y) {
  std::string path;
  bool pen_down = false;
  for (const std::size_t i : thinned(line.y, std::min(line.x.size(), line.y.size()))) {
    if (!shown(plot, line.x[i], line.y[i])) {
      pen_down = false;
      continue;
    }
    path += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", x.pixel(line.x[i]),
                        y.pixel(line.y[i]));
    pen_down = true;
  }
  return path;
}

/// The names of the lines, in a row above the plot.
std::string legend(const ReportPlot& plot) {
  std::string out;
  double x = margin_left;
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const std::string& name = plot.lines[i].name;
    if (name.empty()) continue;
    out += fmt::format("<line x1=\"{0:.1f}\" y1=\"14\" x2=\"{1:.1f}\" y2=\"14\" stroke=\"{2}\" "
                       "stroke-width=\"3\"/><text x=\"{3:.1f}\" y=\"18\">{4}</text>\n",
                       x, x + 24, colours[i % std::size(colours)], x + 30, escaped(name));
    x += 52 + 7 * static_cast<double>(name.size());
  }
  return out;
}

} // namespace

std::string svg_plot(const ReportPlot& plot) {
  Range x_range, y_range;
  ranges_of(plot, x_range, y_range);
  PlotAxis x{.from = x_range.low,
             .to = x_range.high,
             .first_pixel = margin_left,
             .last_pixel = width - margin_right};
  PlotAxis y{.from = y_range.low,
             .to = y_range.high,
             .first_pixel = height - margin_bottom,
             .last_pixel = margin_top,
             .logarithmic = plot.logarithmic_y};
  if (plot.equal_axes) equalise(x, y);
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                                width, height, escaped(plot.title));
  out += svg_axes(x, y, plot.x_label, plot.y_label, true);
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    out += fmt::format("<path class=\"line\" stroke=\"{}\" d=\"{}\"/>\n",
                       colours[i % std::size(colours)], path_of(plot, plot.lines[i], x, y));
  }
  return out + legend(plot) + "</svg>\n";
}

} // namespace contraflow
