#pragma once

#include "src/io/case_file.hpp"
#include "src/solver/freeze.hpp"
#include "tests/io/temporary_folder.hpp"

#include <string>
#include <vector>

namespace contraflow::test {

/// A turning cylinder between a wall and a slip side with every kind of control and of objective
/// that the flow answers; `steps` steps. In 3D the cylinder spans a periodic box.
inline std::string small_case(int dimension, int steps) {
  const bool solid = dimension == 3;
  const std::string third = solid ? ", 0" : "";
  std::string text = R"([flow]
reynolds = 40
[grid]
spacing = 0.125
x = {from = -1.75, to = 3.5, fine = [-1, 1], growth = [1, 1.5]}
y = {from = -1.75, to = 1.75, fine = [-1, 1], growth = [1, 1]}
)";
  if (solid) text += "z = {from = 0, to = 0.8, cells = 5}\n";
  text += "[boundary]\nx_high = {type = \"outflow\", speed = 1}\ny_high = \"slip\"\n";
  text += "y_low = {type = \"wall\", velocity = [1, 0" + third + "]}\n";
  if (solid) text += "z_low = \"periodic\"\nz_high = \"periodic\"\n";
  text += R"([boundary.x_low]
type = "inflow"
profile = "values"
position = [-1.75, 0, 1.75]
times = [0, 1]
values = [[1, 1.2, 0.9], [0.8, 1, 1.1]]
[initial]
perturbation = 0.3
[[body]]
name = "cylinder"
shape = "circle"
radius = 0.5
rotation = {times = [0, 1], values = [0.5, -1]}
)";
  text += "centre = [0.03, -0.02" + third + "]\n";
  text += "[time]\nstep = 0.02\nsteps = " + std::to_string(steps) + "\n";
  for (const std::string kind : {"shape", "position", "rotation", "viscosity", "initial"}) {
    text += "[[control]]\nkind = \"" + kind + "\"\n";
  }
  text += R"([[control]]
kind = "inflow"
side = "x_low"
[[objective]]
kind = "drag"
weighting = "hann"
[[objective]]
kind = "moment"
weight = 0.3
[[constraint]]
kind = "lift"
at_least = 0.1
[[objective]]
kind = "velocity_misfit"
)";
  return text + "target = [1, 0" + third + "]\nregion = {low = [1, -1" + third + "], high = [2, 1" +
         (solid ? ", 0.8" : "") + "]}\n";
}

inline Case read_small_case(int dimension, int steps) {
  const TemporaryFolder folder;
  put(folder / "small.toml", small_case(dimension, steps));
  Case c = read_case((folder / "small.toml").string());
  freeze_constants(c);
  return c;
}

} // namespace contraflow::test
