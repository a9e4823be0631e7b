#pragma once

#include "src/diagnostics/statistics.hpp"
#include "src/io/report.hpp"
#include "src/solver/wind_tunnel.hpp"

#include <string>
#include <vector>

namespace contraflow::app {

/// Force coefficients of one body over time: by momentum exchange and by control volume.
struct ForceHistory {
  std::vector<double> time, drag, lift, drag_balance, lift_balance;
};

/// Means over the last part of a run, in whole periods of the force that swings more (of a shedding
/// body: the lift), where there are some.
struct ForceSummary {
  SignalStatistics drag, lift, drag_balance, lift_balance;
  double strouhal = 0; ///< 0: no oscillation seen
  double gap = 0;      ///< between the two opinions, relative to the largest coefficient

  std::string text() const; ///< "Cd 1.3512 (amplitude 0.0081), Cl ..."
};

/// Of what comes at time `from` or later. `length_over_speed` makes a frequency a Strouhal number.
ForceSummary summarise(const ForceHistory& history, double from, double length_over_speed);

/// Lines for a plot, which leave out what is far off the range that `history` has from time
/// `settled` on: the jolt of an impulsive start.
std::vector<ReportPlot::Line> force_lines(const ForceHistory& history, double settled,
                                          const std::string& suffix = "");

} // namespace contraflow::app
