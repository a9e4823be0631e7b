#pragma once

#include "src/design/problem.hpp"
#include "src/diagnostics/certificate.hpp"
#include "tests/solver/tunnel_cases.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {

/// The certificate of a frozen case over all of its steps, which is expected to pass in every row.
inline Certificate expect_certified(const Case& c) {
  const auto tunnel = cpu_tunnel(c);
  Problem problem{*tunnel};
  const Certificate certificate = certify(problem, {c.frozen.steps, 0, {}}, c.check.seed, {});
  EXPECT_TRUE(certificate.tape_agrees);
  EXPECT_EQ(certificate.rows.size(), problem.functionals() * problem.controls().groups().size());
  for (const CertificateRow& row : certificate.rows) {
    EXPECT_TRUE(row.passed) << row.functional << " by " << row.group << ": error " << row.error
                            << ", order " << row.order << " of " << row.points
                            << " points, g.v = " << row.derivative << ", differences "
                            << row.finite_difference;
  }
  EXPECT_TRUE(certificate.passed);
  return certificate;
}

} // namespace contraflow::test
