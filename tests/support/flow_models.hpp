#pragma once

#include "src/solver/step.hpp"
#include "tests/support/random_flow.hpp"

#include <memory>
#include <type_traits>

namespace contraflow::test {

using Sides = std::array<std::array<BoundaryType, 2>, 3>;

constexpr std::array<BoundaryType, 2> periodic_sides{BoundaryType::periodic,
                                                     BoundaryType::periodic};

/// A box of unit size. Sides move or blow at speeds that differ from one another.
inline FlowSetup box_setup(int dimension, const std::array<int, 3>& cells, const Sides& sides,
                           double stretch = 0.2) {
  FlowSetup setup;
  setup.grid.dimension = dimension;
  for (std::size_t a = 0; a < 3; ++a) {
    const bool used = static_cast<int>(a) < dimension;
    setup.grid.faces[a] = used ? wavy_faces(cells[a], stretch) : std::vector<double>{0, 1};
    for (std::size_t end = 0; end < 2; ++end) {
      setup.boundary[a][end].type = sides[a][end];
      setup.boundary[a][end].speed = 0.8 + 0.1 * static_cast<double>(2 * a + end);
      setup.boundary[a][end].velocity = {0.3, -0.2, 0.1};
    }
  }
  setup.grid.spacing = 1.0 / cells[0];
  setup.viscosity = 0.03;
  setup.dt = 0.02;
  setup.relaxation_time = 0.05;
  return setup;
}

/// The same flow in every scalar type.
class FlowModels {
public:
  explicit FlowModels(const FlowSetup& setup)
      : double_{setup, Exec::cpu()}, float_{setup, Exec::cpu()}, dual_{setup, Exec::cpu()} {}

  template <class T> FlowModel<T>& as() {
    if constexpr (std::is_same_v<T, double>)
      return double_;
    else if constexpr (std::is_same_v<T, float>)
      return float_;
    else
      return dual_;
  }

private:
  FlowModel<double> double_;
  FlowModel<float> float_;
  FlowModel<Dual> dual_;
};

/// Float and double run what is compiled into the library, dual numbers the same source here.
template <class T> auto runner_for() {
  if constexpr (std::is_same_v<T, Dual>)
    return HostRunner{};
  else
    return DeviceRunner{Exec::cpu()};
}

} // namespace contraflow::test
