#pragma once

#include <vector>

namespace contraflow {

/// Mean and half peak-to-peak amplitude of a signal.
struct SignalStatistics {
  double mean = 0, amplitude = 0;
};

/// Whole periods of a signal: from its first to its last upward crossing of its mean, as indices
/// [begin, end), and its frequency by interpolated crossings; all samples and 0 where it has fewer
/// than two whole periods, or is as good as steady (amplitude below 1e-4 of `scale`).
struct Periods {
  std::size_t begin = 0, end = 0;
  double frequency = 0;
};
Periods whole_periods(const std::vector<double>& time, const std::vector<double>& signal,
                      std::size_t first, double scale);

SignalStatistics statistics(const std::vector<double>& signal, const Periods& periods);

} // namespace contraflow
