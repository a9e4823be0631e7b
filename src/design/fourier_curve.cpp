#include "src/design/fourier_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

namespace contraflow {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

Vec2 turned(const Vec2& e, const Vec2& by) {
  return {e[0] * by[0] - e[1] * by[1], e[1] * by[0] + e[0] * by[1]};
}

} // namespace

FourierCurve::FourierCurve(double radius, std::vector<double> cosine, std::vector<double> sine)
    : radius_(radius), cosine_(std::move(cosine)), sine_(std::move(sine)) {
  breaks_ = {0, 0.25, 0.5, 0.75, 1};
}

CurvePoint FourierCurve::at(double s, std::size_t /*piece*/) const {
  const Vec2 e{std::cos(two_pi * s), std::sin(two_pi * s)};
  double r = radius_, r1 = 0, r2 = 0;
  Vec2 wave = e;
  for (std::size_t k = 0; k < std::max(cosine_.size(), sine_.size()); ++k, wave = turned(wave, e)) {
    const double a = k < cosine_.size() ? cosine_[k] : 0;
    const double b = k < sine_.size() ? sine_[k] : 0;
    const auto m = static_cast<double>(k + 1);
    const double term = a * wave[0] + b * wave[1];
    r += term;
    r1 += m * (b * wave[0] - a * wave[1]);
    r2 -= m * m * term;
  }
  const Vec2 across{-e[1], e[0]};
  return {r * e, two_pi * (r1 * e + r * across),
          two_pi * two_pi * ((r2 - r) * e + 2 * r1 * across)};
}

void FourierCurve::derivative(double s, std::size_t /*piece*/, std::span<Vec2> dx_da) const {
  const Vec2 e{std::cos(two_pi * s), std::sin(two_pi * s)};
  dx_da[0] = e;
  Vec2 wave = e;
  for (std::size_t k = 0; k < std::max(cosine_.size(), sine_.size()); ++k, wave = turned(wave, e)) {
    if (k < cosine_.size()) dx_da[1 + k] = wave[0] * e;
    if (k < sine_.size()) dx_da[1 + cosine_.size() + k] = wave[1] * e;
  }
}

std::vector<double> FourierCurve::values() const {
  std::vector<double> all{radius_};
  all.insert(all.end(), cosine_.begin(), cosine_.end());
  all.insert(all.end(), sine_.begin(), sine_.end());
  return all;
}

std::vector<std::string> FourierCurve::names() const {
  std::vector<std::string> all{"radius"};
  for (std::size_t k = 1; k <= cosine_.size(); ++k) all.push_back(fmt::format("cosine {}", k));
  for (std::size_t k = 1; k <= sine_.size(); ++k) all.push_back(fmt::format("sine {}", k));
  return all;
}

double FourierCurve::smallest_radius() const {
  const std::size_t samples = 64 * (1 + std::max(cosine_.size(), sine_.size()));
  double smallest = radius_;
  for (std::size_t i = 0; i < samples; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(samples);
    const Vec2 e{std::cos(two_pi * s), std::sin(two_pi * s)};
    smallest = std::min(smallest, dot(at(s, 0).x, e));
  }
  return smallest;
}

} // namespace contraflow
