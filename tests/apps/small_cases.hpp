#pragma once

#include <string>

namespace contraflow::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr int patience = 4; ///< by how much less work a slow build gets
#else
inline constexpr int patience = 1;
#endif

/// A box around the origin with 8 cells to a unit, without bodies.
inline const std::string tunnel = R"(title = "small"
[flow]
reynolds = 40
[grid]
spacing = 0.125
x = {from = -2, to = 4, fine = [-1, 1], growth = [1.5, 1]}
y = {from = -2, to = 2, fine = [-1, 1], growth = [1.5, 1.5]}
[boundary]
x_low = "inflow"
x_high = "outflow"
y_low = "slip"
y_high = "slip"
[time]
steps = 20
cfl = 0.3
)";

inline const std::string cylinder = tunnel + R"([[body]]
name = "cylinder"
shape = "circle"
)";

/// A cylinder that may rotate and move: two controls, an objective of two terms, a constraint.
inline const std::string problem = tunnel + R"([[body]]
name = "cylinder"
shape = "circle"
rotation = 0.5
[[control]]
kind = "rotation"
lower = -2
upper = 2
scale = 0.5
[[control]]
kind = "viscosity"
lower = 0.01
upper = 0.1
scale = 0.005
[[objective]]
kind = "drag"
[[objective]]
kind = "control_effort"
weight = 0.01
[[constraint]]
kind = "lift"
at_least = -1
[optimizer]
max_evaluations = 6
)";

/// An airfoil of which the surface may be moved.
inline const std::string foil = R"(title = "foil"
[flow]
reynolds = 200
[grid]
spacing = 0.0625
x = {from = -1.5, to = 2.5, fine = [-0.5, 1], growth = [1.5, 1.5]}
y = {from = -1.5, to = 1.5, fine = [-0.4375, 0.4375], growth = [1.5, 1.5]}
[boundary]
x_low = "inflow"
x_high = "outflow"
y_low = "slip"
y_high = "slip"
[time]
steps = 20
cfl = 0.3
[[body]]
name = "foil"
shape = "naca"
naca = "2424"
angle = 6
displacement_modes = 2
[[control]]
kind = "shape"
scale = 0.01
[[control]]
kind = "angle"
scale = 1
[[objective]]
kind = "drag"
[optimizer]
max_evaluations = 4
)";

inline const std::string sphere = R"(title = "sphere"
[flow]
reynolds = 40
[grid]
spacing = 0.125
x = {from = -1.5, to = 2, fine = [-1.125, 1.125], growth = [2, 2]}
y = {from = -1.5, to = 1.5, fine = [-1.125, 1.125], growth = [2, 2]}
z = {from = -1.5, to = 1.5, fine = [-1.125, 1.125], growth = [2, 2]}
[boundary]
x_low = "inflow"
x_high = "outflow"
y_low = "slip"
y_high = "slip"
z_low = "slip"
z_high = "slip"
[time]
steps = 4
cfl = 0.3
[[body]]
name = "ball"
shape = "sphere"
)";

inline const std::string cavity = R"(title = "cavity"
[flow]
reynolds = 100
[grid]
x = {from = 0, to = 1, cells = 16}
y = {from = 0, to = 1, cells = 16}
[boundary]
x_low = "wall"
x_high = "wall"
y_low = "wall"
y_high = {type = "wall", velocity = [1, 0]}
[time]
steps = 20
)";

inline const std::string periodic = R"(title = "periodic"
[flow]
reynolds = 100
[grid]
x = {from = 0, to = 2, cells = 24}
y = {from = 0, to = 1, cells = 16}
[boundary]
x_low = "periodic"
x_high = "periodic"
y_low = "periodic"
y_high = "periodic"
[time]
steps = 20
[initial]
velocity = [1, 0]
perturbation = 0.5
perturbation_centre = [1, 0.5]
perturbation_width = 0.2
)";

} // namespace contraflow::test
