// The measures of a curve that are taken once per shape: box, area, length, crossings.

#include "src/design/curve_search.hpp"

#include <algorithm>

namespace contraflow {
namespace {

constexpr std::array<double, 4> gauss_x{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                        0.9602898564975363};
constexpr std::array<double, 4> gauss_w{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                        0.1012285362903763};

/// Where the segments ab and cd cross, if they do.
std::optional<Vec2> crossing_of(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const double c_side = cross(b - a, c - a), d_side = cross(b - a, d - a);
  const double a_side = cross(d - c, a - c), b_side = cross(d - c, b - c);
  if (c_side * d_side > 0 || a_side * b_side > 0 || c_side == d_side) return {};
  return c + c_side / (c_side - d_side) * (d - c);
}

/// Where X' is across a direction, if its component changes sign between s0 and s1; else one of
/// them.
double turning_point(const Curve& curve, std::size_t piece, double s0, double s1,
                     const Vec2& direction) {
  const double start = dot(direction, curve.at(s0, piece).d1);
  if (start * dot(direction, curve.at(s1, piece).d1) >= 0) return s0;
  for (int i = 0; i < 50; ++i) {
    const double middle = (s0 + s1) / 2;
    (start * dot(direction, curve.at(middle, piece).d1) > 0 ? s0 : s1) = middle;
  }
  return s0;
}

} // namespace

std::array<Vec2, 2> CurveSearch::bounds(const std::array<Vec2, 2>& frame) const {
  std::array<Vec2, 2> box{Vec2{1e300, 1e300}, Vec2{-1e300, -1e300}};
  for (const Leaf& leaf : leaves_) {
    for (std::size_t a = 0; a < 2; ++a) {
      const double turn = turning_point(curve_, leaf.piece, leaf.s0, leaf.s1, frame[a]);
      for (const Vec2& x : {leaf.start.x, curve_.at(turn, leaf.piece).x}) {
        box[0][a] = std::min(box[0][a], dot(frame[a], x));
        box[1][a] = std::max(box[1][a], dot(frame[a], x));
      }
    }
  }
  return box;
}

double CurveSearch::area(std::span<double> d_area) const {
  double sum = 0;
  std::vector<Vec2> dx_da(d_area.size());
  for (const Leaf& leaf : leaves_) {
    const double middle = (leaf.s0 + leaf.s1) / 2, half = (leaf.s1 - leaf.s0) / 2;
    for (std::size_t i = 0; i < 2 * gauss_x.size(); ++i) {
      const double side = i % 2 == 0 ? 1 : -1, weight = half * gauss_w[i / 2];
      const double s = middle + side * half * gauss_x[i / 2];
      const CurvePoint p = curve_.at(s, leaf.piece);
      sum += weight / 2 * cross(p.x, p.d1);
      if (d_area.empty()) continue;
      curve_.derivative(s, leaf.piece, dx_da);
      for (std::size_t k = 0; k < d_area.size(); ++k) d_area[k] += weight * cross(dx_da[k], p.d1);
    }
  }
  return sum;
}

double CurveSearch::length() const {
  double sum = 0;
  for (const Leaf& leaf : leaves_) sum += norm(leaf.end.x - leaf.start.x);
  return sum;
}

std::optional<Vec2> CurveSearch::crossing() const {
  const std::size_t count = leaves_.size();
  const Vec2 &arriving = leaves_.back().end.d1, &leaving = leaves_.front().start.d1;
  const bool inside_out = cross(arriving, leaving) < -1e-6 * norm(arriving) * norm(leaving);
  if (curve_.has_corner() && inside_out) return leaves_.front().start.x;
  for (std::size_t i = 0; i + 2 < count; ++i) {
    const Vec2 &a = leaves_[i].start.x, &b = leaves_[i].end.x;
    const Vec2 low{std::min(a[0], b[0]), std::min(a[1], b[1])};
    const Vec2 high{std::max(a[0], b[0]), std::max(a[1], b[1])};
    for (std::size_t j = i + 2; j < (i == 0 ? count - 1 : count); ++j) {
      const Vec2 &c = leaves_[j].start.x, &d = leaves_[j].end.x;
      const bool apart = std::max(c[0], d[0]) < low[0] || std::min(c[0], d[0]) > high[0] ||
                         std::max(c[1], d[1]) < low[1] || std::min(c[1], d[1]) > high[1];
      if (apart) continue;
      if (const auto x = crossing_of(a, b, c, d)) return x;
    }
  }
  return {};
}

} // namespace contraflow
