#include "src/solver/mask_shift.hpp"

#include "kernels/body/mask.hpp"

#include <Eigen/Dense>

namespace contraflow {

namespace {

/// Position of the wall, relative to d = 0, that the flow far from the mask sees.
template <class Moments>
double wall_position(double lambda, double offset, const Moments& moments) {
  constexpr int nodes = 24, middle = nodes / 2;
  const auto diffused = [lambda](int row, int column) {
    if (row == 0 || row == nodes - 1) return row == column ? 1.0 : 0.0;
    if (row == column) return 1 - 2 * lambda;
    return row - column == 1 || column - row == 1 ? lambda : 0.0;
  };
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(nodes, nodes);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(nodes);
  system(0, 0) = 1;                 // at rest deep in the body
  system(nodes - 1, nodes - 1) = 1; // unit shear far away
  system(nodes - 1, nodes - 2) = -1;
  right(nodes - 1) = 1;
  for (int row = 1; row < nodes - 1; ++row) {
    const MaskMoments<double> mask = moments(row + offset - middle);
    for (int column = 0; column < nodes; ++column) {
      const double difference = diffused(row + 1, column) - diffused(row - 1, column);
      system(row, column) = (row == column ? 1 : 0) - (1 - mask.solid) * diffused(row, column) -
                            0.5 * mask.first * difference;
    }
  }
  const Eigen::VectorXd velocity = system.partialPivLu().solve(right);
  return nodes - 1 + offset - middle - velocity(nodes - 1);
}

template <class Moments> double mean_position(double lambda, const Moments& moments) {
  constexpr int offsets = 40;
  double sum = 0;
  for (int n = 0; n < offsets; ++n) sum += wall_position(lambda, (n + 0.5) / offsets, moments);
  return sum / offsets;
}

} // namespace

double bdim_shift(double lambda, double width) {
  const MaskConstants<double> constants{1, width, 0, 0};
  return mean_position(lambda, [&](double d) { return bdim_moments(constants, d); });
}

double robin_shift(double lambda) {
  const MaskConstants<double> constants{1, 1.5, 0, 0};
  return mean_position(lambda, [&](double d) { return robin_moments(constants, d); });
}

} // namespace contraflow
