#include "src/design/spline_curve.hpp"

#include <algorithm>
#include <utility>

namespace contraflow {
namespace {

std::vector<double> chord_lengths(const std::vector<Vec2>& points) {
  std::vector<double> s{0};
  for (std::size_t i = 1; i < points.size(); ++i) {
    s.push_back(s.back() + norm(points[i] - points[i - 1]));
  }
  for (double& value : s) value /= s.back();
  s.back() = 1;
  return s;
}

/// Second derivatives of the natural cubic spline at its knots.
std::vector<Vec2> second_derivatives(const std::vector<double>& s, const std::vector<Vec2>& x) {
  const std::size_t last = s.size() - 1;
  std::vector<Vec2> m(last + 1);
  std::vector<double> pivot(last + 1, 1);
  for (std::size_t i = 1; i < last; ++i) {
    const double left = s[i] - s[i - 1], right = s[i + 1] - s[i];
    const double factor = i > 1 ? left / pivot[i - 1] : 0;
    pivot[i] = 2 * (left + right) - factor * left;
    m[i] = 6 / right * (x[i + 1] - x[i]) - 6 / left * (x[i] - x[i - 1]) - factor * m[i - 1];
  }
  for (std::size_t i = last - 1; i > 0; --i) {
    m[i] = 1 / pivot[i] * (m[i] - (s[i + 1] - s[i]) * m[i + 1]);
  }
  return m;
}

/// The natural cubic spline x(s) as one cubic polynomial for each interval, around its start.
std::vector<std::array<Cubic, 2>> spline(const std::vector<double>& s, const std::vector<Vec2>& x) {
  const std::vector<Vec2> m = second_derivatives(s, x);
  std::vector<std::array<Cubic, 2>> cubics(s.size() - 1);
  for (std::size_t k = 0; k < cubics.size(); ++k) {
    const double h = s[k + 1] - s[k];
    for (std::size_t a = 0; a < 2; ++a) {
      const double slope = (x[k + 1][a] - x[k][a]) / h - h / 6 * (2 * m[k][a] + m[k + 1][a]);
      cubics[k][a] = {s[k], {x[k][a], slope, m[k][a], (m[k + 1][a] - m[k][a]) / h}};
    }
  }
  return cubics;
}

/// Moves the foremost point to x = 0 and keeps the trailing edge at (1, 0); returns its s.
double set_nose(std::vector<std::array<Cubic, 2>>& cubics, std::size_t near) {
  if (cubics[near][0].jet[1] >= 0) --near;
  const Cubic x = cubics[near][0];
  double low = x.origin, high = cubics[near + 1][0].origin;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (x.at(middle)[1] < 0 ? low : high) = middle;
  }
  const double nose = x.at(low)[0];
  for (auto& cubic : cubics) {
    cubic[0].jet[0] -= nose;
    for (Cubic& coordinate : cubic) {
      for (double& derivative : coordinate.jet) derivative /= 1 - nose;
    }
  }
  return low;
}

} // namespace

SplineCurve::SplineCurve(const AirfoilPoints& airfoil, std::vector<double> displacement) {
  const std::vector<double> s = chord_lengths(airfoil.points);
  auto cubics = spline(s, airfoil.points);
  leading_edge_ = set_nose(cubics, airfoil.leading_edge);
  modes_ = SurfaceModes(std::move(displacement), leading_edge_);
  breaks_ = merge_breaks(s, modes_.breaks());
  std::size_t k = 0;
  for (std::size_t i = 0; i + 1 < breaks_.size(); ++i) {
    const double middle = (breaks_[i] + breaks_[i + 1]) / 2;
    while (s[k + 1] < middle) ++k;
    const Cubic bump = modes_.polynomial(breaks_[i], breaks_[i + 1]);
    std::array<Cubic, 2> piece{Cubic{middle, cubics[k][0].at(middle)},
                               Cubic{middle, cubics[k][1].at(middle)}};
    for (std::size_t j = 0; j < bump.jet.size(); ++j) piece[1].jet[j] += bump.jet[j];
    pieces_.push_back(piece);
  }
}

CurvePoint SplineCurve::at(double s, std::size_t piece) const {
  const Jet x = pieces_[piece][0].at(s), y = pieces_[piece][1].at(s);
  return {{x[0], y[0]}, {x[1], y[1]}, {x[2], y[2]}};
}

void SplineCurve::derivative(double s, std::size_t /*piece*/, std::span<Vec2> dx_da) const {
  std::vector<double> basis(modes_.coefficients().size());
  modes_.basis(s, basis);
  for (std::size_t k = 0; k < basis.size(); ++k) dx_da[k] = {0, basis[k]};
}

double SplineCurve::spread(double t) const {
  const double v = std::abs(1 - 2 * t);
  const double u = v * (0.3 + 0.7 * v);
  return t < 0.5 ? leading_edge_ * (1 - u) : leading_edge_ + (1 - leading_edge_) * u;
}

} // namespace contraflow
