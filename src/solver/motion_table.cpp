#include "src/solver/motion_table.hpp"

namespace contraflow {

RigidMotion<double> rigid_motion(const Motion& motion, const Vec3& centre, double tau) {
  const Vec3& u = motion.velocity;
  const double turned[3] = {-motion.spin * u[1], motion.spin * u[0], 0}; // spin x U
  RigidMotion<double> out;
  for (std::size_t a = 0; a < 3; ++a) {
    out.centre[a] = centre[a] + motion.displacement[a];
    out.velocity.linear[a] = u[a] + tau * (motion.acceleration[a] - turned[a]);
    out.acceleration.linear[a] = motion.acceleration[a];
  }
  out.velocity.angular = motion.spin + tau * motion.spin_rate;
  out.acceleration.angular = motion.spin_rate;
  return out;
}

Motion rigid_motion_adjoint(const Motion& motion, const RigidMotion<double>& bar, double tau) {
  const auto& u_bar = bar.velocity.linear;
  Motion out;
  for (std::size_t a = 0; a < 3; ++a) {
    out.displacement[a] = bar.centre[a];
    out.velocity[a] = u_bar[a];
    out.acceleration[a] = tau * u_bar[a] + bar.acceleration.linear[a];
  }
  out.velocity[0] -= tau * motion.spin * u_bar[1];
  out.velocity[1] += tau * motion.spin * u_bar[0];
  out.spin =
      bar.velocity.angular + tau * (u_bar[0] * motion.velocity[1] - u_bar[1] * motion.velocity[0]);
  out.spin_rate = tau * bar.velocity.angular + bar.acceleration.angular;
  return out;
}

} // namespace contraflow
