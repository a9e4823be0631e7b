#include "src/design/curve_search.hpp"

#include <algorithm>
#include <limits>

namespace contraflow {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double leaves_per_curve = 256;

double slope(const CurvePoint& p, const Vec2& x) { return dot(p.x - x, p.d1); }
double curvature(const CurvePoint& p, const Vec2& x) {
  return dot(p.d1, p.d1) + dot(p.x - x, p.d2);
}

double square_distance(const Vec2& low, const Vec2& high, const Vec2& x) {
  const double dx = std::max({low[0] - x[0], x[0] - high[0], 0.0});
  const double dy = std::max({low[1] - x[1], x[1] - high[1], 0.0});
  return dx * dx + dy * dy;
}

double with_ties(double square) { return square * (1 + 1e-12) + 1e-28; }

Vec2 outward(const CurvePoint& p) { return 1 / norm(p.d1) * Vec2{p.d1[1], -p.d1[0]}; }

} // namespace

struct CurveSearch::Query {
  Vec2 x;
  double bound = infinity; ///< square of a distance that is reached somewhere
  double square = infinity;
  CurvePoint point{};
  double s = 0;
  std::size_t piece = 0;
  bool corner = false;

  void offer(const CurvePoint& p, double at, std::size_t of_piece, bool is_corner) {
    const Vec2 r = x - p.x;
    const double candidate = dot(r, r);
    if (!(candidate <= with_ties(square))) return;
    if (at >= s && with_ties(candidate) >= square) return;
    *this = {x, std::min(bound, candidate), candidate, p, at, of_piece, is_corner};
  }
};

CurveSearch::CurveSearch(const Curve& curve) : curve_(curve) {
  const auto& breaks = curve.breaks();
  for (std::size_t piece = 0; piece + 1 < breaks.size(); ++piece) {
    const double from = breaks[piece], width = breaks[piece + 1] - from;
    const double count = std::max(2.0, std::ceil(width * leaves_per_curve));
    for (double i = 0; i < count; ++i) {
      const double s0 = from + width * (i / count);
      const double s1 = i + 1 < count ? from + width * ((i + 1) / count) : breaks[piece + 1];
      leaves_.push_back({s0, s1, piece, curve.at(s0, piece), curve.at(s1, piece)});
    }
  }
  while (first_leaf_ < leaves_.size()) first_leaf_ *= 2;
  boxes_.resize(2 * first_leaf_);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const auto& [s0, s1, piece, start, end] = leaves_[i];
    const Vec2 middle = curve.at((s0 + s1) / 2, piece).d2;
    const double bend = std::max({norm(start.d2), norm(middle), norm(end.d2)});
    const double margin = 1.5 / 8 * bend * (s1 - s0) * (s1 - s0) + 1e-15;
    for (std::size_t a = 0; a < 2; ++a) {
      boxes_[first_leaf_ + i].low[a] = std::min(start.x[a], end.x[a]) - margin;
      boxes_[first_leaf_ + i].high[a] = std::max(start.x[a], end.x[a]) + margin;
    }
  }
  for (std::size_t node = first_leaf_ - 1; node > 0; --node) {
    const Box &left = boxes_[2 * node], &right = boxes_[2 * node + 1];
    for (std::size_t a = 0; a < 2; ++a) {
      boxes_[node].low[a] = std::min(left.low[a], right.low[a]);
      boxes_[node].high[a] = std::max(left.high[a], right.high[a]);
    }
  }
}

CurveSearch::Nearest CurveSearch::nearest(const Vec2& x) const {
  Query query{.x = x, .s = infinity};
  const auto box = [&](std::size_t node) {
    return square_distance(boxes_[node].low, boxes_[node].high, x);
  };
  std::array<std::pair<std::size_t, double>, 64> stack;
  std::size_t waiting = 0;
  stack[waiting++] = {1, box(1)};
  while (waiting > 0) {
    const auto [node, low] = stack[--waiting];
    if (!(low <= with_ties(query.bound))) continue;
    if (node >= first_leaf_) {
      search_leaf(node - first_leaf_, query);
      continue;
    }
    std::pair<std::size_t, double> left{2 * node, box(2 * node)},
        right{left.first + 1, box(left.first + 1)};
    if (left.second <= right.second) std::swap(left, right);
    stack[waiting++] = left;
    stack[waiting++] = right;
  }
  if (query.square ==
      infinity) { // at the centre of a circle no point is nearer than its neighbours
    for (const Leaf& leaf : leaves_) query.offer(leaf.start, leaf.s0, leaf.piece, false);
  }
  const Vec2 r = x - query.point.x, normal = outward(query.point);
  if (query.corner && query.square > 0) {
    const double distance = std::sqrt(query.square);
    return {distance, query.point.x, 1 / distance * r, query.s, query.piece};
  }
  return {dot(r, normal), query.point.x, normal, query.s, query.piece};
}

void CurveSearch::search_leaf(std::size_t i, Query& query) const {
  const Leaf& leaf = leaves_[i];
  const Vec2 a = leaf.start.x - query.x, b = leaf.end.x - query.x;
  query.bound = std::min({query.bound, dot(a, a), dot(b, b)});
  if (leaf.s0 == curve_.breaks()[leaf.piece]) search_start(i, query);
  search_between(leaf, leaf.start, leaf.end, leaf.s0, leaf.s1, 0, query);
}

void CurveSearch::search_start(std::size_t i, Query& query) const {
  const Leaf& leaf = leaves_[i];
  const Leaf& before = leaves_[i > 0 ? i - 1 : leaves_.size() - 1];
  if (slope(before.end, query.x) > 0 || slope(leaf.start, query.x) < 0) return;
  query.offer(leaf.start, leaf.s0, leaf.piece, i == 0 && curve_.has_corner());
}

void CurveSearch::search_between(const Leaf& leaf, const CurvePoint& a, const CurvePoint& b,
                                 double s0, double s1, int depth, Query& query) const {
  constexpr int deepest = 10;
  const double bend_a = curvature(a, query.x), bend_b = curvature(b, query.x);
  if (bend_a <= 0 && bend_b <= 0) return;
  const double slope_a = slope(a, query.x), slope_b = slope(b, query.x);
  if ((bend_a > 0 && bend_b > 0) || depth == deepest) {
    if (slope_a > 0 || slope_b < 0) return;
    const double share = slope_b > slope_a ? -slope_a / (slope_b - slope_a) : 0;
    find_root(leaf, s0, s1, s0 + share * (s1 - s0), query);
    return;
  }
  const double middle = (s0 + s1) / 2;
  const CurvePoint m = curve_.at(middle, leaf.piece);
  search_between(leaf, a, m, s0, middle, depth + 1, query);
  search_between(leaf, m, b, middle, s1, depth + 1, query);
}

void CurveSearch::find_root(const Leaf& leaf, double s0, double s1, double guess,
                            Query& query) const {
  const double small = 1e-8 * (s1 - s0);
  double low = s0, high = s1, s = guess;
  CurvePoint p = curve_.at(s, leaf.piece);
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double g = slope(p, query.x);
    (g > 0 ? high : low) = s;
    double next = s - g / curvature(p, query.x);
    if (!(next >= low && next <= high)) next = (low + high) / 2;
    const double step = std::abs(next - s);
    s = next;
    p = curve_.at(s, leaf.piece);
    if (step <= small) break;
  }
  query.offer(p, s, leaf.piece, false);
}

} // namespace contraflow
