#pragma once

#include "tests/solver/tunnel_cases.hpp"

#include <filesystem>
#include <random>

namespace contraflow::test {

/// A small case put together at random from everything that a gradient may meet: boundaries,
/// stretching, schemes, bodies, controls and objectives. The same for the same seed.
class RandomCase {
public:
  /// Files that the case needs (a recorded flow) go to `folder`.
  RandomCase(int dimension, unsigned seed, const std::filesystem::path& folder);

  const Case& made() const { return case_; } ///< with its constants frozen
  const std::string& description() const { return description_; }

private:
  int pick(int choices) { return static_cast<int>(engine_() % static_cast<unsigned>(choices)); }
  double between(double low, double high);
  void note(const std::string& what) { description_ += ' ' + what; }

  void choose_grid();
  void choose_boundaries();
  void choose_inflow(BoundarySpec& inflow, const AxisSpec& across);
  void choose_bodies();
  BodySpec random_body();
  void choose_controls();
  void choose_objectives(const std::filesystem::path& folder);
  TermSpec random_misfit();
  std::string record_flow(const std::filesystem::path& folder) const;

  Case case_;
  std::mt19937 engine_;
  std::string description_;
  bool extruded_ = false; ///< 3D: the body reaches through a short span
};

} // namespace contraflow::test
