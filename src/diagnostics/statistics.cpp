#include "src/diagnostics/statistics.hpp"

#include <algorithm>
#include <numeric>

namespace contraflow {

SignalStatistics statistics(const std::vector<double>& signal, const Periods& periods) {
  if (periods.end <= periods.begin) return {};
  const auto begin = signal.begin() + static_cast<std::ptrdiff_t>(periods.begin);
  const auto end = signal.begin() + static_cast<std::ptrdiff_t>(periods.end);
  const auto [low, high] = std::minmax_element(begin, end);
  const auto count = static_cast<double>(periods.end - periods.begin);
  return {std::accumulate(begin, end, 0.0) / count, 0.5 * (*high - *low)};
}

Periods whole_periods(const std::vector<double>& time, const std::vector<double>& signal,
                      std::size_t first, double scale) {
  const Periods all{first, signal.size(), 0};
  const SignalStatistics whole = statistics(signal, all);
  if (whole.amplitude < 1e-4 * scale) return all;
  std::vector<std::size_t> indices;
  std::vector<double> crossings;
  for (std::size_t n = first + 1; n < signal.size(); ++n) {
    const double before = signal[n - 1] - whole.mean, now = signal[n] - whole.mean;
    if (before >= 0 || now < 0) continue;
    indices.push_back(n);
    crossings.push_back(time[n - 1] + (time[n] - time[n - 1]) * before / (before - now));
  }
  if (crossings.size() < 3) return all;
  const auto periods = static_cast<double>(crossings.size() - 1);
  return {indices.front(), indices.back(), periods / (crossings.back() - crossings.front())};
}

} // namespace contraflow
