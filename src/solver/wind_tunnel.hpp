#pragma once

#include "contraflow/exec.hpp"
#include "contraflow/grid.hpp"
#include "src/design/design.hpp"
#include "src/design/functional.hpp"
#include "src/io/restart.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace contraflow {

/// What one step did, for histories.
struct StepReport {
  long step = 0;   ///< counted from the start of the run; the state reached is step + 1
  double time = 0; ///< at the end of the step
  std::vector<BodyForce> exchange; ///< per body, by momentum exchange
  std::vector<BodyForce> balance;  ///< per body, by control volume (no moment)
};

/// A weighted sum of terms of which the gradient is wanted.
struct Functional {
  std::vector<TermSpec> terms;
};

struct FunctionalResult {
  double value = 0;
  std::vector<double> terms; ///< value of each, unweighted
  Design gradient;
};

/// Over which steps functionals are taken. A horizon shorter than the case shrinks their windows in
/// proportion.
struct Horizon {
  long steps = 0; ///< 0: the whole case
  int slots = 0;  ///< stored states; 0: as memory allows (and stage values where they fit)
  std::function<void(long done, long total)> progress; ///< steps forward and back
};

/// How a reversal is going to be done.
struct TapePlan {
  long steps = 0;
  int slots = 0;             ///< stored states
  bool keeps_stages = false; ///< all stage values fit: nothing is computed twice
  double state_bytes = 0, record_bytes = 0;
  long long advances = 0; ///< steps recomputed, beside one record a step
};

/// The flow of a case on one device: runs it, and differentiates functionals of it. Holds the
/// baseline's frozen constants; designs change what flows. Not thread-safe.
class WindTunnel {
public:
  virtual ~WindTunnel() = default;

  virtual const Case& configuration() const = 0;
  virtual const Grid& grid() const = 0;
  virtual Design baseline() const = 0;

  /// Takes over a design: masks, tables, viscosity. Throws CaseError for a body that leaves the
  /// uniform part of the grid. Warnings (thin parts) are returned.
  virtual std::vector<std::string> set_design(const Design& design) = 0;

  /// Goes to the initial state of the case, or to `from`.
  virtual void start(const FlowState* from = nullptr) = 0;

  /// Advances to step `to`; calls `after` for every step and stops early where it returns false.
  /// Throws DivergenceError naming step and field; the last good state is then in state().
  virtual void advance(long to, const std::function<bool(const StepReport&)>& after) = 0;
  virtual long step() const = 0; ///< the state reached

  /// Values of functionals over a horizon. Terms without flow count 0.
  virtual std::vector<FunctionalResult> evaluate(const std::vector<Functional>& functionals,
                                                 const Horizon& horizon) = 0;

  /// Values and gradients, by one forward run and one reversal.
  virtual std::vector<FunctionalResult> gradient(const std::vector<Functional>& functionals,
                                                 const Horizon& horizon) = 0;

  /// Forces of every step of the last evaluate() or gradient().
  virtual const std::vector<std::vector<BodyForce>>& forces() const = 0;

  virtual TapePlan plan(long steps, std::size_t functionals) const = 0;
  virtual long long advances() const = 0; ///< steps advanced by the last scheduled reversal

  virtual FlowState state() const = 0; ///< current

  /// Cell-centred fields of the current state for files: velocity [cells][3], pressure, vorticity
  /// ([cells] in 2D, [cells][3] in 3D); and the body distance on points.
  struct Fields {
    std::vector<double> velocity, pressure, vorticity, distance;
  };
  virtual Fields fields() const = 0;

  /// Of the last gradient(): dJ/d(velocity) of functional f at the initial state, cell-centred
  /// [cells][3].
  virtual std::vector<double> adjoint_velocity(std::size_t functional) const = 0;

  /// What moving the surface of a body does to a functional, per unit length (2D) or area (3D).
  struct SurfaceSensitivity {
    std::vector<double> outward; ///< dJ/d(displacement along the normal), [points]
    std::vector<double> shift;   ///< dJ/d(displacement), [points][3]; along the normal but at
                                 ///< corners, where it says what moving the corner does
  };
  /// Of the last gradient(), at the points of a mesh of body b's surface. Times the measure around
  /// each point, `outward` sums up to the change by a uniform displacement outwards, and `shift` to
  /// that by moving the body. For plane bodies in 3D of the whole span, per length.
  virtual SurfaceSensitivity surface_sensitivity(std::size_t functional, std::size_t body,
                                                 const SurfaceMesh& mesh) const = 0;
};

/// Builds the tunnel of a case whose constants are frozen. `full`: double precision, else float.
std::unique_ptr<WindTunnel> make_wind_tunnel(const Case& c, const Exec& exec, bool full);

} // namespace contraflow
