#include "contraflow/error.hpp"
#include "src/io/encode.hpp"
#include "src/io/plot.hpp"
#include "src/io/png.hpp"
#include "src/io/svg_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace contraflow {

namespace {

using Colour = std::array<double, 3>;

constexpr double margin_left = 76, margin_top = 12, margin_bottom = 44, bar_room = 90;

/// Blue, white, red over [-1, 1]; grey for NaN.
std::array<std::uint8_t, 3> colour_of(double value) {
  static constexpr Colour blue{45, 85, 175}, white{247, 247, 247}, red{180, 30, 40};
  if (std::isnan(value)) return {150, 150, 150};
  const double part = std::min(std::abs(value), 1.);
  const Colour& end = value < 0 ? blue : red;
  std::array<std::uint8_t, 3> out{};
  for (std::size_t c = 0; c < 3; ++c) {
    out[c] = static_cast<std::uint8_t>(std::lround(white[c] + part * (end[c] - white[c])));
  }
  return out;
}

/// Between which two cells a place lies, and how far from the first.
struct Between {
  std::size_t low, high;
  double part;
};

Between locate(const std::vector<double>& faces, double place) {
  const auto centre = [&](std::size_t i) { return (faces[i] + faces[i + 1]) / 2; };
  const std::size_t cells = faces.size() - 1;
  const auto above = std::upper_bound(faces.begin(), faces.end(), place);
  const auto beyond = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(above - faces.begin(), 1, static_cast<std::ptrdiff_t>(cells)));
  const std::size_t cell = beyond - 1;
  const std::size_t low = place < centre(cell) ? (cell == 0 ? 0 : cell - 1) : cell;
  const std::size_t high = std::min(place < centre(cell) ? cell : cell + 1, cells - 1);
  if (low == high) return {low, high, 0};
  return {low, high, (place - centre(low)) / (centre(high) - centre(low))};
}

struct Pixels {
  int width, height;
};

/// As wide as the page; tall windows are limited by their height.
Pixels size_of(const std::array<double, 4>& window) {
  const double wide = window[1] - window[0], tall = window[3] - window[2];
  const double scale = std::min(820 / wide, 620 / tall);
  return {std::max(1, static_cast<int>(std::lround(scale * wide))),
          std::max(1, static_cast<int>(std::lround(scale * tall)))};
}

/// The field over the window, interpolated between cell centres; top row first.
std::vector<std::uint8_t> resampled(const Grid& grid, const ReportPicture& picture, Pixels size) {
  const auto& w = picture.window;
  const auto nx = static_cast<std::size_t>(grid.cells(0));
  std::vector<Between> columns;
  for (int i = 0; i < size.width; ++i) {
    columns.push_back(locate(grid.faces[0], w[0] + (i + 0.5) * (w[1] - w[0]) / size.width));
  }
  std::vector<std::uint8_t> rgb;
  for (int j = 0; j < size.height; ++j) {
    const Between y = locate(grid.faces[1], w[3] - (j + 0.5) * (w[3] - w[2]) / size.height);
    const float* low = picture.cells.data() + y.low * nx;
    const float* high = picture.cells.data() + y.high * nx;
    for (const Between& x : columns) {
      const double below = (1 - x.part) * double{low[x.low]} + x.part * double{low[x.high]};
      const double above = (1 - x.part) * double{high[x.low]} + x.part * double{high[x.high]};
      const auto colour = colour_of(((1 - y.part) * below + y.part * above) / picture.range);
      rgb.insert(rgb.end(), colour.begin(), colour.end());
    }
  }
  return rgb;
}

std::string image(double x, double y, double width, double height, const std::string& png) {
  return fmt::format("<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                     "preserveAspectRatio=\"none\" href=\"data:image/png;base64,{}\"/>\n",
                     x, y, width, height, base64(png));
}

std::string outline_path(const ReportPicture& picture, const PlotAxis& x, const PlotAxis& y) {
  std::string path;
  bool pen_down = false;
  for (const auto& point : picture.outline) {
    if (!std::isfinite(point[0]) || !std::isfinite(point[1])) {
      if (pen_down) path += "Z";
      pen_down = false;
      continue;
    }
    path +=
        fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", x.pixel(point[0]), y.pixel(point[1]));
    pen_down = true;
  }
  return pen_down ? path + "Z" : path;
}

std::string colour_bar(double left, double top, double height, double range) {
  static constexpr int columns = 14, rows = 128;
  std::vector<std::uint8_t> rgb;
  for (int j = 0; j < rows; ++j) {
    const auto colour = colour_of(1 - 2 * (j + 0.5) / rows);
    for (int i = 0; i < columns; ++i) rgb.insert(rgb.end(), colour.begin(), colour.end());
  }
  std::string out = image(left, top, columns, height, encode_png(columns, rows, rgb));
  for (const double part : {1., 0., -1.}) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{:.3g}</text>\n", left + 19,
                       top + (1 - part) / 2 * height + 4, part * range);
  }
  return out;
}

} // namespace

std::string svg_picture(const Grid& grid, const ReportPicture& picture) {
  const auto cells =
      static_cast<std::size_t>(grid.cells(0)) * static_cast<std::size_t>(grid.cells(1));
  if (picture.cells.size() != cells) {
    throw Error(fmt::format("picture {}: {} values, the grid has {} cells", picture.title,
                            picture.cells.size(), cells));
  }
  const auto& w = picture.window;
  if (!(w[1] > w[0]) || !(w[3] > w[2]) || !(picture.range > 0)) {
    throw Error(fmt::format("picture {}: an empty window or range", picture.title));
  }
  const Pixels size = size_of(w);
  const double right = margin_left + size.width, bottom = margin_top + size.height;
  const PlotAxis x{.from = w[0], .to = w[1], .first_pixel = margin_left, .last_pixel = right};
  const PlotAxis y{.from = w[2], .to = w[3], .first_pixel = bottom, .last_pixel = margin_top};
  std::string out = fmt::format("<svg viewBox=\"0 0 {0} {1}\" style=\"max-width:{0}px\" "
                                "role=\"img\" aria-label=\"{2}\">\n",
                                right + bar_room, bottom + margin_bottom, escaped(picture.title));
  out += image(margin_left, margin_top, size.width, size.height,
               encode_png(size.width, size.height, resampled(grid, picture, size)));
  // A nested svg cuts the outline off at the window.
  out += fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" "
                     "viewBox=\"{0} {1} {2} {3}\"><path class=\"body\" d=\"{4}\"/></svg>\n",
                     margin_left, margin_top, size.width, size.height, outline_path(picture, x, y));
  out += svg_axes(x, y, "x", "y", false);
  return out + colour_bar(right + 12, margin_top, size.height, picture.range) + "</svg>\n";
}

} // namespace contraflow
