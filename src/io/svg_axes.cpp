#include "src/io/svg_axes.hpp"

#include "src/io/encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace contraflow {

namespace {

/// The step of 1, 2 or 5 times a power of ten that gives about `wanted` ticks.
double round_step(double range, int wanted) {
  const double raw = range / std::max(wanted, 1);
  const double power = std::pow(10., std::floor(std::log10(raw)));
  for (const double factor : {1., 2., 5.}) {
    if (raw <= factor * power * 1.0001) return factor * power;
  }
  return 10 * power;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

std::string line_between(double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" "
                     "y2=\"{:.1f}\"/>\n",
                     x1, y1, x2, y2);
}

int ticks_for(double pixels, double each) {
  return std::max(2, static_cast<int>(std::abs(pixels) / each));
}

} // namespace

double PlotAxis::pixel(double value) const {
  const double v = logarithmic ? std::log10(value) : value;
  return first_pixel + (v - from) / (to - from) * (last_pixel - first_pixel);
}

std::vector<double> PlotAxis::ticks(int wanted) const {
  double step = round_step(to - from, wanted);
  if (logarithmic) step = std::max(1., std::ceil(step));
  std::vector<double> values;
  for (double n = std::ceil(from / step - 1e-9); n * step <= to + 1e-9 * step; ++n) {
    const double value = n == 0 ? 0 : n * step;
    values.push_back(logarithmic ? std::pow(10., value) : value);
  }
  return values;
}

std::string PlotAxis::tick_text(double tick, int wanted) const {
  if (logarithmic) return fmt::format("{:.3g}", tick);
  const double largest = std::max(std::abs(from), std::abs(to));
  if (largest >= 1e5 || largest < 1e-3) return fmt::format("{:.4g}", tick);
  const double digits = -std::floor(std::log10(round_step(to - from, wanted)) + 1e-9);
  return fmt::format("{:.{}f}", tick, static_cast<int>(std::clamp(digits, 0., 12.)));
}

std::string svg_axes(const PlotAxis& x, const PlotAxis& y, const std::string& x_label,
                     const std::string& y_label, bool grid_lines) {
  const double left = x.first_pixel, right = x.last_pixel, bottom = y.first_pixel,
               top = y.last_pixel;
  const int x_wanted = ticks_for(right - left, 90), y_wanted = ticks_for(bottom - top, 45);
  std::string out;
  for (const double tick : x.ticks(x_wanted)) {
    if (grid_lines) out += line_between(x.pixel(tick), top, x.pixel(tick), bottom);
    out += text_at(x.pixel(tick), bottom + 16, "middle", x.tick_text(tick, x_wanted));
  }
  for (const double tick : y.ticks(y_wanted)) {
    if (grid_lines) out += line_between(left, y.pixel(tick), right, y.pixel(tick));
    out += text_at(left - 6, y.pixel(tick) + 4, "end", y.tick_text(tick, y_wanted));
  }
  out += fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                     "height=\"{:.1f}\"/>\n",
                     left, top, right - left, bottom - top);
  out += text_at((left + right) / 2, bottom + 34, "middle", x_label);
  const double middle = (top + bottom) / 2;
  out += fmt::format("<text x=\"14\" y=\"{0:.1f}\" text-anchor=\"middle\" "
                     "transform=\"rotate(-90 14 {0:.1f})\">{1}</text>\n",
                     middle, escaped(y_label));
  return out;
}

} // namespace contraflow
