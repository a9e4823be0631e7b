#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace contraflow {

using Vec3 = std::array<double, 3>;

// What a case file says, as plain data with every default filled in. All numbers are
// non-dimensional: lengths in reference lengths, speeds in reference speeds, density 1, unless
// the case gives other reference values. src/io/case_file.hpp reads and writes it.

/// Faces of one axis: either `cells` equal cells, or spacing h at least on [fine_low, fine_high],
/// growing smoothly outside of it.
struct AxisSpec {
  double low = 0, high = 1;           ///< ends of the domain
  int cells = 0;                      ///< > 0: uniform with so many cells; 0: stretched
  double fine_low = 0, fine_high = 0; ///< where the spacing stays h (ignored when uniform)
  double growth_low = 0;              ///< below it the spacing goes like h (1 + growth distance)
  double growth_high = 0;             ///< above it

  friend bool operator==(const AxisSpec&, const AxisSpec&) = default;
};

struct GridSpec {
  int dimension = 2;
  double spacing = 0; ///< h; where a file leaves it out, the smallest cell of its uniform axes
  std::array<AxisSpec, 3> axis;

  friend bool operator==(const GridSpec&, const GridSpec&) = default;
};

enum class BoundaryType { inflow, outflow, slip, wall, periodic };
enum class InflowProfile { uniform, parabolic, values };

struct BoundarySpec {
  BoundaryType type = BoundaryType::slip;
  InflowProfile profile = InflowProfile::uniform;
  double speed = 1;             ///< inflow: normal speed into the box (parabolic: its maximum);
                                ///< outflow: convection speed U; else without meaning
  std::vector<double> position; ///< inflow "values": coordinate along the inlet (2D: the other
                                ///< axis; 3D: the first other axis), ascending, at least two
  std::vector<double> times;    ///< knots in time for "values" (empty: steady), ascending
  std::vector<double> values;   ///< normal speed into the box, [time knot][position]
  Vec3 velocity{0, 0, 0};       ///< wall: its tangential velocity

  friend bool operator==(const BoundarySpec&, const BoundarySpec&) = default;
};

enum class Advection { kappa, central };
enum class TimeScheme { heun, ssp_rk3 };

struct FlowSpec {
  double viscosity = 0.01; ///< kinematic; from Reynolds number, reference speed and length
  double reference_length = 1, reference_speed = 1;
  Advection advection = Advection::kappa;

  friend bool operator==(const FlowSpec&, const FlowSpec&) = default;
};

struct TimeSpec {
  TimeScheme scheme = TimeScheme::heun;
  double cfl = 0;         ///< dt sum_a U/h_a; 0 where `step` is given
  double step = 0;        ///< dt; 0: from cfl and the viscous limit
  double end = 0;         ///< length of the run; 0 where `steps` is given
  long steps = 0;         ///< number of time steps; 0 where `end` is given
  std::string start_from; ///< restart file, empty: initial state

  friend bool operator==(const TimeSpec&, const TimeSpec&) = default;
};

enum class InitialFlow { uniform, taylor_green };

struct InitialSpec {
  Vec3 velocity{1, 0, 0}; ///< uniform, then projected to be free of divergence; a file that
                          ///< leaves it out means the mean inflow, or rest without one
  InitialFlow flow = InitialFlow::uniform; ///< taylor_green: vortices as wide as the box on top
  double perturbation = 0; ///< strength of a Gaussian cross-flow bump that triggers shedding
  Vec3 perturbation_centre{1.5, 0, 0};
  double perturbation_width = 1;

  friend bool operator==(const InitialSpec&, const InitialSpec&) = default;
};

enum class ShapeKind { circle, naca4, airfoil_file, fourier, sphere, plate };

struct BodySpec {
  std::string name = "body";
  ShapeKind kind = ShapeKind::circle;
  double radius = 0.5;                ///< circle, sphere, mean radius of fourier
  double thickness = 0;               ///< plate [chords]
  std::string naca = "0012";          ///< four digits
  std::string file;                   ///< airfoil_file: Selig or Lednicer coordinates
  int displacement_modes = 0;         ///< airfoil_file, naca4: B-spline displacements a surface
  std::vector<double> displacement;   ///< 2*modes: upper, then lower surface [chords]
  std::vector<double> cosine, sine;   ///< fourier, of one length:
                                      ///< r = radius + sum cosine[m-1] cos m t + sine[m-1] sin m t
  Vec3 centre{0, 0, 0};               ///< where the shape's origin (with a chord: pivot) stands
  double scale = 1;                   ///< airfoils, plate: chord; others: factor on the radius
  double pivot = 0.25;                ///< with a chord: its point at `centre` [chords]
  double angle = 0;                   ///< of attack [degrees]: nose up against flow along +x
  std::vector<double> rotation_times; ///< knots; empty: constant
  std::vector<double> rotation;       ///< angular velocity, counter-clockwise [rad/time]; empty: 0
  bool harmonic_rotation = false;     ///< then it is mean + amplitude sin(2 pi frequency t + phase)
                                      ///< of the four numbers in `rotation`, phase in degrees
  Vec3 velocity{0, 0, 0};             ///< of travel: the centre at time t is centre + velocity t
  std::vector<double> oscillation;    ///< + amplitude sin(2 pi frequency t + phase): amplitude
                                      ///< along x, y, z, frequency, phase [degrees]; empty: none

  friend bool operator==(const BodySpec&, const BodySpec&) = default;
};

/// Numbers of the method.
struct NumericsSpec {
  double mask_width = 1.5;    ///< eps/h
  double relaxation_time = 1; ///< tau U/h

  friend bool operator==(const NumericsSpec&, const NumericsSpec&) = default;
};

/// Constants fixed from the baseline case and held through every gradient and evaluation.
/// Written to the resolved case; zero where not yet computed.
struct FrozenSpec {
  double dt = 0;
  long steps = 0;
  double tau = 0, mask_shift = 0, robin_shift = 0, smoothing_speed = 0;

  friend bool operator==(const FrozenSpec&, const FrozenSpec&) = default;
};

enum class Precision { automatic, single, full };
struct OutputSpec {
  std::string directory;    ///< empty: from the case file's name
  double fields_every = 0;  ///< time between field files, 0: only the last
  double restart_every = 0; ///< time between restart files, 0: only the last
  int compression = 0;      ///< gzip level of HDF5
  std::string record;       ///< where `run` records the flow at its end as a target, empty: nowhere
  double average_from = -1; ///< start of the window of the printed means, < 0: last 40 %

  friend bool operator==(const OutputSpec&, const OutputSpec&) = default;
};

enum class ControlKind {
  shape,
  position,
  angle,
  scale,
  rotation,
  inflow,
  viscosity,
  initial,
  oscillation
};
/// Which numbers of a harmonic motion; none where it is not harmonic.
enum class MotionPart { none, mean, amplitude, frequency, phase };
struct ControlSpec {
  ControlKind kind = ControlKind::shape;
  std::string body = "body";          ///< which body, where it applies
  std::string side = "x_low";         ///< inflow: which boundary
  MotionPart part = MotionPart::none; ///< oscillation, harmonic rotation: which numbers
  std::vector<double> lower,
      upper;        ///< absolute bounds in the units of the case (angle and
                    ///< phase: degrees), one for all or one each, +-infinity or empty: none
  double scale = 1; ///< typical size of a change, for the optimiser and the certificate

  friend bool operator==(const ControlSpec&, const ControlSpec&) = default;
};

enum class TermKind { drag, lift, moment, velocity_misfit, control_effort, area };
enum class Window { square, hann };
struct TermSpec {
  TermKind kind = TermKind::drag;
  std::string body = "body";
  double weight = 1;
  double from = 0, to = -1; ///< window of the mean; to < 0: end of the run
  Window window = Window::square;
  std::array<Vec3, 2> region{}; ///< velocity_misfit: low and high corner; left out: the domain
  Vec3 target{1, 0, 0};         ///< velocity_misfit: uniform target, unless
  std::string target_file;      ///< a flow recorded by `run`, or a restart file

  friend bool operator==(const TermSpec&, const TermSpec&) = default;
};

enum class ConstraintKind { equal, at_least, at_most };
struct ConstraintSpec {
  TermSpec term;
  ConstraintKind kind = ConstraintKind::at_least;
  double value = 0;
  double tolerance = 1e-4;

  friend bool operator==(const ConstraintSpec&, const ConstraintSpec&) = default;
};

enum class OptimiserMethod { slsqp, mma, lbfgs };
struct OptimiserSpec {
  OptimiserMethod method = OptimiserMethod::slsqp;
  int max_evaluations = 50;
  double relative_tolerance = 1e-4; ///< of the objective

  friend bool operator==(const OptimiserSpec&, const OptimiserSpec&) = default;
};

struct CheckSpec {
  long steps = 300; ///< at most so many
  unsigned seed = 1;

  friend bool operator==(const CheckSpec&, const CheckSpec&) = default;
};

struct TapeSpec {
  double memory = 0; ///< bytes for stored states; 0: half of what is free

  friend bool operator==(const TapeSpec&, const TapeSpec&) = default;
};

struct Case {
  std::string path; ///< of the file, for messages
  std::string title;
  GridSpec grid;
  std::array<std::array<BoundarySpec, 2>, 3> boundary; ///< [axis][low, high]
  FlowSpec flow;
  TimeSpec time;
  InitialSpec initial;
  std::vector<BodySpec> bodies;
  NumericsSpec numerics;
  FrozenSpec frozen;
  OutputSpec output;
  std::vector<ControlSpec> controls;
  std::vector<TermSpec> objective;
  std::vector<ConstraintSpec> constraints;
  OptimiserSpec optimiser;
  CheckSpec check;
  TapeSpec tape;
  Precision precision = Precision::automatic;

  friend bool operator==(const Case&, const Case&) = default;
};

} // namespace contraflow
