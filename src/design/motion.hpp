#pragma once

#include "src/design/case.hpp"

#include <span>

namespace contraflow {

/// Where a body is and how it moves at one time; also the derivative of a functional by all of it.
struct Motion {
  Vec3 displacement{};             ///< of its centre, from where the case or the design puts it
  Vec3 velocity{}, acceleration{}; ///< of its centre
  double spin = 0, spin_rate = 0;  ///< angular velocity, counter-clockwise, and its rate of change
};

/// What a body does of what its case says it can: its travel, and the numbers that a design holds.
struct MotionValues {
  std::span<const double> rotation;    ///< Design::rotation of the body
  std::span<const double> oscillation; ///< Design::oscillation
};

/// Whether the centre of a body moves, so that its mask does.
bool travels(const BodySpec& spec);

/// Whether its velocity or its spin changes with time.
bool accelerates(const BodySpec& spec);

/// Where the centre has gone by then, given Design::oscillation of the body.
Vec3 displacement_at(const BodySpec& spec, std::span<const double> oscillation, double time);

Motion motion_at(const BodySpec& spec, const MotionValues& values, double time);

/// Transpose of motion_at: adds what `bar` gives to the derivatives by both lists of numbers.
void motion_adjoint(const BodySpec& spec, const MotionValues& values, double time,
                    const Motion& bar, std::span<double> rotation_bar,
                    std::span<double> oscillation_bar);

/// The values of a case, as a design holds them: phases in radians.
std::vector<double> rotation_values(const BodySpec& spec);
std::vector<double> oscillation_values(const BodySpec& spec);

/// Least and largest displacement along each axis from time 0 to `end`, which may be infinite.
std::array<Vec3, 2> sweep_of(const BodySpec& spec, double end);

} // namespace contraflow
