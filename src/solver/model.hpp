#pragma once

#include "contraflow/grid.hpp"
#include "contraflow/layout.hpp"
#include "kernels/body/mask.hpp"
#include "kernels/body/predictor.hpp"
#include "kernels/boundary/ghosts.hpp"
#include "kernels/boundary/inflow.hpp"
#include "kernels/boundary/mass_correction.hpp"
#include "kernels/metric.hpp"
#include "kernels/momentum/flux.hpp"
#include "src/core/buffer.hpp"
#include "src/design/case.hpp"
#include "src/pressure/poisson.hpp"

#include <array>
#include <functional>
#include <vector>

namespace contraflow {

/// One Runge-Kutta stage: u* = A u0 + B W, projected over C dt. Data of the body are taken at
/// t + data_time dt, boundary values at t + result_time dt.
struct Stage {
  double start, euler, projection; ///< A, B, C
  double data_time, result_time;
  double force_weight; ///< w of the momentum exchange
};

std::vector<Stage> stages_of(TimeScheme scheme);

/// What a step is made of, in plain numbers: the same for every scalar type.
struct FlowSetup {
  Grid grid;
  std::array<std::array<BoundarySpec, 2>, 3> boundary;
  Advection advection = Advection::kappa;
  TimeScheme scheme = TimeScheme::heun;
  double viscosity = 0.01;
  double dt = 0.01;
  double relaxation_time = 0.01;          ///< tau
  double smoothing_speed = 0.05;          ///< 0.05 U of the upwind flux
  double mask_width = 1.5;                ///< eps/h
  double mask_shift = 0, robin_shift = 0; ///< in cells
  long steps = 1;                         ///< length of the tables of time-dependent data
};

/// Velocity components, padded; 2D: two.
template <class T> using Velocity = std::array<Buffer<T>, 3>;

/// The flow between two steps.
template <class T> struct State {
  Velocity<T> velocity; ///< faces, with ghosts filled
  Buffer<T> pressure;   ///< cells
};

/// Mask of one velocity component on the box around a body.
template <class T> struct ComponentMask {
  Buffer<T> centre, thinness, solid; ///< see BodyMask
  std::array<Buffer<T>, 3> lower, upper, moment;
};

template <class T> struct BodyModel {
  Layout layout;            ///< of the box, indexed by the indices of the grid
  Box box, ring;            ///< faces of the mask, wherever the body goes, and one layer more
  double centre[3];         ///< of rotation and moments, of a body at rest
  bool accelerates = false; ///< its motion changes with time: it has inertia
  std::array<ComponentMask<T>, 3> mask;
  Velocity<T> predictor, force; ///< work
};

/// An outflow plane of one component.
struct OutflowPlane {
  int component;
  Box plane;
  int inward;     ///< stride
  double courant; ///< dt U / distance
};

template <class T> struct InflowSide {
  OpenSide side;
  Buffer<T> knots;           ///< velocity along the axis (signed), [knot][b][a]
  std::vector<double> times; ///< of the knots; one: steady
};

/// Everything the step reads but the state: grid, constants, boundaries, masks and tables, in the
/// memory of one back end. A template over the scalar, so that dual numbers go the same way.
template <class T> class FlowModel {
public:
  FlowModel(const FlowSetup& setup, const Exec& exec);

  int components() const { return layout.dimension; }
  int stage_count() const { return static_cast<int>(stages.size()); }
  State<T> make_state() const;
  Velocity<T> make_velocity() const;

  /// Adds a body whose mask lies in `box` (faces); its mask is zero until set. `centre` of
  /// rotation while it is at rest.
  BodyModel<T>& add_body(const Box& box, const std::array<double, 3>& centre);

  MaskConstants<T> mask_constants() const;

  /// Entry of the tables of data that change with time.
  std::size_t table_index(long step, int stage, std::size_t columns, std::size_t column) const {
    return (static_cast<std::size_t>(step) * stages.size() + static_cast<std::size_t>(stage)) *
               columns +
           column;
  }
  /// Fills motion and inflow times of every step and stage. By body and entry; empty: at rest.
  void set_tables(const std::vector<std::vector<RigidMotion<double>>>& motion_by_body);
  double data_time(long step, int stage) const;
  double result_time(long step, int stage) const;

  FlowSetup setup;
  Exec exec;
  Layout layout;
  std::vector<Stage> stages;
  AdvectionWeights<T> advection;
  T viscosity;
  Metric<T> metric;
  std::array<bool, 3> periodic{};
  std::array<Box, 3> faces;                       ///< the faces that are advanced, per component
  std::array<FillGhosts<T>, 3> ghosts;            ///< rules along each axis (fields to be set)
  std::array<FillGhosts<T>, 3> periodic_velocity; ///< the periodic ones alone
  std::array<FillGhosts<T>, 3> periodic_cells;    ///< of a cell field
  std::vector<OpenSide> open_sides;               ///< inlets, then outlets
  std::vector<InflowSide<T>> inflows;
  std::vector<OutflowPlane> outflows;
  T outlet_area = T(0);
  int outlets = 0;
  std::vector<BodyModel<T>> bodies;
  /// Puts the masks of bodies that travel where they are at the data time of a step's stage, before
  /// they are read; empty where none travels.
  std::function<void(long step, int stage)> place_masks;
  Buffer<RigidMotion<T>> motion; ///< [step][stage][body]
  Buffer<KnotTime<T>> knot_time; ///< [step][stage][inflow]
  PoissonSolver<T> poisson;
  Buffer<T> cells, phi; ///< work: compact and padded
  Buffer<Sums<Accumulator<T>, 1>> side_fluxes;

private:
  void build_metric();
  void build_boundaries();
  void build_outlet(int axis, int end, double speed);

  Buffer<T> metric_storage_;
};

} // namespace contraflow

#include "src/solver/model_impl.hpp"
