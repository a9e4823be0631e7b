#pragma once

#include "src/design/curve.hpp"

#include <optional>

namespace contraflow {

/// Finds the point of a curve that is nearest to a query point, to machine precision. The curve is
/// cut into short leaves in a tree of boxes; in every leaf that could hold the nearest point the
/// minima of the distance, (X(s) - x) . X'(s) = 0, are found by safeguarded Newton steps, so that
/// the distance is that of the smooth curve. A corner is a candidate of its own. Keeps a reference
/// to the curve.
class CurveSearch {
public:
  struct Nearest {
    double distance = 0; ///< negative inside
    Vec2 point{}, normal{};
    double s = 0;
    std::size_t piece = 0;
  };

  explicit CurveSearch(const Curve& curve);

  /// Of two points that are equally near (1e-12) that with the smaller s.
  Nearest nearest(const Vec2& x) const;

  /// Low and high corner of the box that holds the curve, turned and scaled: row 0 and 1 of `frame`
  /// are the directions along which X is measured.
  std::array<Vec2, 2> bounds(const std::array<Vec2, 2>& frame) const;

  /// Area inside, by Gauss quadrature; adds its derivative to d_area, [parameters] or
  /// empty.
  double area(std::span<double> d_area) const;

  /// Where the curve crosses itself, if it does (at a corner: has its outside inside).
  std::optional<Vec2> crossing() const;

  double length() const; ///< of the polyline through the ends of the leaves

private:
  struct Leaf {
    double s0, s1;
    std::size_t piece;
    CurvePoint start, end; ///< as seen from this leaf's piece
  };
  struct Box {
    Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  };
  struct Query;

  void search_leaf(std::size_t leaf, Query& query) const;
  void search_start(std::size_t leaf, Query& query) const;
  void search_between(const Leaf& leaf, const CurvePoint& a, const CurvePoint& b, double s0,
                      double s1, int depth, Query& query) const;
  void find_root(const Leaf& leaf, double s0, double s1, double guess, Query& query) const;

  const Curve& curve_;
  std::vector<Leaf> leaves_;
  std::vector<Box> boxes_; ///< binary heap: node k has the children 2k and 2k + 1, leaves come last
  std::size_t first_leaf_ = 1;
};

} // namespace contraflow
