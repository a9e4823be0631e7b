#include "apps/contraflow/force_history.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

std::size_t index_at(const std::vector<double>& time, double from) {
  const auto at = std::lower_bound(time.begin(), time.end(), from * (1 - 1e-12));
  return static_cast<std::size_t>(at - time.begin());
}

/// Four digits, and no sign before a zero.
std::string signed_text(double value) {
  const double rounded = std::round(value * 1e4) / 1e4;
  return fmt::format("{:+.4f}", rounded == 0 ? 0. : rounded);
}

} // namespace

std::string ForceSummary::text() const {
  std::string text = fmt::format("Cd {:.4f} (amplitude {:.4f}), Cl {} (amplitude {:.4f})",
                                 drag.mean, drag.amplitude, signed_text(lift.mean), lift.amplitude);
  if (strouhal > 0) text += fmt::format(", St {:.4f}", strouhal);
  return text;
}

ForceSummary summarise(const ForceHistory& history, double from, double length_over_speed) {
  std::size_t first = index_at(history.time, from);
  if (first == history.time.size() && first > 0) --first;
  const Periods all{first, history.time.size(), 0};
  const bool by_drag =
      statistics(history.drag, all).amplitude > statistics(history.lift, all).amplitude;
  const Periods periods =
      whole_periods(history.time, by_drag ? history.drag : history.lift, first, 1);
  ForceSummary summary{.drag = statistics(history.drag, periods),
                       .lift = statistics(history.lift, periods),
                       .drag_balance = statistics(history.drag_balance, periods),
                       .lift_balance = statistics(history.lift_balance, periods)};
  summary.strouhal = periods.frequency * length_over_speed;
  const double size = std::max({std::abs(summary.drag.mean) + summary.drag.amplitude,
                                std::abs(summary.lift.mean) + summary.lift.amplitude, 1e-3});
  summary.gap = std::max(std::abs(summary.drag.mean - summary.drag_balance.mean),
                         std::abs(summary.lift.mean - summary.lift_balance.mean)) /
                size;
  return summary;
}

std::vector<ReportPlot::Line> force_lines(const ForceHistory& history, double settled,
                                          const std::string& suffix) {
  double low = INFINITY, high = -INFINITY;
  for (const auto* signal : {&history.drag, &history.lift}) {
    for (std::size_t n = index_at(history.time, settled); n < signal->size(); ++n) {
      low = std::min(low, (*signal)[n]);
      high = std::max(high, (*signal)[n]);
    }
  }
  const double room = 0.3 * (high - low);
  std::vector<ReportPlot::Line> lines{{"Cd" + suffix, history.time, history.drag},
                                      {"Cl" + suffix, history.time, history.lift}};
  for (ReportPlot::Line& line : lines) {
    for (double& value : line.y) {
      if (value < low - room || value > high + room) value = NAN;
    }
  }
  return lines;
}

} // namespace contraflow::app
