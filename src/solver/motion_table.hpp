#pragma once

#include "kernels/body/rigid_motion.hpp"
#include "src/design/motion.hpp"

namespace contraflow {

/// Motion as the step reads it: the surface velocity is what it will be at the same place a
/// relaxation time tau ahead, to first order, since the flow in the body follows that late:
///
///   u_b = U + tau (dU/dt - spin x U) + (spin + tau dspin/dt) x (x - X)
RigidMotion<double> rigid_motion(const Motion& motion, const Vec3& centre, double tau);

/// Transpose: from the bars of what the step read (of the centre X, of u_b and of du_b/dt) to those
/// of the motion.
Motion rigid_motion_adjoint(const Motion& motion, const RigidMotion<double>& bar, double tau);

} // namespace contraflow
