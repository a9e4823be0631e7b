#include "src/diagnostics/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace contraflow::test {
namespace {

struct Signal {
  std::vector<double> time, value;
};

/// mean + amplitude sin(2 pi frequency t + phase), with a start that has nothing to do with it.
Signal wave(double mean, double amplitude, double frequency, double phase, double dt,
            std::size_t count) {
  Signal signal;
  for (std::size_t n = 0; n < count; ++n) {
    const double t = dt * static_cast<double>(n);
    signal.time.push_back(t);
    signal.value.push_back(mean +
                           amplitude * std::sin(2 * std::acos(-1.0) * frequency * t + phase));
  }
  return signal;
}

TEST(WholePeriods, FindTheFrequencyOfASine) {
  for (double frequency : {0.1, 0.165, 0.19731}) {
    const Signal signal = wave(0.02, 0.33, frequency, 0.4, 0.05, 2000);
    const Periods periods = whole_periods(signal.time, signal.value, 300, 1);
    EXPECT_NEAR(periods.frequency, frequency, 1e-4 * frequency);
    EXPECT_GE(periods.begin, 300u);
    const double length = 0.05 * static_cast<double>(periods.end - periods.begin) * frequency;
    EXPECT_NEAR(length, std::round(length), 0.02) << "not whole periods";
    EXPECT_GT(length, 5);
  }
}

TEST(WholePeriods, GiveTheMeanThatPartsOfPeriodsWouldSpoil) {
  const Signal signal = wave(1.35, 0.01, 0.16, 1.1, 0.02, 1000); // 3.2 periods
  const Periods periods = whole_periods(signal.time, signal.value, 0, 1);
  const SignalStatistics whole = statistics(signal.value, periods);
  const SignalStatistics all = statistics(signal.value, {0, 1000, 0});
  EXPECT_NEAR(whole.mean, 1.35, 2e-5);
  EXPECT_GT(std::abs(all.mean - 1.35), 2e-4);
  EXPECT_NEAR(whole.amplitude, 0.01, 1e-5);
}

TEST(WholePeriods, IgnoreWhatComesBeforeTheFirstSample) {
  Signal signal = wave(0, 1, 0.5, 0, 0.01, 2000);
  for (std::size_t n = 0; n < 700; ++n) signal.value[n] = 50 - static_cast<double>(n);
  EXPECT_NEAR(whole_periods(signal.time, signal.value, 700, 1).frequency, 0.5, 1e-4);
}

TEST(WholePeriods, TakeAllOfASteadySignal) {
  const Signal signal = wave(1.5, 0.9e-4, 0.2, 0, 0.05, 800);
  const Periods periods = whole_periods(signal.time, signal.value, 100, 1);
  EXPECT_EQ(periods.frequency, 0);
  EXPECT_EQ(periods.begin, 100u);
  EXPECT_EQ(periods.end, 800u);
  EXPECT_GT(whole_periods(signal.time, signal.value, 100, 0.1).frequency, 0) << "no longer small";
}

TEST(WholePeriods, TakeAllWhereThereAreFewerThanTwo) {
  const Signal signal = wave(0, 1, 0.1, 0.3, 0.05, 340); // 1.7 periods
  const Periods periods = whole_periods(signal.time, signal.value, 0, 1);
  EXPECT_EQ(periods.frequency, 0);
  EXPECT_EQ(periods.end, 340u);
}

TEST(Statistics, OfNoSamplesAreZero) {
  EXPECT_EQ(statistics({}, {0, 0, 0}).mean, 0);
  EXPECT_EQ(statistics({1, 2}, {2, 2, 0}).amplitude, 0);
}

TEST(Statistics, AreMeanAndHalfPeakToPeak) {
  const SignalStatistics found = statistics({100, 1, 2, 6, -2, 100}, {1, 5, 0});
  EXPECT_DOUBLE_EQ(found.mean, 1.75);
  EXPECT_DOUBLE_EQ(found.amplitude, 4);
}

} // namespace
} // namespace contraflow::test
