#include "adjoint/boundary/ghosts.hpp"
#include "tests/support/adjoint_pair.hpp"
#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

/// Fields as they are, ghosts included -> with their ghosts filled along every axis.
struct GhostsPair {
  std::shared_ptr<FlowModels> models;

  explicit GhostsPair(const FlowSetup& setup) : models{std::make_shared<FlowModels>(setup)} {}

  std::size_t components() const {
    return static_cast<std::size_t>(models->as<double>().components());
  }
  Blocks inputs() const {
    const Box padded = models->as<double>().layout.padded();
    const std::vector<double> block(static_cast<std::size_t>(padded.count()));
    return random_like(Blocks(components(), block), 1);
  }
  std::vector<Bar> bars() const { return std::vector<Bar>(components(), Bar::overwritten); }

  template <class T> std::vector<PaddedField<T>> fields(const BlocksOf<T>& blocks) const {
    const Layout& layout = models->as<T>().layout;
    std::vector<PaddedField<T>> fields;
    for (const auto& block : blocks) fields.emplace_back(layout, layout.padded(), block);
    return fields;
  }
  template <class T> BlocksOf<T> values(std::vector<PaddedField<T>>& fields) const {
    BlocksOf<T> blocks;
    for (auto& field : fields) blocks.push_back(field.get(models->as<T>().layout.padded()));
    return blocks;
  }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    auto filled = fields<T>(in);
    for (std::size_t a = 0; a < components(); ++a) {
      FillGhosts<T> kernel = models->as<T>().ghosts[a];
      for (std::size_t c = 0; c < components(); ++c) kernel.field[c] = filled[c].data();
      runner_for<T>()(kernel);
    }
    return values<T>(filled);
  }

  template <class T>
  void adjoint(const BlocksOf<T>&, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    auto folded = fields<T>(out_bar);
    for (std::size_t a = components(); a-- > 0;) {
      const FillGhosts<T>& filled = models->as<T>().ghosts[a];
      FillGhostsAdjoint<T> kernel{};
      for (std::size_t c = 0; c < components(); ++c) {
        kernel.field_bar[c] = folded[c].data();
        kernel.rules[c] = filled.rules[c];
      }
      kernel.fields = filled.fields;
      kernel.axis = filled.axis;
      kernel.layout = filled.layout;
      runner_for<T>()(kernel);
    }
    in_bar = values<T>(folded);
  }
};

constexpr BoundaryType inlet = BoundaryType::inflow, outlet = BoundaryType::outflow,
                       wall = BoundaryType::wall, slip = BoundaryType::slip;

TEST(FillGhosts, HasItsAdjoint) {
  const Sides tunnel{{{inlet, outlet}, {wall, slip}, periodic_sides}};
  const Sides reversed{{{outlet, inlet}, {slip, wall}, {outlet, wall}}};
  for (const Sides& sides : {tunnel, reversed}) {
    expect_adjoint_pair(pair_of(GhostsPair{box_setup(2, {30, 20, 1}, sides)}));
    expect_adjoint_pair(pair_of(GhostsPair{box_setup(3, {66, 67, 12}, sides)}));
  }
}

TEST(FillGhosts, HasTheJacobianOfItsAdjointForEveryPairOfSides) {
  for (BoundaryType low : {inlet, outlet, slip, wall}) {
    for (BoundaryType high : {inlet, outlet, slip, wall}) {
      const Sides sides{{{low, high}, periodic_sides, periodic_sides}};
      expect_equal_jacobians(pair_of(GhostsPair{box_setup(2, {3, 2, 1}, sides)}));
    }
  }
}

/// A 4 x 3 x 3 grid whose fields hold 100 i + 10 j + k, ghosts filled along every axis.
struct Filled {
  FlowModel<double> model;
  std::vector<PaddedField<double>> field;

  explicit Filled(const Sides& sides) : model{box_setup(3, {4, 3, 3}, sides), Exec::cpu()} {
    field.assign(3, PaddedField<double>{model.layout});
    for (auto& one : field) {
      each_index(model.layout.padded(),
                 [&](int i, int j, int k) { one(i, j, k) = 100 * i + 10 * j + k; });
    }
    for (FillGhosts<double> kernel : model.ghosts) {
      for (std::size_t c = 0; c < 3; ++c) kernel.field[c] = field[c].data();
      run(Exec::cpu(), kernel);
    }
  }
};

TEST(FillGhosts, PutsTheVelocityOfAMovingWallBetweenGhostAndCell) {
  Filled flow{{{{wall, wall}, {wall, wall}, periodic_sides}}};
  const double speed[3] = {0.3, -0.2, 0.1}; // of every wall
  for (std::size_t c : {std::size_t{1}, std::size_t{2}}) {
    EXPECT_NEAR(0.5 * (flow.field[c](-1, 1, 1) + flow.field[c](0, 1, 1)), speed[c], 1e-13);
    EXPECT_NEAR(0.5 * (flow.field[c](-2, 1, 1) + flow.field[c](1, 1, 1)), speed[c], 1e-13);
    EXPECT_NEAR(0.5 * (flow.field[c](4, 1, 1) + flow.field[c](3, 1, 1)), speed[c], 1e-13);
    EXPECT_NEAR(0.5 * (flow.field[c](5, 1, 1) + flow.field[c](2, 1, 1)), speed[c], 1e-13);
  }
  EXPECT_NEAR(0.5 * (flow.field[0](2, -1, 1) + flow.field[0](2, 0, 1)), speed[0], 1e-13);
  EXPECT_EQ(flow.field[0](-1, 1, 1), -111); // odd about the wall
  EXPECT_EQ(flow.field[0](-2, 1, 1), -211);
  EXPECT_EQ(flow.field[0](5, 1, 1), -311);
  EXPECT_EQ(flow.field[0](4, 1, 1), 411); // the wall's own face
}

TEST(FillGhosts, MirrorsTangentialVelocityAtSlipSides) {
  Filled flow{{{{slip, slip}, periodic_sides, periodic_sides}}};
  EXPECT_EQ(flow.field[1](-1, 1, 2), 12);
  EXPECT_EQ(flow.field[1](-2, 1, 2), 112);
  EXPECT_EQ(flow.field[1](4, 1, 2), 312);
  EXPECT_EQ(flow.field[1](5, 1, 2), 212);
  EXPECT_EQ(flow.field[0](-1, 1, 2), -112);
  EXPECT_EQ(flow.field[0](5, 1, 2), -312);
}

TEST(FillGhosts, RepeatsPeriodicSides) {
  Filled flow{{periodic_sides, periodic_sides, periodic_sides}};
  for (auto& field : flow.field) {
    EXPECT_EQ(field(-1, 1, 2), 312);
    EXPECT_EQ(field(-2, 1, 2), 212);
    EXPECT_EQ(field(4, 1, 2), 12);
    EXPECT_EQ(field(5, 1, 2), 112);
    EXPECT_EQ(field(-1, -1, 4), 321); // corners too
  }
}

TEST(FillGhosts, ContinuesInletsAndOutlets) {
  Filled flow{{{{inlet, outlet}, periodic_sides, periodic_sides}}};
  EXPECT_EQ(flow.field[0](-1, 1, 2), 12); // the inlet's face
  EXPECT_EQ(flow.field[0](-2, 1, 2), 12);
  EXPECT_EQ(flow.field[0](5, 1, 2), 412);  // the outlet's face
  EXPECT_EQ(flow.field[1](-1, 1, 2), -12); // no tangential velocity enters
  EXPECT_EQ(flow.field[1](4, 1, 2), 412);  // the outlet's plane is part of the state
  EXPECT_EQ(flow.field[1](5, 1, 2), 412);
}

} // namespace
} // namespace contraflow::test
