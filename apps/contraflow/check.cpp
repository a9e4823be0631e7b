#include "apps/contraflow/common.hpp"
#include "apps/contraflow/default_problem.hpp"
#include "src/diagnostics/certificate.hpp"
#include "src/io/progress.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

/// Widths of the two columns of names.
struct Widths {
  std::size_t functional = 12, group = 16;
};

Widths widths_of(const Certificate& certificate) {
  Widths widths;
  for (const CertificateRow& row : certificate.rows) {
    widths.functional = std::max(widths.functional, row.functional.size());
    widths.group = std::max(widths.group, row.group.size());
  }
  return widths;
}

void print_row(const CertificateRow& row, const Widths& widths) {
  const std::string order = row.linear ? "linear" : fmt::format("{:.3f}", row.order);
  fmt::print("{:<{}}  {:<{}} {:>14.7e} {:>14.7e} {:>9.1e} {:>7} {}\n", row.functional,
             widths.functional, row.group, widths.group, row.derivative, row.finite_difference,
             row.error, order, row.passed ? "ok" : "FAILED");
}

void print(const Certificate& certificate) {
  const Widths widths = widths_of(certificate);
  fmt::print("\n{:<{}}  {:<{}} {:>14} {:>14} {:>9} {:>7}\n", "functional", widths.functional,
             "direction in", widths.group, "adjoint", "finite diff.", "error", "order");
  for (const CertificateRow& row : certificate.rows) print_row(row, widths);
  fmt::print("gradient with 3 stored states has the bits of that with all: {}\n",
             certificate.tape_agrees ? "ok" : "FAILED");
  fmt::print("certificate: {} (over {} steps; error <= 1e-8, remainder of order 2.00 +- 0.05)\n",
             certificate.passed ? "PASSED" : "FAILED", certificate.steps);
}

void complete(Case& c, const std::filesystem::path&) {
  if (c.controls.empty()) fmt::print("no [[control]] in the case: certifying all that applies\n");
  complete_problem(c);
}

} // namespace

int check(const Options& options) {
  Options in_double = options;
  in_double.precision = "double"; // single precision has nothing to certify to 1e-8
  const Job job = prepare(in_double, CaseUse::differentiate, true, complete);
  const Case& c = job.configuration;
  Problem problem{*job.tunnel};
  Horizon horizon;
  horizon.steps = std::min(c.check.steps, c.frozen.steps);
  Progress progress{"check", certificate_evaluations(problem.controls())};
  const Certificate certificate =
      certify(problem, horizon, c.check.seed, [&](long done, long) { progress.update(done); });
  progress.finish();
  print(certificate);
  return certificate.passed ? success : failure;
}

} // namespace contraflow::app
