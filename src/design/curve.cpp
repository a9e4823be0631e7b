#include "src/design/curve.hpp"

#include <algorithm>

namespace contraflow {

std::size_t Curve::piece_of(double s) const {
  const auto inner = std::lower_bound(breaks_.begin() + 1, breaks_.end() - 1, s);
  return static_cast<std::size_t>(inner - breaks_.begin()) - 1;
}

std::vector<double> merge_breaks(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin());
  std::vector<double> kept{0};
  for (const double s : all) {
    if (s - kept.back() > 1e-12 && 1 - s > 1e-12) kept.push_back(s);
  }
  kept.push_back(1);
  return kept;
}

Jet Cubic::at(double s) const {
  const double t = s - origin;
  return {jet[0] + t * (jet[1] + t / 2 * (jet[2] + t / 3 * jet[3])),
          jet[1] + t * (jet[2] + t / 2 * jet[3]), jet[2] + t * jet[3], jet[3]};
}

} // namespace contraflow
