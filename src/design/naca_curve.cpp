#include "src/design/naca_curve.hpp"

#include <utility>

namespace contraflow {
namespace {

/// Half thickness over thickness with its sign (negative below), and two derivatives in sigma.
std::array<double, 3> half_thickness(double sigma, bool upper) {
  constexpr double root = 0.2969 * 5;
  constexpr std::array<double, 4> a{-0.1260 * 5, -0.3516 * 5, 0.2843 * 5, -0.1036 * 5};
  const double x = sigma * sigma;
  const double side = upper ? 1 : -1;
  const double w = x * (a[0] + x * (a[1] + x * (a[2] + x * a[3])));
  const double w1 = sigma * (2 * a[0] + x * (4 * a[1] + x * (6 * a[2] + x * 8 * a[3])));
  const double w2 = 2 * a[0] + x * (12 * a[1] + x * (30 * a[2] + x * 56 * a[3]));
  return {root * sigma + side * w, root + side * w1, side * w2};
}

/// Camber line y = m (offset + 2 p x - x^2)/q^2: per unit of camber, its height, slope and
/// curvature.
struct CamberLine {
  double height, slope, curvature;
};

CamberLine camber_line(double x, double p, bool front) {
  const double q = front ? p : 1 - p;
  const double offset = front ? 0 : 1 - 2 * p;
  return {(offset + x * (2 * p - x)) / (q * q), 2 * (p - x) / (q * q), -2 / (q * q)};
}

} // namespace

NacaCurve::NacaCurve(double camber, double position, double thickness,
                     std::vector<double> displacement)
    : camber_(camber), position_(position), thickness_(thickness),
      modes_(std::move(displacement), 0.5) {
  const double sigma = std::sqrt(position);
  breaks_ = merge_breaks({0, (1 - sigma) / 2, 0.5, (1 + sigma) / 2, 1}, modes_.breaks());
  for (std::size_t i = 0; i + 1 < breaks_.size(); ++i) {
    const double middle = (breaks_[i] + breaks_[i + 1]) / 2;
    pieces_.push_back({.front = std::abs(1 - 2 * middle) < sigma,
                       .upper = middle < 0.5,
                       .displacement = modes_.polynomial(breaks_[i], breaks_[i + 1])});
  }
}

CurvePoint NacaCurve::at(double s, std::size_t piece) const {
  const Piece& part = pieces_[piece];
  const double sigma = 1 - 2 * s, x = sigma * sigma;
  const auto [w, w1, w2] = half_thickness(sigma, part.upper);
  const auto [height, unit_slope, unit_curvature] = camber_line(x, position_, part.front);
  const double slope = camber_ * unit_slope, curvature = camber_ * unit_curvature;
  const double square = 1 + slope * slope, cosine = 1 / std::sqrt(square);
  const Vec2 tangent{cosine, slope * cosine}, normal{-slope * cosine, cosine};
  const double turn = curvature / square; // d angle/dx
  const double turn1 = 2 * sigma * turn;
  const double turn2 = 2 * turn - 8 * x * slope * turn * turn;
  const Vec2 camber1{2 * sigma, 2 * sigma * slope};
  const Vec2 camber2{2, 2 * slope + 4 * x * curvature};
  const double t = thickness_;
  const Jet bump = part.displacement.at(s);
  const Vec2 d1 = camber1 + t * (w1 * normal - w * turn1 * tangent);
  const Vec2 d2 =
      camber2 + t * ((w2 - w * turn1 * turn1) * normal - (2 * w1 * turn1 + w * turn2) * tangent);
  return {Vec2{x, camber_ * height + bump[0]} + t * w * normal, -2 * d1 + Vec2{0, bump[1]},
          4 * d2 + Vec2{0, bump[2]}};
}

void NacaCurve::derivative(double s, std::size_t piece, std::span<Vec2> dx_da) const {
  const Piece& part = pieces_[piece];
  const double sigma = 1 - 2 * s, x = sigma * sigma, p = position_;
  const double w = half_thickness(sigma, part.upper)[0];
  const CamberLine line = camber_line(x, p, part.front);
  const double slope = camber_ * line.slope;
  const double square = 1 + slope * slope, cosine = 1 / std::sqrt(square);
  const Vec2 turned = -thickness_ * w / square * Vec2{cosine, slope * cosine}; // dX/dslope
  const double q = part.front ? p : 1 - p;
  const double cube = q * q * q;
  const double height_p = 2 * camber_ * (x - p) * (part.front ? x : 1 - x) / cube;
  const double slope_p = 2 * camber_ * (part.front ? 2 * x - p : 1 + p - 2 * x) / cube;
  dx_da[0] = Vec2{0, line.height} + line.slope * turned;
  dx_da[1] = Vec2{0, height_p} + slope_p * turned;
  dx_da[2] = w * Vec2{-slope * cosine, cosine};
  std::vector<double> basis(modes_.coefficients().size());
  modes_.basis(s, basis);
  for (std::size_t k = 0; k < basis.size(); ++k) dx_da[3 + k] = {0, basis[k]};
}

std::vector<double> NacaCurve::values() const {
  std::vector<double> all{camber_, position_, thickness_};
  all.insert(all.end(), modes_.coefficients().begin(), modes_.coefficients().end());
  return all;
}

std::vector<std::string> NacaCurve::names() const {
  std::vector<std::string> all{"camber", "camber position", "thickness"};
  const auto more = modes_.names();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

} // namespace contraflow
