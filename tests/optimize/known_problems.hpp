#pragma once

#include "src/optimize/optimizer.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace contraflow::test {

constexpr double no_bound = std::numeric_limits<double>::infinity();

/// f = 100 (x1 - x0²)² + (1 - x0)²: least at (1, 1); where x0 <= 0.8, at (0.8, 0.64).
inline OptimisationProblem rosenbrock(double most_x0 = 2) {
  return {.start = {-1.2, 1},
          .lower = {-2, -2},
          .upper = {most_x0, 2},
          .scale = {1, 1},
          .equality = {},
          .constraint_tolerance = {},
          .evaluate = [](std::span<const double> x) {
            const double bend = x[1] - x[0] * x[0], rest = 1 - x[0];
            return Evaluation{100 * bend * bend + rest * rest,
                              {-400 * bend * x[0] - 2 * rest, 200 * bend},
                              {},
                              {}};
          }};
}

/// Hock and Schittkowski's problem 71: f = x0 x3 (x0 + x1 + x2) + x2, product of all at least 25,
/// sum of squares 40, each from 1 to 5. Published: f = 17.0140173 at
/// (1, 4.7429994, 3.8211503, 1.3794082).
inline OptimisationProblem hock_schittkowski_71() {
  return {.start = {1, 5, 5, 1},
          .lower = {1, 1, 1, 1},
          .upper = {5, 5, 5, 5},
          .scale = {1, 2, 1, 0.5},
          .equality = {false, true},
          .constraint_tolerance = {1e-6, 1e-6},
          .evaluate = [](std::span<const double> x) {
            const double sum = x[0] + x[1] + x[2], product = x[0] * x[1] * x[2] * x[3];
            double squares = 0;
            for (const double v : x) squares += v * v;
            return Evaluation{x[0] * x[3] * sum + x[2],
                              {x[3] * (sum + x[0]), x[0] * x[3], x[0] * x[3] + 1, x[0] * sum},
                              {25 - product, squares - 40},
                              {{-product / x[0], -product / x[1], -product / x[2], -product / x[3]},
                               {2 * x[0], 2 * x[1], 2 * x[2], 2 * x[3]}}};
          }};
}

/// f = x1 above the cubics (2 x0)³ and (1 - x0)³: least where they cross, at (1/3, 8/27).
inline OptimisationProblem between_cubics() {
  return {.start = {1.234, 5.678},
          .lower = {-no_bound, 0},
          .upper = {no_bound, no_bound},
          .scale = {1, 1},
          .equality = {false, false},
          .constraint_tolerance = {1e-7, 1e-7},
          .evaluate = [](std::span<const double> x) {
            const double rising = 2 * x[0], falling = 1 - x[0];
            return Evaluation{x[1],
                              {0, 1},
                              {rising * rising * rising - x[1], falling * falling * falling - x[1]},
                              {{6 * rising * rising, -1}, {-3 * falling * falling, -1}}};
          }};
}

inline OptimiserSpec spec_of(OptimiserMethod method, double relative_tolerance = 1e-10) {
  return {.method = method, .max_evaluations = 200, .relative_tolerance = relative_tolerance};
}

/// A folder of its own for each test, gone at its end. In memory where there is such a place: a log
/// is flushed after every record, which takes a disk milliseconds.
class Folder {
public:
  Folder() {
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK) == 0;
    const auto parent = usable ? memory : std::filesystem::temp_directory_path();
    std::string name = (parent / "contraflow-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path log() const { return path_ / "evaluations.log"; }

private:
  std::filesystem::path path_;
};

inline OptimisationResult minimised(const OptimisationProblem& problem, const OptimiserSpec& spec) {
  const Folder folder;
  return optimise(problem, spec, folder.log(), false, {}, {});
}

} // namespace contraflow::test
