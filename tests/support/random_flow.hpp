#pragma once

#include "src/solver/step_adjoint.hpp"
#include "tests/support/dual.hpp"

#include <random>
#include <vector>

namespace contraflow::test {

/// A small flow with everything switched on and random data, as a function of named blocks of
/// inputs to blocks of outputs, for any scalar type: what the dot-product tests of whole steps work
/// on.
struct RandomFlow {
  FlowSetup setup;
  Box body; ///< faces of the mask; empty: no body
  long steps = 1;

  using Blocks = std::vector<std::vector<double>>;

  /// Random blocks: velocity (padded, per component), pressure, viscosity, inflow knots per side,
  /// then, with a body: table of its motion, and distance, solid and moments per component.
  Blocks random_inputs(unsigned seed) const;

  /// Sets the velocity through slip sides and walls to zero, as it always is.
  void clear_walls(Blocks& in) const;

  /// Velocity (faces without ghosts, per component), pressure, force sums of every step.
  Blocks outputs(const Blocks& in) const;
  Blocks tangent(const Blocks& in, const Blocks& direction) const;
  Blocks adjoint(const Blocks& in, const Blocks& out_bar) const;

  /// On the device of `exec`.
  Blocks outputs_on(const Exec& exec, const Blocks& in) const;
  Blocks adjoint_on(const Exec& exec, const Blocks& in, const Blocks& out_bar) const;
};

/// Uniform in [-1, 1) of the given shape.
RandomFlow::Blocks random_like(const RandomFlow::Blocks& shape, unsigned seed);
double inner_product(const RandomFlow::Blocks& a, const RandomFlow::Blocks& b);
double magnitude(const RandomFlow::Blocks& a, const RandomFlow::Blocks& b);

/// Faces from 0 whose widths vary smoothly by `stretch` around 1/cells.
std::vector<double> wavy_faces(int cells, double stretch);

} // namespace contraflow::test
