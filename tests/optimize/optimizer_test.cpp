#include "tests/optimize/known_problems.hpp"

#include "contraflow/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

namespace contraflow::test {
namespace {

void expect_near(const std::vector<double>& x, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], tolerance) << "x" << i;
}

// The same problem, but the flow blows up where `diverges` says so.
template <class Where> OptimisationProblem fragile(OptimisationProblem problem, Where diverges) {
  problem.evaluate = [diverges, flow = problem.evaluate](std::span<const double> x) {
    if (diverges(x)) throw DivergenceError("u is NaN at step 12");
    return flow(x);
  };
  return problem;
}

// f = slope x from 0, steps of 1 at first.
OptimisationProblem line(double slope, double bound) {
  return {.start = {0},
          .lower = {-bound},
          .upper = {bound},
          .scale = {1},
          .equality = {},
          .constraint_tolerance = {},
          .evaluate = [slope](std::span<const double> x) {
            return Evaluation{slope * x[0], {slope}, {}, {}};
          }};
}

template <class Call> std::string message_of_case_error(const Call& call) {
  try {
    call();
  } catch (const CaseError& error) {
    return error.what();
  }
  return "no CaseError";
}

TEST(Optimise, FindsTheValleyOfRosenbrockByLbfgs) {
  const auto result = minimised(rosenbrock(), spec_of(OptimiserMethod::lbfgs, 1e-14));
  expect_near(result.best_x, {1, 1}, 1e-5);
  EXPECT_TRUE(result.feasible);
  EXPECT_FALSE(result.interrupted);
  EXPECT_NEAR(result.first.objective, 24.2, 1e-12);
}

TEST(Optimise, StaysWithinBoundsByLbfgs) {
  auto problem = rosenbrock(0.8);
  problem.evaluate = [flow = problem.evaluate](std::span<const double> x) {
    EXPECT_TRUE(x[0] >= -2 && x[0] <= 0.8 && x[1] >= -2 && x[1] <= 2);
    return flow(x);
  };
  const auto result = minimised(problem, spec_of(OptimiserMethod::lbfgs));
  expect_near(result.best_x, {0.8, 0.64}, 1e-5);
}

TEST(Optimise, SolvesHockSchittkowski71BySlsqp) {
  const auto result = minimised(hock_schittkowski_71(), spec_of(OptimiserMethod::slsqp));
  expect_near(result.best_x, {1, 4.7429994, 3.8211503, 1.3794082}, 1e-5);
  EXPECT_NEAR(result.best.objective, 17.0140173, 1e-5);
  EXPECT_TRUE(result.feasible);
  EXPECT_LE(result.evaluations, 20);
  EXPECT_NE(result.reason.find("converged"), std::string::npos) << result.reason;
}

TEST(Optimise, FindsTheCornerBetweenTwoInequalitiesByMma) {
  const auto result = minimised(between_cubics(), spec_of(OptimiserMethod::mma));
  expect_near(result.best_x, {1.0 / 3, 8.0 / 27}, 1e-5);
  EXPECT_TRUE(result.feasible);
}

TEST(Optimise, FindsTheCornerBetweenTwoInequalitiesBySlsqp) {
  const auto result = minimised(between_cubics(), spec_of(OptimiserMethod::slsqp));
  expect_near(result.best_x, {1.0 / 3, 8.0 / 27}, 1e-5);
}

TEST(Optimise, DoesNotCareForTheUnitOfTheObjective) {
  const auto expected = minimised(hock_schittkowski_71(), spec_of(OptimiserMethod::slsqp));
  for (const double unit : {0x1p-40, 0x1p40}) {
    auto problem = hock_schittkowski_71();
    problem.evaluate = [unit, flow = problem.evaluate](std::span<const double> x) {
      Evaluation values = flow(x);
      values.objective *= unit;
      for (double& slope : values.gradient) slope *= unit;
      return values;
    };
    EXPECT_EQ(minimised(problem, spec_of(OptimiserMethod::slsqp)).best_x, expected.best_x);
  }
}

TEST(Optimise, DoesNotCareForTheUnitsOfTheControls) {
  auto problem = rosenbrock();
  const auto expected = minimised(problem, spec_of(OptimiserMethod::slsqp));
  constexpr double unit = 0x1p-12;
  for (auto* values : {&problem.start, &problem.lower, &problem.upper, &problem.scale}) {
    for (double& value : *values) value *= unit;
  }
  problem.evaluate = [flow = problem.evaluate](std::span<const double> x) {
    Evaluation values = flow(std::vector{x[0] / unit, x[1] / unit});
    for (double& slope : values.gradient) slope /= unit;
    return values;
  };
  const auto result = minimised(problem, spec_of(OptimiserMethod::slsqp));
  EXPECT_EQ(result.best_x, (std::vector{expected.best_x[0] * unit, expected.best_x[1] * unit}));
}

TEST(Optimise, StartsAtTheStartToTheBitAndEvaluatesNoDesignTwice) {
  auto problem = hock_schittkowski_71();
  problem.start = {1.1, 4.9, 4.7, 1.3};
  std::vector<std::vector<double>> designs;
  problem.evaluate = [&, flow = problem.evaluate](std::span<const double> x) {
    designs.emplace_back(x.begin(), x.end());
    return flow(x);
  };
  const auto result = minimised(problem, spec_of(OptimiserMethod::slsqp));
  EXPECT_EQ(designs.front(), problem.start);
  EXPECT_EQ(designs.size(), static_cast<std::size_t>(result.evaluations));
  std::sort(designs.begin(), designs.end());
  EXPECT_EQ(std::adjacent_find(designs.begin(), designs.end()), designs.end());
}

TEST(Optimise, ReportsEveryEvaluationAndTheBestOfThem) {
  const Folder folder;
  std::vector<OptimisationStep> steps;
  const auto result =
      optimise(hock_schittkowski_71(), spec_of(OptimiserMethod::slsqp), folder.log(), false,
               [&](const auto& step) { steps.push_back(step); }, {});
  ASSERT_EQ(steps.size(), static_cast<std::size_t>(result.evaluations));
  double least = no_bound;
  std::vector<double> best;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    EXPECT_EQ(steps[k].evaluation, static_cast<int>(k));
    EXPECT_FALSE(steps[k].replayed);
    const Evaluation& values = steps[k].values;
    const bool feasible = values.constraint[0] <= 1e-6 && std::abs(values.constraint[1]) <= 1e-6;
    if (feasible && values.objective < least) {
      least = values.objective;
      best = steps[k].x;
      EXPECT_TRUE(steps[k].best);
    }
  }
  EXPECT_EQ(result.best_x, best);
  EXPECT_EQ(result.best.objective, least);
}

TEST(Optimise, PrefersTheLeastViolationWhileNothingIsFeasible) {
  auto problem = hock_schittkowski_71();
  auto spec = spec_of(OptimiserMethod::slsqp);
  spec.max_evaluations = 3;
  std::map<double, std::vector<double>> by_violation;
  const Folder folder;
  const auto watch = [&](const OptimisationStep& step) {
    const auto& c = step.values.constraint;
    by_violation[std::max(c[0], std::abs(c[1]))] = step.x;
  };
  const auto result = optimise(problem, spec, folder.log(), false, watch, {});
  EXPECT_FALSE(result.feasible);
  EXPECT_EQ(result.best_x, by_violation.begin()->second);
  EXPECT_NE(result.reason.find("3 evaluations; no design met the constraints"), std::string::npos)
      << result.reason;
}

TEST(Optimise, TakesAnEqualityMissedFromBelowForMissed) {
  OptimisationProblem problem = line(1, 8);
  problem.equality = {true};
  problem.constraint_tolerance = {1e-6};
  problem.evaluate = [](std::span<const double> x) {
    return Evaluation{x[0], {1}, {x[0] - 2}, {{1}}};
  };
  auto spec = spec_of(OptimiserMethod::slsqp);
  const auto result = minimised(problem, spec);
  EXPECT_TRUE(result.feasible);
  expect_near(result.best_x, {2}, 1e-6);
  spec.max_evaluations = 1;
  EXPECT_FALSE(minimised(problem, spec).feasible);
}

TEST(Optimise, GoesOnWhereTheObjectiveRestsBeforeTheConstraintsHold) {
  const auto result = minimised(hock_schittkowski_71(), spec_of(OptimiserMethod::slsqp, 0.02));
  EXPECT_TRUE(result.feasible) << result.reason;
  EXPECT_NEAR(result.best.objective, 17.014, 0.02);
}

TEST(Optimise, EndsAtTheLimitOfEvaluations) {
  auto spec = spec_of(OptimiserMethod::lbfgs);
  spec.max_evaluations = 7;
  const auto result = minimised(rosenbrock(), spec);
  EXPECT_EQ(result.evaluations, 7);
  EXPECT_EQ(result.reason, "the limit of 7 evaluations");
}

TEST(Optimise, EndsAfterTheEvaluationDuringWhichAStopIsAsked) {
  for (const auto method : {OptimiserMethod::slsqp, OptimiserMethod::mma, OptimiserMethod::lbfgs}) {
    for (const int last : {1, 4}) {
      const Folder folder;
      int polled = 0;
      const auto result = optimise(rosenbrock(), spec_of(method), folder.log(), false, {},
                                   [&] { return ++polled == last; });
      EXPECT_EQ(result.evaluations, last);
      EXPECT_TRUE(result.interrupted);
      EXPECT_EQ(result.reason, "stopped on request");
    }
  }
}

TEST(Optimise, LetsTheErrorsOfTheFlowThrough) {
  struct OutOfMemory : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  for (const auto method : {OptimiserMethod::slsqp, OptimiserMethod::mma, OptimiserMethod::lbfgs}) {
    auto problem = rosenbrock();
    problem.evaluate = [calls = 0, flow = problem.evaluate](std::span<const double> x) mutable {
      if (++calls == 3) throw OutOfMemory("no memory");
      return flow(x);
    };
    EXPECT_THROW(minimised(problem, spec_of(method)), OutOfMemory);
  }
}

TEST(Optimise, RestartsWithinHalvedBoundsWhereTheFlowDiverges) {
  int divergences = 0;
  const auto problem = fragile(rosenbrock(), [](auto x) { return x[1] > 1.3 || x[0] < -1.5; });
  const Folder folder;
  const auto watch = [&](const OptimisationStep& step) {
    if (step.diverged.empty()) return;
    ++divergences;
    EXPECT_EQ(step.diverged, "u is NaN at step 12");
    EXPECT_TRUE(std::isnan(step.values.objective) && std::isnan(step.values.gradient[1]));
  };
  const auto result =
      optimise(problem, spec_of(OptimiserMethod::slsqp), folder.log(), false, watch, {});
  EXPECT_GE(divergences, 1);
  EXPECT_EQ(result.restarts, divergences);
  EXPECT_LT(result.best.objective, 0.5 * result.first.objective);
  EXPECT_NE(result.reason.find("restarted"), std::string::npos) << result.reason;
}

// The designs asked for, in their order, where the flow of a line diverges beyond 3.1.
std::vector<double> designs_on(const OptimisationProblem& problem) {
  std::vector<double> designs;
  const Folder folder;
  optimise(fragile(problem, [](auto x) { return std::abs(x[0]) > 3.1; }),
           spec_of(OptimiserMethod::slsqp), folder.log(), false,
           [&](const OptimisationStep& step) { designs.push_back(step.x[0]); }, {});
  return designs;
}

// 6 diverges: on from 1 up to (1+8)/2. 4.5 diverges: on from 2 up to (2+4.5)/2. 3.25 diverges: on
// from 3 up to 3.125, which is the end.
TEST(Optimise, HalvesTheBoundsAroundTheBestDesign) {
  expect_near(designs_on(line(-1, 8)), {0, 1, 6, 2, 4.5, 3, 3.25, 3.125}, 1e-9);
  expect_near(designs_on(line(1, 8)), {0, -1, -6, -2, -4.5, -3, -3.25, -3.125}, 1e-9);
}

// 6 diverges: on from 1 up to (1+6)/2. 3.5 diverges: on from 2 up to (2+3.5)/2.
TEST(Optimise, BoundsTheUnboundedByTheDesignThatDiverged) {
  expect_near(designs_on(line(-1, no_bound)), {0, 1, 6, 2, 3.5, 2.75}, 1e-9);
  expect_near(designs_on(line(1, no_bound)), {0, -1, -6, -2, -3.5, -2.75}, 1e-9);
}

TEST(Optimise, GivesUpAfterThreeRestarts) {
  int calls = 0;
  const auto problem = fragile(rosenbrock(), [&](auto) { return ++calls > 1; });
  const auto result = minimised(problem, spec_of(OptimiserMethod::slsqp));
  EXPECT_EQ(result.restarts, 3);
  EXPECT_EQ(result.evaluations, 5);
  EXPECT_EQ(result.best_x, rosenbrock().start);
  EXPECT_NE(result.reason.find("diverged after 3 restarts"), std::string::npos) << result.reason;
}

TEST(Optimise, RethrowsADivergenceAtTheStart) {
  const Folder folder;
  const auto problem = fragile(rosenbrock(), [](auto) { return true; });
  const auto spec = spec_of(OptimiserMethod::slsqp);
  EXPECT_THROW(optimise(problem, spec, folder.log(), false, {}, {}), DivergenceError);
  const auto mended = optimise(rosenbrock(), spec, folder.log(), true, {}, {});
  EXPECT_NEAR(mended.first.objective, 24.2, 1e-12) << "the divergence is not in the log";
}

TEST(Optimise, TakesAValueThatIsNotANumberForADivergence) {
  auto problem = rosenbrock();
  problem.evaluate = [calls = 0, flow = problem.evaluate](std::span<const double> x) mutable {
    Evaluation values = flow(x);
    if (++calls == 4) values.gradient[1] = std::nan("");
    return values;
  };
  const auto result = minimised(problem, spec_of(OptimiserMethod::slsqp));
  EXPECT_EQ(result.restarts, 1);
}

TEST(Optimise, RefusesMethodsThatCannotTakeTheConstraints) {
  const auto message = [](const OptimisationProblem& problem, OptimiserMethod method) {
    return message_of_case_error([&] { minimised(problem, spec_of(method)); });
  };
  EXPECT_EQ(message(between_cubics(), OptimiserMethod::lbfgs),
            "method lbfgs takes bounds only, but the case has 2 constraint(s); allowed: slsqp (any "
            "constraints), mma (inequalities)");
  EXPECT_EQ(
      message(hock_schittkowski_71(), OptimiserMethod::mma),
      "method mma takes inequalities only, but the case has 1 equality constraint(s); allowed: "
      "slsqp");
}

TEST(Optimise, RefusesProblemsThatMakeNoSense) {
  const auto refused = [](auto change) {
    auto problem = rosenbrock();
    change(problem);
    return message_of_case_error([&] { minimised(problem, spec_of(OptimiserMethod::slsqp)); });
  };
  EXPECT_EQ(refused([](auto& p) { p.start[1] = 2.5; }),
            "control 1: its start 2.5 is outside its bounds [-2, 2]");
  EXPECT_EQ(refused([](auto& p) { p.scale[0] = 0; }), "control 0: its scale 0 has to be positive");
  auto problem = rosenbrock();
  problem.scale.pop_back();
  EXPECT_THROW(minimised(problem, spec_of(OptimiserMethod::slsqp)), std::invalid_argument);
  EXPECT_THROW(minimised({}, spec_of(OptimiserMethod::slsqp)), std::invalid_argument);
}

TEST(Optimise, KeepsAControlWhoseBoundsCoincide) {
  auto problem = rosenbrock();
  problem.start = {0.3, 0.5};
  problem.lower[1] = problem.upper[1] = 0.5;
  const auto result = minimised(problem, spec_of(OptimiserMethod::slsqp));
  EXPECT_EQ(result.best_x[1], 0.5);
  EXPECT_NEAR(400 * std::pow(result.best_x[0], 3) - 198 * result.best_x[0], 2, 1e-3);
}

} // namespace
} // namespace contraflow::test
