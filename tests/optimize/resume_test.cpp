#include "tests/optimize/known_problems.hpp"

#include "contraflow/error.hpp"
#include "src/optimize/evaluation_log.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <signal.h>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace contraflow::test {
namespace {

struct Killed : std::exception {};

// The same problem in a program that is killed when the flow is computed once more than `alive`
// times.
OptimisationProblem mortal(OptimisationProblem problem, int alive) {
  problem.evaluate = [alive, flow = problem.evaluate](std::span<const double> x) mutable {
    if (--alive < 0) throw Killed();
    return flow(x);
  };
  return problem;
}

// The same problem, counting how often the flow is computed.
OptimisationProblem counted(OptimisationProblem problem, int& computed) {
  problem.evaluate = [&computed, flow = problem.evaluate](std::span<const double> x) {
    ++computed;
    return flow(x);
  };
  return problem;
}

// Rosenbrock's flow that blows up beside its valley.
OptimisationProblem fragile_rosenbrock() {
  auto problem = rosenbrock();
  problem.evaluate = [flow = problem.evaluate](std::span<const double> x) {
    if (x[1] > 1.3) throw DivergenceError("u is NaN");
    return flow(x);
  };
  return problem;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

void expect_same(const OptimisationResult& a, const OptimisationResult& b) {
  EXPECT_EQ(a.best_x, b.best_x);
  EXPECT_EQ(a.best.objective, b.best.objective);
  EXPECT_EQ(a.best.gradient, b.best.gradient);
  EXPECT_EQ(a.best.constraint, b.best.constraint);
  EXPECT_EQ(a.best.jacobian, b.best.jacobian);
  EXPECT_EQ(a.first.objective, b.first.objective);
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(a.restarts, b.restarts);
  EXPECT_EQ(a.feasible, b.feasible);
  EXPECT_EQ(a.reason, b.reason);
}

void expect_resumes_after_every_kill(const OptimisationProblem& problem, OptimiserMethod method) {
  const auto spec = spec_of(method, 1e-6);
  const Folder whole;
  const auto unbroken = optimise(problem, spec, whole.log(), false, {}, {});
  ASSERT_GT(unbroken.evaluations, 8);
  for (int alive = 0; alive < unbroken.evaluations; ++alive) {
    SCOPED_TRACE("killed after " + std::to_string(alive));
    const Folder folder;
    EXPECT_THROW(optimise(mortal(problem, alive), spec, folder.log(), false, {}, {}), Killed);
    int computed = 0, replayed = 0;
    const auto resumed =
        optimise(counted(problem, computed), spec, folder.log(), true,
                 [&](const OptimisationStep& step) { replayed += step.replayed; }, {});
    expect_same(resumed, unbroken);
    EXPECT_EQ(replayed, alive);
    EXPECT_EQ(computed, unbroken.evaluations - alive);
    EXPECT_EQ(bytes_of(folder.log()), bytes_of(whole.log()));
  }
}

TEST(Resume, EndsWhereTheUnbrokenRunEndsBySlsqp) {
  expect_resumes_after_every_kill(hock_schittkowski_71(), OptimiserMethod::slsqp);
}

TEST(Resume, EndsWhereTheUnbrokenRunEndsByMma) {
  expect_resumes_after_every_kill(between_cubics(), OptimiserMethod::mma);
}

TEST(Resume, EndsWhereTheUnbrokenRunEndsByLbfgs) {
  expect_resumes_after_every_kill(rosenbrock(), OptimiserMethod::lbfgs);
}

TEST(Resume, EndsWhereTheUnbrokenRunEndsAcrossDivergences) {
  expect_resumes_after_every_kill(fragile_rosenbrock(), OptimiserMethod::slsqp);
}

TEST(Resume, SurvivesARealKill) {
  const Folder whole, folder;
  const auto spec = spec_of(OptimiserMethod::lbfgs);
  const auto unbroken = optimise(rosenbrock(), spec, whole.log(), false, {}, {});
  const pid_t child = ::fork();
  if (child == 0) {
    auto problem = rosenbrock();
    problem.evaluate = [calls = 0, flow = problem.evaluate](std::span<const double> x) mutable {
      if (++calls == 6) ::raise(SIGKILL);
      return flow(x);
    };
    optimise(problem, spec, folder.log(), false, {}, {});
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  int computed = 0;
  expect_same(optimise(counted(rosenbrock(), computed), spec, folder.log(), true, {}, {}),
              unbroken);
  EXPECT_EQ(computed, unbroken.evaluations - 5);
}

TEST(Resume, DropsALastRecordCutShortAnywhere) {
  const Folder folder;
  auto spec = spec_of(OptimiserMethod::slsqp);
  spec.max_evaluations = 3;
  const auto three = optimise(hock_schittkowski_71(), spec, folder.log(), false, {}, {});
  const std::string bytes = bytes_of(folder.log());
  spec.max_evaluations = 2;
  optimise(hock_schittkowski_71(), spec, folder.log(), false, {}, {});
  const std::size_t whole_records = bytes_of(folder.log()).size();
  ASSERT_LT(whole_records, bytes.size());
  spec.max_evaluations = 3;
  for (std::size_t size = whole_records; size < bytes.size(); size += 7) {
    write_bytes(folder.log(), bytes.substr(0, size));
    int computed = 0;
    expect_same(
        optimise(counted(hock_schittkowski_71(), computed), spec, folder.log(), true, {}, {}),
        three);
    EXPECT_EQ(computed, 1);
    EXPECT_EQ(bytes_of(folder.log()), bytes) << "cut at " << size;
  }
}

TEST(Resume, DropsARecordWithASingleWrongBit) {
  const Folder folder;
  const auto spec = spec_of(OptimiserMethod::slsqp);
  const auto unbroken = optimise(hock_schittkowski_71(), spec, folder.log(), false, {}, {});
  const std::string bytes = bytes_of(folder.log());
  for (const std::size_t from_end : {1, 8, 9, 40, 100}) {
    std::string damaged = bytes;
    damaged[bytes.size() - from_end] = static_cast<char>(damaged[bytes.size() - from_end] ^ 4);
    write_bytes(folder.log(), damaged);
    int computed = 0;
    expect_same(
        optimise(counted(hock_schittkowski_71(), computed), spec, folder.log(), true, {}, {}),
        unbroken);
    EXPECT_EQ(computed, 1);
  }
}

TEST(Resume, GoesOnWithAHigherLimit) {
  const Folder whole, folder;
  auto spec = spec_of(OptimiserMethod::mma);
  const auto unbroken = optimise(between_cubics(), spec, whole.log(), false, {}, {});
  spec.max_evaluations = 5;
  EXPECT_EQ(optimise(between_cubics(), spec, folder.log(), false, {}, {}).evaluations, 5);
  spec.max_evaluations = 200;
  expect_same(optimise(between_cubics(), spec, folder.log(), true, {}, {}), unbroken);
}

TEST(Resume, StartsAnewWhereThereIsNoLogAndWhereItIsNotAsked) {
  const Folder folder;
  const auto spec = spec_of(OptimiserMethod::slsqp);
  int computed = 0;
  for (const bool resume : {true, false}) {
    const auto result =
        optimise(counted(rosenbrock(), computed), spec, folder.log(), resume, {}, {});
    EXPECT_EQ(computed, result.evaluations * (resume ? 1 : 2));
  }
}

TEST(Resume, LogsAnEvaluationBeforeTheOptimiserSeesIt) {
  const Folder folder;
  std::vector<std::uintmax_t> sizes;
  auto problem = rosenbrock();
  problem.evaluate = [&, flow = problem.evaluate](std::span<const double> x) {
    sizes.push_back(std::filesystem::file_size(folder.log()));
    return flow(x);
  };
  optimise(problem, spec_of(OptimiserMethod::lbfgs), folder.log(), false, {}, {});
  ASSERT_GT(sizes.size(), 3u);
  for (std::size_t k = 1; k < sizes.size(); ++k) EXPECT_EQ(sizes[k] - sizes[k - 1], 64u);
}

class RefusedLog : public ::testing::Test {
protected:
  RefusedLog() { optimise(hock_schittkowski_71(), spec_, folder_.log(), false, {}, {}); }

  template <class Change> void expect_refused(const std::string& words, Change change) {
    auto problem = hock_schittkowski_71();
    auto spec = spec_;
    change(problem, spec);
    const std::string before = bytes_of(folder_.log());
    try {
      optimise(problem, spec, folder_.log(), true, {}, {});
      ADD_FAILURE() << "accepted, though " << words;
    } catch (const CaseError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
    EXPECT_EQ(bytes_of(folder_.log()), before);
  }

  Folder folder_;
  OptimiserSpec spec_ = spec_of(OptimiserMethod::slsqp);
};

TEST_F(RefusedLog, SaysWhatIsOfAnotherProblem) {
  expect_refused("its lower bounds differ", [](auto& p, auto&) { p.lower[0] = 0.5; });
  expect_refused("its upper bounds differ", [](auto& p, auto&) { p.upper[3] = 5.5; });
  expect_refused("its start differs", [](auto& p, auto&) { p.start[1] = 4.5; });
  expect_refused("its scales differ", [](auto& p, auto&) { p.scale[2] = 2; });
  expect_refused("its case differs", [](auto& p, auto&) { p.identity = "Re 200"; });
  expect_refused("its constraints are of other kinds", [](auto& p, auto&) {
    p.equality = {true, false};
  });
  expect_refused("another number of constraints", [](auto& p, auto&) {
    p.equality.pop_back();
    p.constraint_tolerance.pop_back();
  });
  expect_refused("another number of controls", [](auto& p, auto&) {
    for (auto* part : {&p.start, &p.lower, &p.upper, &p.scale}) part->pop_back();
  });
  expect_refused("another method", [](auto& p, auto& spec) {
    p.equality = {false, false};
    spec.method = OptimiserMethod::mma;
  });
}

TEST_F(RefusedLog, SaysWhatIsNoLog) {
  write_bytes(folder_.log(), "evaluation,objective\n0,1.5\n");
  EXPECT_THROW(optimise(hock_schittkowski_71(), spec_, folder_.log(), true, {}, {}), FileError);
  EXPECT_THROW(optimise(rosenbrock(), spec_, folder_.log() / "below" / "a file", false, {}, {}),
               FileError);
}

TEST_F(RefusedLog, NamesTheEvaluationAtWhichAnotherOptimiserParts) {
  {
    const auto problem = rosenbrock();
    EvaluationLog log(folder_.log(), problem, OptimiserMethod::slsqp, false);
    log.append({problem.start, problem.evaluate(problem.start), {}});
    const std::vector<double> elsewhere{0.25, 0.5};
    log.append({elsewhere, problem.evaluate(elsewhere), {}});
  }
  try {
    optimise(rosenbrock(), spec_, folder_.log(), true, {}, {});
    ADD_FAILURE() << "replayed a design that was not asked for";
  } catch (const CaseError& error) {
    EXPECT_NE(std::string(error.what()).find("at evaluation 1 "), std::string::npos);
  }
}

} // namespace
} // namespace contraflow::test
