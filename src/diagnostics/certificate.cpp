#include "src/diagnostics/certificate.hpp"

#include "contraflow/error.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace contraflow {

namespace {

constexpr int halvings = 16;
constexpr double first_step = 0.06; ///< in scales of the controls
constexpr double error_limit = 1e-8, order_slack = 0.05;

/// Values of all functionals at x +- h v for h = first 2^-n.
struct Line {
  std::vector<double> steps;
  std::vector<std::vector<double>> plus, minus; ///< [step][functional]
};

double norm(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value * value;
  return std::sqrt(sum);
}

/// A random direction within one group, of length one in units of the scales.
std::vector<double> direction(const Controls& controls, const Controls::Group& group,
                              std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform{-1, 1};
  std::vector<double> v(controls.size(), 0.0);
  double sum = 0;
  for (std::size_t n = group.first; n < group.first + group.count; ++n) {
    v[n] = uniform(engine);
    sum += v[n] * v[n];
  }
  for (std::size_t n = 0; n < v.size(); ++n) v[n] *= controls.scale()[n] / std::sqrt(sum);
  return v;
}

/// g.v and |g||v| of a functional along v, both over one group.
struct Slope {
  double along = 0, size = 0;
};
Slope slope_of(const Controls& controls, const Controls::Group& group,
               const std::vector<double>& gradient, const std::vector<double>& v) {
  Slope slope;
  std::vector<double> scaled;
  for (std::size_t n = group.first; n < group.first + group.count; ++n) {
    slope.along += gradient[n] * v[n];
    scaled.push_back(gradient[n] * controls.scale()[n]);
  }
  slope.size = norm(scaled);
  return slope;
}

/// Of some random directions the one in which no functional is nearly stationary, since there
/// differences lose their digits.
std::vector<double> telling_direction(const Controls& controls, const Controls::Group& group,
                                      const Problem::Values& at_start, std::mt19937_64& engine) {
  constexpr int candidates = 8;
  std::vector<double> best;
  double most = -1;
  for (int n = 0; n < candidates; ++n) {
    std::vector<double> v = direction(controls, group, engine);
    double least = INFINITY;
    for (const std::vector<double>& gradient : at_start.gradient) {
      const Slope slope = slope_of(controls, group, gradient, v);
      if (slope.size > 0) least = std::min(least, std::abs(slope.along) / slope.size);
    }
    if (least <= most) continue;
    most = least;
    best = std::move(v);
  }
  return best.empty() ? direction(controls, group, engine) : best;
}

std::vector<double> moved(const std::vector<double>& x, double step, const std::vector<double>& v) {
  std::vector<double> out = x;
  for (std::size_t n = 0; n < x.size(); ++n) out[n] += step * v[n];
  return out;
}

/// Walks along v; a first step that leaves what the case allows (a body out of its region) is
/// halved.
Line walk(Problem& problem, const Horizon& horizon, const std::vector<double>& v,
          const std::function<void()>& tick) {
  const std::vector<double>& x = problem.controls().start();
  Line line;
  double step = first_step;
  for (int attempt = 0; line.steps.size() < halvings; step /= 2) {
    try {
      const auto plus = problem.values(moved(x, step, v), horizon).value;
      const auto minus = problem.values(moved(x, -step, v), horizon).value;
      line.steps.push_back(step);
      line.plus.push_back(plus);
      line.minus.push_back(minus);
      tick();
    } catch (const CaseError&) {
      if (!line.steps.empty() || ++attempt > 20) throw;
    }
  }
  return line;
}

void compare(CertificateRow& row, const Line& line, std::size_t f, double scale) {
  const auto central = [&](std::size_t n) {
    return (line.plus[n][f] - line.minus[n][f]) / (2 * line.steps[n]);
  };
  row.error = INFINITY;
  for (std::size_t n = 2; n < line.steps.size(); ++n) { // h, 2h, 4h
    const double fine = (4 * central(n) - central(n - 1)) / 3;
    const double coarse = (4 * central(n - 1) - central(n - 2)) / 3;
    const double extrapolated = (16 * fine - coarse) / 15;
    const double error = std::abs(extrapolated - row.derivative) / scale;
    if (error >= row.error) continue;
    row.error = error;
    row.finite_difference = extrapolated;
    row.step = line.steps[n];
  }
}

struct Remainders {
  std::vector<double> size; ///< per step, but for the last
  double noise = 0;
};

/// |J(x+hv) - J(x) - h g.v| without its terms of third and fourth order, which would bend the fit
/// where the second is small. They are measured from values at h and h/2 in combinations that a
/// wrong g.v does not enter, so that its term of first order stays; at the smallest steps they are
/// nothing but noise.
Remainders remainders_of(const Line& line, std::size_t f, double start, double derivative) {
  const auto odd = [&](std::size_t n) { return 0.5 * (line.plus[n][f] - line.minus[n][f]); };
  const auto even = [&](std::size_t n) {
    return 0.5 * (line.plus[n][f] - start + (line.minus[n][f] - start));
  };
  Remainders out;
  out.noise = 1e-15 * std::max(std::abs(start), 1e-3);
  for (std::size_t n = 0; n + 1 < line.steps.size(); ++n) {
    const double third = (odd(n) - 2 * odd(n + 1)) / 0.75;
    const double fourth = (even(n) - 4 * even(n + 1)) / 0.75;
    const double whole = line.plus[n][f] - start - line.steps[n] * derivative;
    out.size.push_back(std::abs(whole - third - fourth));
    if (n + 4 < line.steps.size()) continue;
    out.noise = std::max({out.noise, std::abs(third), std::abs(fourth)});
  }
  return out;
}

bool same_bits(const Problem::Values& a, const Problem::Values& b) {
  return a.value == b.value && a.gradient == b.gradient;
}

} // namespace

RemainderFit fit_remainder(const std::vector<double>& steps, const std::vector<double>& remainders,
                           double noise) {
  constexpr double decades = 1e3;
  RemainderFit fit;
  double lowest = INFINITY;
  for (double remainder : remainders) {
    if (remainder > 100 * noise) lowest = std::min(lowest, remainder);
  }
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t n = 0; n < remainders.size(); ++n) {
    if (remainders[n] <= 100 * noise || remainders[n] > decades * lowest) continue;
    const double x = std::log(steps[n]), y = std::log(remainders[n]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
    ++fit.points;
  }
  fit.linear = fit.points < 3;
  if (fit.linear) return fit;
  const double count = fit.points;
  fit.order = (count * sxy - sx * sy) / (count * sxx - sx * sx);
  return fit;
}

long certificate_evaluations(const Controls& controls) {
  return 2 + static_cast<long>(controls.groups().size()) * halvings;
}

Certificate certify(Problem& problem, const Horizon& horizon, unsigned seed,
                    const std::function<void(long, long)>& progress) {
  const Controls& controls = problem.controls();
  const std::vector<double>& x = controls.start();
  const long total = certificate_evaluations(controls);
  long done = 0;
  const auto tick = [&] {
    if (progress) progress(++done, total);
  };
  Certificate certificate;
  certificate.steps = horizon.steps;
  Horizon few = horizon;
  few.slots = 3;
  const Problem::Values at_start = problem.gradients(x, horizon);
  tick();
  certificate.tape_agrees = same_bits(at_start, problem.gradients(x, few));
  tick();
  certificate.passed = certificate.tape_agrees;

  std::mt19937_64 engine{seed};
  for (const Controls::Group& group : controls.groups()) {
    const std::vector<double> v = telling_direction(controls, group, at_start, engine);
    const Line line = walk(problem, horizon, v, tick);
    for (std::size_t f = 0; f < problem.functionals(); ++f) {
      CertificateRow row;
      row.functional = problem.describe(f);
      row.group = group.name;
      const Slope slope = slope_of(controls, group, at_start.gradient[f], v);
      row.derivative = slope.along;
      if (slope.size == 0) { // the functional does not depend on this group: no change may show
        for (std::size_t n = 0; n < line.steps.size(); ++n) {
          row.error = std::max(row.error, std::abs(line.plus[n][f] - at_start.value[f]));
        }
        row.linear = row.passed = row.error == 0;
      } else {
        compare(row, line, f, std::max(std::abs(row.derivative), 1e-3 * slope.size));
        const Remainders remainders = remainders_of(line, f, at_start.value[f], row.derivative);
        const RemainderFit fit = fit_remainder(line.steps, remainders.size, remainders.noise);
        row.order = fit.order;
        row.points = fit.points;
        row.linear = fit.linear;
        row.passed =
            row.error <= error_limit && (row.linear || std::abs(row.order - 2) <= order_slack);
      }
      certificate.passed = certificate.passed && row.passed;
      certificate.rows.push_back(row);
    }
  }
  return certificate;
}

} // namespace contraflow
