#include "src/design/surface_modes.hpp"

#include <fmt/format.h>

#include <utility>

namespace contraflow {
namespace {

Jet cubic_b_spline(double v) {
  if (v < 0 || v >= 4) return {};
  const double w = v - std::floor(v);
  if (v < 1) return {w * w * w / 6, w * w / 2, w, 1};
  if (v < 2) {
    return {(1 + 3 * w * (1 + w * (1 - w))) / 6, (1 + w * (2 - 3 * w)) / 2, 1 - 3 * w, -3};
  }
  if (v < 3) return {(4 + w * w * (3 * w - 6)) / 6, w * (1.5 * w - 2), 3 * w - 2, 3};
  const double r = 1 - w;
  return {r * r * r / 6, -r * r / 2, r, -1};
}

} // namespace

SurfaceModes::SurfaceModes(std::vector<double> coefficients, double leading_edge)
    : coefficients_(std::move(coefficients)), modes_(coefficients_.size() / 2),
      leading_edge_(leading_edge) {}

std::vector<std::string> SurfaceModes::names() const {
  std::vector<std::string> names;
  for (const char* surface : {"upper", "lower"}) {
    for (std::size_t k = 1; k <= modes_; ++k) names.push_back(fmt::format("{} {}", surface, k));
  }
  return names;
}

std::vector<double> SurfaceModes::breaks() const {
  if (modes_ == 0) return {0, 1};
  const std::size_t intervals = modes_ + 3;
  const auto count = static_cast<double>(intervals);
  std::vector<double> s;
  for (std::size_t i = 0; i <= intervals; ++i) {
    s.push_back(leading_edge_ * static_cast<double>(i) / count);
  }
  for (std::size_t i = 1; i <= intervals; ++i) {
    s.push_back(leading_edge_ + (1 - leading_edge_) * static_cast<double>(i) / count);
  }
  return s;
}

Jet SurfaceModes::mode(std::size_t k, double s, bool upper) const {
  const auto count = static_cast<double>(modes_ + 3);
  const double slope = upper ? -count / leading_edge_ : count / (1 - leading_edge_);
  Jet jet = cubic_b_spline((s - leading_edge_) * slope - static_cast<double>(k));
  for (double factor = slope; double& derivative : std::span(jet).subspan(1)) {
    derivative *= factor;
    factor *= slope;
  }
  return jet;
}

Cubic SurfaceModes::polynomial(double s0, double s1) const {
  Cubic sum{.origin = (s0 + s1) / 2, .jet = {}};
  const bool upper = sum.origin < leading_edge_;
  for (std::size_t k = 0; k < modes_; ++k) {
    const Jet jet = mode(k, sum.origin, upper);
    const double coefficient = coefficients_[upper ? k : modes_ + k];
    for (std::size_t i = 0; i < jet.size(); ++i) sum.jet[i] += coefficient * jet[i];
  }
  return sum;
}

void SurfaceModes::basis(double s, std::span<double> values) const {
  const bool upper = s < leading_edge_;
  for (std::size_t k = 0; k < modes_; ++k) {
    const double value = mode(k, s, upper)[0];
    values[k] = upper ? value : 0;
    values[modes_ + k] = upper ? 0 : value;
  }
}

} // namespace contraflow
