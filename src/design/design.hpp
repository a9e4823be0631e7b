#pragma once

#include "contraflow/grid.hpp"
#include "src/design/shape.hpp"

#include <span>
#include <string>
#include <vector>

namespace contraflow {

/// Everything that a control can change, as the flow sees it. Also the shape of a gradient: the
/// derivative of a functional with respect to each entry.
struct Design {
  double viscosity = 0;
  std::vector<std::vector<double>> body;        ///< Body::values(), per body
  std::vector<std::vector<double>> rotation;    ///< knots, per body (one: constant; none: at rest)
                                                ///< harmonic: mean, amplitude, frequency, phase
  std::vector<std::vector<double>> oscillation; ///< per body: amplitude along x, y, z, frequency,
                                                ///< phase; or none. Phases in radians
  std::array<std::array<std::vector<double>, 2>, 3> inflow; ///< per side: [time knot][position]
  std::array<std::vector<double>, 3>
      initial; ///< added to the initial velocity before its
               ///< projection, faces that are advanced, compact; or empty
};

/// The baseline of a case. `initial_faces`: how many faces each component has, 0: no such control.
Design baseline_design(const Case& c, const std::array<std::size_t, 3>& initial_faces);

/// The same shape, all zero.
Design zero_like(const Design& design);

/// How much of knots `first` and `first + 1` counts at a time: value and slope of the hat
/// functions.
struct KnotWeights {
  std::size_t first = 0, second = 0;
  double weight[2] = {1, 0}; ///< of the value
  double slope[2] = {0, 0};  ///< of the time derivative
};
KnotWeights knot_weights(const std::vector<double>& times, double time);

/// Values along an inlet as a linear function of the coefficients of one time knot: face n of the
/// plane reads sum_m weight[n][m] coefficient[index[n][m]].
struct InletShape {
  struct Share {
    std::size_t index[2] = {0, 0};
    double weight[2] = {0, 0};
  };
  std::size_t coefficients = 1; ///< per time knot
  std::vector<Share> faces;     ///< [b][a], as PrescribeInflow has them
};
InletShape inlet_shape(const BoundarySpec& side, const Grid& grid, int axis);

/// The free numbers of a case, x, and how they enter the design: design(x) is linear in each block.
class Controls {
public:
  Controls(const Case& c, const Design& baseline);

  std::size_t size() const { return start_.size(); }
  const std::vector<double>& start() const { return start_; }
  const std::vector<double>& lower() const { return lower_; }
  const std::vector<double>& upper() const { return upper_; }
  const std::vector<double>& scale() const { return scale_; }
  const std::vector<std::string>& names() const { return names_; }

  struct Group {
    std::string name; ///< "shape of body", "viscosity", ...
    std::size_t first, count;
    ControlKind kind;
    std::size_t body; ///< index of the body, where it applies
  };
  const std::vector<Group>& groups() const { return groups_; }

  Design apply(std::span<const double> x) const;
  std::vector<double> pull_back(const Design& bar) const; ///< dJ/dx

  /// Mean over the controls of ((x - rest)/scale)^2; rest is 0 for rates of rotation and
  /// for amplitudes, else the start. Adds
  /// weight times its gradient to `gradient`.
  double effort(std::span<const double> x, double weight, std::span<double> gradient) const;

private:
  /// Where the numbers of a group live in a design.
  static std::vector<double*> places(const Group& group, const ControlSpec& spec, Design& design);
  void add(const Case& c, const ControlSpec& spec);
  static std::vector<std::string> names_of(const Case& c, const Group& group, MotionPart part,
                                           std::size_t count);

  Design baseline_;
  std::vector<ControlSpec> specs_;
  std::vector<Group> groups_;
  std::vector<double> start_, lower_, upper_, scale_, rest_;
  std::vector<std::string> names_;
};

} // namespace contraflow
