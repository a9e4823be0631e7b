#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace contraflow {

using Vec2 = std::array<double, 2>;

inline Vec2 operator+(const Vec2& a, const Vec2& b) { return {a[0] + b[0], a[1] + b[1]}; }
inline Vec2 operator-(const Vec2& a, const Vec2& b) { return {a[0] - b[0], a[1] - b[1]}; }
inline Vec2 operator*(double f, const Vec2& a) { return {f * a[0], f * a[1]}; }
inline double dot(const Vec2& a, const Vec2& b) { return a[0] * b[0] + a[1] * b[1]; }
inline double cross(const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; }
inline double norm(const Vec2& a) { return std::sqrt(dot(a, a)); }

/// A point of a curve and its derivatives with respect to the curve parameter.
struct CurvePoint {
  Vec2 x{}, d1{}, d2{}; ///< X, X', X''
};

/// A closed curve X(s; a), 0 <= s <= 1, X(0) = X(1), counter-clockwise, in its own frame (airfoils:
/// leading edge at x = 0, trailing edge at (1, 0)). It is made of analytic pieces, joined with a
/// continuous tangent everywhere but at the corner that it may have at s = 0.
class Curve {
public:
  virtual ~Curve() = default;

  /// Ends of the pieces, ascending, from 0 to 1: piece i lies on [breaks()[i], breaks()[i + 1]].
  const std::vector<double>& breaks() const { return breaks_; }

  /// The point s of a piece. At a break the pieces on both sides may differ in X' (not in its
  /// direction) and X''.
  virtual CurvePoint at(double s, std::size_t piece) const = 0;

  /// dX/da at fixed s, [names().size()].
  virtual void derivative(double s, std::size_t piece, std::span<Vec2> dx_da) const = 0;

  virtual bool has_corner() const = 0;                ///< X' turns at s = 0 (trailing edge)
  virtual std::vector<double> values() const = 0;     ///< a
  virtual std::vector<std::string> names() const = 0; ///< of a

  /// Parameter s of a fraction 0 <= t <= 1 of an outline, denser where the curve bends.
  virtual double spread(double t) const { return t; }

  /// The piece that holds s; the first of two at a break.
  std::size_t piece_of(double s) const;

protected:
  std::vector<double> breaks_{0, 1};
};

/// Union of two ascending lists from 0 to 1, without entries nearer than 1e-12 to another.
std::vector<double> merge_breaks(const std::vector<double>& a, const std::vector<double>& b);

/// Value and three derivatives of a function of one variable.
using Jet = std::array<double, 4>;

/// A cubic polynomial around `origin`, as value and derivatives there.
struct Cubic {
  double origin = 0;
  Jet jet{};
  Jet at(double s) const;
};

} // namespace contraflow
