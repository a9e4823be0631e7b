#include "src/design/motion.hpp"

#include "src/design/design.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace contraflow {

namespace {

/// sin and cos of 2 pi f t + phase, of numbers that end in frequency and phase.
struct Wave {
  double sine, cosine, rate;

  Wave(std::span<const double> numbers, double time)
      : rate{2 * std::numbers::pi * numbers[numbers.size() - 2]} {
    const double angle = rate * time + numbers.back();
    sine = std::sin(angle);
    cosine = std::cos(angle);
  }
};

/// Bars of frequency and phase, from those of the angle and of the rate 2 pi f.
void add_wave_bars(std::span<double> bar, double time, double angle_bar, double rate_bar) {
  bar[bar.size() - 2] += 2 * std::numbers::pi * (angle_bar * time + rate_bar);
  bar.back() += angle_bar;
}

/// Least and largest sine from one angle to a larger one.
std::array<double, 2> sine_range(double from, double to) {
  constexpr double half = std::numbers::pi / 2, turn = 2 * std::numbers::pi;
  const auto passes = [&](double angle) {
    return std::isinf(to) || std::floor((to - angle) / turn) > std::floor((from - angle) / turn);
  };
  const double ends[2] = {std::sin(from), std::isinf(to) ? 0 : std::sin(to)};
  return {passes(-half) ? -1 : std::min(ends[0], ends[1]),
          passes(half) ? 1 : std::max(ends[0], ends[1])};
}

} // namespace

bool travels(const BodySpec& spec) {
  return !spec.oscillation.empty() || spec.velocity != Vec3{0, 0, 0};
}

bool accelerates(const BodySpec& spec) {
  return !spec.oscillation.empty() || spec.harmonic_rotation || spec.rotation_times.size() > 1;
}

Vec3 displacement_at(const BodySpec& spec, std::span<const double> oscillation, double time) {
  Vec3 displacement{};
  const double sine = oscillation.empty() ? 0 : Wave{oscillation, time}.sine;
  for (std::size_t a = 0; a < 3; ++a) {
    displacement[a] = spec.velocity[a] * time;
    if (!oscillation.empty()) displacement[a] += oscillation[a] * sine;
  }
  return displacement;
}

Motion motion_at(const BodySpec& spec, const MotionValues& values, double time) {
  Motion motion;
  motion.velocity = spec.velocity;
  motion.displacement = displacement_at(spec, values.oscillation, time);
  if (!values.oscillation.empty()) {
    const Wave wave{values.oscillation, time};
    for (std::size_t a = 0; a < 3; ++a) {
      const double amplitude = values.oscillation[a];
      motion.velocity[a] += amplitude * wave.rate * wave.cosine;
      motion.acceleration[a] -= amplitude * wave.rate * wave.rate * wave.sine;
    }
  }
  const std::span<const double> rotation = values.rotation;
  if (spec.harmonic_rotation) {
    const Wave wave{rotation, time};
    motion.spin = rotation[0] + rotation[1] * wave.sine;
    motion.spin_rate = rotation[1] * wave.rate * wave.cosine;
  } else if (!rotation.empty()) {
    const KnotWeights at = knot_weights(spec.rotation_times, time);
    motion.spin = at.weight[0] * rotation[at.first] + at.weight[1] * rotation[at.second];
    motion.spin_rate = at.slope[0] * rotation[at.first] + at.slope[1] * rotation[at.second];
  }
  return motion;
}

void motion_adjoint(const BodySpec& spec, const MotionValues& values, double time,
                    const Motion& bar, std::span<double> rotation_bar,
                    std::span<double> oscillation_bar) {
  if (!values.oscillation.empty()) {
    const Wave wave{values.oscillation, time};
    double angle_bar = 0, rate_bar = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double x = bar.displacement[a], v = bar.velocity[a] * wave.rate;
      const double w = bar.acceleration[a] * wave.rate * wave.rate;
      const double amplitude = values.oscillation[a];
      oscillation_bar[a] += (x - w) * wave.sine + v * wave.cosine;
      angle_bar += amplitude * ((x - w) * wave.cosine - v * wave.sine);
      rate_bar += amplitude *
                  (bar.velocity[a] * wave.cosine - 2 * bar.acceleration[a] * wave.rate * wave.sine);
    }
    add_wave_bars(oscillation_bar, time, angle_bar, rate_bar);
  }
  if (spec.harmonic_rotation) {
    const Wave wave{values.rotation, time};
    const double amplitude = values.rotation[1], by_rate = bar.spin_rate * wave.rate;
    rotation_bar[0] += bar.spin;
    rotation_bar[1] += bar.spin * wave.sine + by_rate * wave.cosine;
    add_wave_bars(rotation_bar, time, amplitude * (bar.spin * wave.cosine - by_rate * wave.sine),
                  amplitude * bar.spin_rate * wave.cosine);
  } else if (!values.rotation.empty()) {
    const KnotWeights at = knot_weights(spec.rotation_times, time);
    rotation_bar[at.first] += at.weight[0] * bar.spin + at.slope[0] * bar.spin_rate;
    rotation_bar[at.second] += at.weight[1] * bar.spin + at.slope[1] * bar.spin_rate;
  }
}

std::vector<double> rotation_values(const BodySpec& spec) {
  std::vector<double> values = spec.rotation;
  if (spec.harmonic_rotation) values.back() *= std::numbers::pi / 180;
  return values;
}

std::vector<double> oscillation_values(const BodySpec& spec) {
  std::vector<double> values = spec.oscillation;
  if (!values.empty()) values.back() *= std::numbers::pi / 180;
  return values;
}

std::array<Vec3, 2> sweep_of(const BodySpec& spec, double end) {
  std::array<Vec3, 2> sweep{};
  const std::vector<double> numbers = oscillation_values(spec);
  for (std::size_t a = 0; a < 3; ++a) {
    const double travel = spec.velocity[a] == 0 ? 0 : spec.velocity[a] * end;
    sweep[0][a] = std::min(0.0, travel);
    sweep[1][a] = std::max(0.0, travel);
    if (numbers.empty()) continue;
    const double phase = numbers.back();
    const auto [low, high] = sine_range(phase, phase + 2 * std::numbers::pi * numbers[3] * end);
    sweep[0][a] += std::min(numbers[a] * low, numbers[a] * high);
    sweep[1][a] += std::max(numbers[a] * low, numbers[a] * high);
  }
  return sweep;
}

} // namespace contraflow
