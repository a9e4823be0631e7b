#include "adjoint/boundary/mass_correction.hpp"
#include "tests/support/adjoint_pair.hpp"
#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace contraflow::test {
namespace {

/// Velocity through every open side -> the same, corrected so that as much leaves as enters.
struct MassPair {
  std::shared_ptr<FlowModels> models;

  explicit MassPair(const FlowSetup& setup) : models{std::make_shared<FlowModels>(setup)} {}

  const std::vector<OpenSide>& sides() const { return models->as<double>().open_sides; }
  Box plane(std::size_t side) const { return sides()[side].plane(models->as<double>().layout); }

  Blocks inputs() const {
    Blocks shape;
    for (std::size_t s = 0; s < sides().size(); ++s) {
      shape.emplace_back(static_cast<std::size_t>(plane(s).count()));
    }
    return random_like(shape, 1);
  }
  std::vector<Bar> bars() const { return std::vector<Bar>(sides().size(), Bar::overwritten); }

  template <class T> std::vector<PaddedField<T>> fields(const BlocksOf<T>& blocks) const {
    std::vector<PaddedField<T>> fields(3, PaddedField<T>{models->as<T>().layout});
    for (std::size_t s = 0; s < sides().size(); ++s) {
      fields[static_cast<std::size_t>(sides()[s].axis)].set(plane(s), blocks[s]);
    }
    return fields;
  }
  template <class T> BlocksOf<T> values(std::vector<PaddedField<T>>& fields) const {
    BlocksOf<T> blocks;
    for (std::size_t s = 0; s < sides().size(); ++s) {
      blocks.push_back(fields[static_cast<std::size_t>(sides()[s].axis)].get(plane(s)));
    }
    return blocks;
  }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    FlowModel<T>& model = models->as<T>();
    auto velocity = fields<T>(in);
    auto run_kernel = runner_for<T>();
    std::vector<Sums<Accumulator<T>, 1>> fluxes(sides().size());
    for (std::size_t s = 0; s < sides().size(); ++s) {
      const auto axis = static_cast<std::size_t>(sides()[s].axis);
      run_kernel.sum(SideFlux<T>{velocity[axis].data(), sides()[s], model.metric, model.layout},
                     &fluxes[s]);
    }
    for (const OpenSide& side : sides()) {
      if (!side.outlet) continue;
      const auto axis = static_cast<std::size_t>(side.axis);
      run_kernel(CorrectMass<T>{fluxes.data(), velocity[axis].data(),
                                static_cast<int>(sides().size()), model.outlet_area, side,
                                model.layout});
    }
    return values<T>(velocity);
  }

  template <class T>
  void adjoint(const BlocksOf<T>&, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    FlowModel<T>& model = models->as<T>();
    auto bar = fields<T>(out_bar);
    auto run_kernel = runner_for<T>();
    std::vector<Sums<Accumulator<T>, 1>> corrections;
    for (const OpenSide& side : sides()) {
      if (!side.outlet) continue;
      corrections.emplace_back();
      const auto axis = static_cast<std::size_t>(side.axis);
      run_kernel.sum(CorrectionBar<T>{bar[axis].data(), side, model.layout}, &corrections.back());
    }
    for (const OpenSide& side : sides()) {
      run_kernel(CorrectMassAdjoint<T>{corrections.data(),
                                       bar[static_cast<std::size_t>(side.axis)].data(),
                                       static_cast<int>(corrections.size()), model.outlet_area,
                                       side, model.metric, model.layout});
    }
    in_bar = values<T>(bar);
  }
};

constexpr BoundaryType inlet = BoundaryType::inflow, outlet = BoundaryType::outflow,
                       wall = BoundaryType::wall;

TEST(CorrectMass, HasItsAdjoint) {
  const Sides around{{{outlet, inlet}, {inlet, outlet}, {wall, outlet}}};
  expect_adjoint_pair(pair_of(MassPair{box_setup(2, {12, 11, 1}, around)}));
  expect_adjoint_pair(pair_of(MassPair{box_setup(3, {4, 65, 66}, around, 0.1)}));
  expect_equal_jacobians(pair_of(MassPair{box_setup(2, {5, 4, 1}, around)}));
  expect_equal_jacobians(pair_of(MassPair{box_setup(3, {4, 3, 3}, around)}));
}

TEST(CorrectMass, LetsAsMuchLeaveAsEnters) {
  FlowSetup setup = box_setup(2, {4, 2, 1}, {{{inlet, outlet}, {outlet, wall}, periodic_sides}});
  setup.grid.faces = {std::vector<double>{0, 1, 2, 3, 5}, {0, 0.5, 2}, {0, 1}};
  const MassPair pair{setup}; // inlet of area 2; outlets of area 2 (right) and 5 (bottom)
  const Blocks corrected = pair.forward<double>({{3, 3}, {1, 1}, {-0.2, -0.2, -0.2, -0.2}});
  const double correction = (3.0 * 2 - 1.0 * 2 - 0.2 * 5) / 7;
  const std::vector<double> inlet_values{3, 3}, right(2, 1 + correction),
      bottom(4, -0.2 - correction);
  EXPECT_EQ(corrected[0], inlet_values);
  for (double x : corrected[1]) EXPECT_NEAR(x, right[0], 1e-15);
  for (double x : corrected[2]) EXPECT_NEAR(x, bottom[0], 1e-15);
}

TEST(SideFlux, WeighsFacesWithTheirAreas) {
  FlowSetup setup = box_setup(2, {4, 2, 1}, {{{inlet, outlet}, periodic_sides, periodic_sides}});
  setup.grid.faces = {std::vector<double>{0, 1, 2, 3, 4}, {0, 0.5, 2}, {0, 1}};
  FlowModel<double> model{setup, Exec::cpu()};
  PaddedField<double> velocity{model.layout};
  for (int i : {0, 4}) {
    velocity(i, 0) = 2;
    velocity(i, 1) = 4;
  }
  DeviceRunner run_kernel{Exec::cpu()};
  for (const OpenSide& side : model.open_sides) {
    Sums<double, 1> flux;
    run_kernel.sum(SideFlux<double>{velocity.data(), side, model.metric, model.layout}, &flux);
    EXPECT_DOUBLE_EQ(flux.value[0], side.outlet ? 7 : -7);
  }
}

} // namespace
} // namespace contraflow::test
