#include "src/diagnostics/certificate.hpp"

#include "contraflow/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace contraflow::test {
namespace {

/// Remainders of steps that halve from 0.1, by `size`(h).
template <class Size> RemainderFit fit_of(Size size, double noise, int count = 16) {
  std::vector<double> steps, remainders;
  for (double h = 0.1; static_cast<int>(steps.size()) < count; h /= 2) {
    steps.push_back(h);
    remainders.push_back(size(h));
  }
  return fit_remainder(steps, remainders, noise);
}

TEST(FitRemainder, SeesTheSecondOrderOfARightGradient) {
  const RemainderFit fit = fit_of([](double h) { return 3 * h * h; }, 1e-16);
  EXPECT_FALSE(fit.linear);
  EXPECT_NEAR(fit.order, 2, 1e-10);
  EXPECT_GE(fit.points, 5);
}

TEST(FitRemainder, SeesTheFirstOrderOfAWrongGradient) {
  EXPECT_NEAR(fit_of([](double h) { return 0.2 * h; }, 1e-16).order, 1, 1e-10);
  const auto slightly = [](double h) { return 3 * h * h + 1e-5 * h; };
  EXPECT_LT(fit_of(slightly, 1e-16).order, 1.9) << "it shows at small steps only";
}

TEST(FitRemainder, LooksOnlyWhereTheRemainderIsFarAboveNoise) {
  const auto noisy = [](double h) { return h * h + (std::fmod(h * 1e7, 2) < 1 ? 1e-9 : 0); };
  EXPECT_NEAR(fit_of(noisy, 1e-9).order, 2, 0.02);
  EXPECT_GT(std::abs(fit_of(noisy, 1e-16).order - 2), 0.05) << "the noise is there";
}

TEST(FitRemainder, ForgetsStepsThatAreTooLarge) {
  const auto kinked = [](double h) { return h * h + (h > 0.01 ? h - 0.01 : 0); };
  EXPECT_NEAR(fit_of(kinked, 1e-16).order, 2, 1e-6);
}

TEST(FitRemainder, CallsALinearFunctionLinear) {
  EXPECT_TRUE(fit_of([](double) { return 3e-17; }, 1e-16).linear);
  EXPECT_TRUE(fit_of([](double h) { return 1e-11 * h * h; }, 1e-14).linear);
  EXPECT_FALSE(fit_of([](double h) { return h * h; }, 1e-10).linear);
}

/// What is wrong with the tunnel below.
struct Flaw {
  double gradient = 0;       ///< relative error of one entry
  double hidden_slope = 0;   ///< of the viscosity, missing from the gradient
  double kink = 0;           ///< at the start
  double tape = 0;           ///< what 3 stored states change
  bool forgets_body = false; ///< the gradient by the position is left out
};

/// A tunnel whose functionals are known functions of the design:
/// J = w (sin(30 nu) + u0 u1^2 + x exp(y)), of the weight w of their only term.
class KnownTunnel : public WindTunnel {
public:
  explicit KnownTunnel(const Flaw& flaw) : flaw_{flaw} {
    case_.grid.axis[0].cells = case_.grid.axis[1].cells = 8;
    case_.boundary[0][0].type = BoundaryType::inflow;
    case_.boundary[0][0].profile = InflowProfile::values;
    case_.boundary[0][0].position = {0, 1};
    case_.boundary[0][0].values = {0.9, 1.2};
    case_.bodies.resize(1);
    case_.bodies[0].centre = {0.3, -0.2, 0};
    for (ControlKind kind : {ControlKind::viscosity, ControlKind::inflow, ControlKind::position}) {
      case_.controls.emplace_back();
      case_.controls.back().kind = kind;
    }
    case_.controls[0].scale = 0.01;
    case_.objective.resize(1);
    case_.frozen.steps = 10;
    design_ = baseline();
  }

  Case& settings() { return case_; }
  const Case& configuration() const override { return case_; }
  const Grid& grid() const override { return grid_; }
  Design baseline() const override { return baseline_design(case_, {}); }
  std::vector<std::string> set_design(const Design& design) override {
    if (design.body[0][1] > 0.33) throw CaseError{"the body is too far to the right"};
    design_ = design;
    return {};
  }

  std::vector<FunctionalResult> evaluate(const std::vector<Functional>& functionals,
                                         const Horizon&) override {
    std::vector<FunctionalResult> results;
    for (const Functional& functional : functionals) {
      const double nu = design_.viscosity, x = design_.body[0][1], y = design_.body[0][2];
      const std::vector<double>& u = design_.inflow[0][0];
      double value = std::sin(30 * nu) + u[0] * u[1] * u[1] + x * std::exp(y);
      value += flaw_.hidden_slope * (nu - baseline().viscosity);
      value += flaw_.kink * std::abs(nu - baseline().viscosity);
      const double weight = functional.terms[0].weight;
      results.push_back({weight * value, {value}, zero_like(design_)});
    }
    return results;
  }

  std::vector<FunctionalResult> gradient(const std::vector<Functional>& functionals,
                                         const Horizon& horizon) override {
    std::vector<FunctionalResult> results = evaluate(functionals, horizon);
    for (std::size_t f = 0; f < results.size(); ++f) {
      const double weight = functionals[f].terms[0].weight;
      const double x = design_.body[0][1], y = design_.body[0][2];
      const std::vector<double>& u = design_.inflow[0][0];
      Design& bar = results[f].gradient;
      bar.viscosity = weight * 30 * std::cos(30 * design_.viscosity);
      bar.inflow[0][0] = {weight * u[1] * u[1] * (1 + flaw_.gradient), weight * 2 * u[0] * u[1]};
      if (!flaw_.forgets_body) {
        bar.body[0][1] = weight * std::exp(y);
        bar.body[0][2] = weight * x * std::exp(y);
      }
      if (horizon.slots == 3) bar.viscosity += flaw_.tape;
    }
    return results;
  }

  void start(const FlowState*) override {}
  void advance(long, const std::function<bool(const StepReport&)>&) override {}
  long step() const override { return 0; }
  const std::vector<std::vector<BodyForce>>& forces() const override { return forces_; }
  TapePlan plan(long, std::size_t) const override { return {}; }
  long long advances() const override { return 0; }
  FlowState state() const override { return {}; }
  Fields fields() const override { return {}; }
  std::vector<double> adjoint_velocity(std::size_t) const override { return {}; }
  SurfaceSensitivity surface_sensitivity(std::size_t, std::size_t,
                                         const SurfaceMesh&) const override {
    return {};
  }

private:
  Flaw flaw_;
  Case case_;
  Grid grid_;
  Design design_;
  std::vector<std::vector<BodyForce>> forces_;
};

Certificate certificate_of(const Flaw& flaw, unsigned seed = 1) {
  KnownTunnel tunnel{flaw};
  Problem problem{tunnel};
  return certify(problem, {10, 0, {}}, seed, {});
}

const CertificateRow& row_of(const Certificate& certificate, const std::string& group) {
  for (const CertificateRow& row : certificate.rows) {
    if (row.group == group) return row;
  }
  throw CaseError{"no row of " + group};
}

TEST(Certify, PassesARightGradient) {
  for (unsigned seed : {1u, 2u, 3u}) {
    const Certificate certificate = certificate_of({}, seed);
    EXPECT_TRUE(certificate.passed);
    EXPECT_TRUE(certificate.tape_agrees);
    ASSERT_EQ(certificate.rows.size(), 3u);
    for (const CertificateRow& row : certificate.rows) {
      EXPECT_TRUE(row.passed) << row.group << ' ' << row.error << ' ' << row.order;
      EXPECT_LT(row.error, 1e-9);
      EXPECT_NEAR(row.order, 2, 0.05);
      EXPECT_GE(row.points, 3);
    }
  }
}

TEST(Certify, FailsAGradientThatIsALittleWrong) {
  for (double error : {1e-2, 1e-4, 1e-6, -1e-6}) {
    Flaw flaw;
    flaw.gradient = error;
    const Certificate certificate = certificate_of(flaw);
    EXPECT_FALSE(certificate.passed) << error;
    const CertificateRow& wrong = row_of(certificate, "inflow at x_low");
    EXPECT_FALSE(wrong.passed);
    EXPECT_GT(wrong.error, 1e-8);
    if (std::abs(error) > 1e-5) {
      EXPECT_LT(wrong.order, 1.9);
    }
    EXPECT_TRUE(row_of(certificate, "viscosity").passed) << "the rest is right";
    EXPECT_TRUE(row_of(certificate, "position of body").passed);
  }
}

TEST(Certify, FailsAGradientThatLacksATerm) {
  Flaw flaw;
  flaw.hidden_slope = 1e-3;
  EXPECT_FALSE(row_of(certificate_of(flaw), "viscosity").passed);
}

TEST(Certify, FailsAZeroGradientOfWhatIsNotConstant) {
  Flaw flaw;
  flaw.forgets_body = true;
  const Certificate certificate = certificate_of(flaw);
  EXPECT_FALSE(certificate.passed);
  EXPECT_FALSE(row_of(certificate, "position of body").passed);
}

TEST(Certify, FailsAFunctionWithAKink) {
  Flaw flaw;
  flaw.kink = 0.1; // central differences do not see it
  const CertificateRow row = row_of(certificate_of(flaw), "viscosity");
  EXPECT_FALSE(row.passed);
  EXPECT_LT(row.order, 1.9);
}

TEST(Certify, FailsATapeThatChangesTheLastBit) {
  Flaw flaw;
  flaw.tape = 1e-14;
  const Certificate certificate = certificate_of(flaw);
  EXPECT_FALSE(certificate.tape_agrees);
  EXPECT_FALSE(certificate.passed);
}

TEST(Certify, PassesAZeroGradientByWhatDoesNotMatter) {
  KnownTunnel tunnel{{}};
  tunnel.settings().controls[1].kind = ControlKind::rotation; // the flow does not feel it
  tunnel.settings().bodies[0].rotation = {0.5};
  Problem problem{tunnel};
  const Certificate certificate = certify(problem, {10, 0, {}}, 1, {});
  const CertificateRow& row = row_of(certificate, "rotation of body");
  EXPECT_TRUE(row.linear);
  EXPECT_EQ(row.error, 0);
  EXPECT_TRUE(row.passed);
  EXPECT_TRUE(certificate.passed);
}

TEST(Certify, HalvesAStepThatTheCaseForbids) {
  KnownTunnel tunnel{{}};
  tunnel.settings().controls[2].scale = 2; // 0.06 of it would leave the allowed region
  Problem problem{tunnel};
  const Certificate certificate = certify(problem, {10, 0, {}}, 1, {});
  EXPECT_TRUE(certificate.passed);
  EXPECT_LT(row_of(certificate, "position of body").step, 0.03);
}

TEST(Certify, ReportsEveryStepOfItsProgress) {
  KnownTunnel tunnel{{}};
  Problem problem{tunnel};
  long calls = 0, last = 0, whole = 0;
  certify(problem, {10, 0, {}}, 1, [&](long done, long total) {
    EXPECT_EQ(done, ++calls);
    last = done;
    whole = total;
  });
  EXPECT_EQ(last, whole);
}

TEST(Certify, IsTheSameForTheSameSeed) {
  const Certificate a = certificate_of({}, 7), b = certificate_of({}, 7), c = certificate_of({}, 8);
  EXPECT_EQ(a.rows[1].derivative, b.rows[1].derivative);
  EXPECT_NE(a.rows[1].derivative, c.rows[1].derivative);
}

} // namespace
} // namespace contraflow::test
