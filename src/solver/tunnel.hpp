#pragma once

#include "adjoint/objective/region_misfit.hpp"
#include "src/design/motion.hpp"
#include "src/solver/body_masks.hpp"
#include "src/solver/monitor.hpp"
#include "src/solver/wind_tunnel.hpp"

#include <memory>

namespace contraflow {

/// Distance to a target velocity in a region, as one functional's share of the flow.
template <class T> struct MisfitTerm {
  std::array<Box, 3> faces; ///< of the region, per component
  Velocity<T> target;
  std::vector<double> weights; ///< per state
  double scale = 1;            ///< 1/(U^2 volume of the region)
};

/// WindTunnel in one precision.
template <class T> class Tunnel : public WindTunnel {
public:
  Tunnel(const Case& c, const Exec& exec);

  const Case& configuration() const override { return case_; }
  const Grid& grid() const override { return model_.setup.grid; }
  Design baseline() const override { return baseline_; }
  std::vector<std::string> set_design(const Design& design) override;
  void start(const FlowState* from) override;
  void advance(long to, const std::function<bool(const StepReport&)>& after) override;
  long step() const override { return step_; }
  std::vector<FunctionalResult> evaluate(const std::vector<Functional>& functionals,
                                         const Horizon& horizon) override;
  std::vector<FunctionalResult> gradient(const std::vector<Functional>& functionals,
                                         const Horizon& horizon) override;
  const std::vector<std::vector<BodyForce>>& forces() const override { return forces_; }
  TapePlan plan(long steps, std::size_t functionals) const override;
  long long advances() const override { return advances_; }
  FlowState state() const override;
  Fields fields() const override;
  std::vector<double> adjoint_velocity(std::size_t functional) const override;
  SurfaceSensitivity surface_sensitivity(std::size_t functional, std::size_t body,
                                         const SurfaceMesh& mesh) const override;

private:
  std::vector<RigidMotion<double>> motions_of(std::size_t b, const Design& design,
                                              PlacedBody& placed) const;
  std::vector<std::string> place_bodies();
  void move_masks(long step, int stage);
  void set_inflow();
  std::vector<T> raw_initial(std::size_t component) const;
  void make_initial_state();
  void load_state(const FlowState& from);
  void restart_from_initial();
  void renew_stepper();
  void copy_state(State<T>& to, const State<T>& from) const;

  StageForces<T>* force_slot(long step);
  std::vector<BodyForce> force_of(const std::vector<StageForces<T>>& sums, std::size_t first,
                                  std::vector<BodyForce>* inertia = nullptr) const;
  void read_forces(long steps);
  typename FieldNorms<T>::Value norms(const State<T>& state);
  std::string complaint(const typename FieldNorms<T>::Value& norms) const;
  void balance(Buffer<typename ControlVolume<T>::Value>& out, long entry);
  StepReport report_of(long first, long n, const std::vector<StageForces<T>>& sums,
                       const std::vector<typename ControlVolume<T>::Value>& volumes) const;
  void keep_good_state();
  std::string find_divergence(long to);
  void check_flow(long reached, long last);
  void check_adjoint(long step);

  std::vector<std::vector<MisfitTerm<T>>> misfits_of(const std::vector<Functional>& functionals,
                                                     const Horizon& horizon);
  double misfit(const MisfitTerm<T>& term, const Velocity<T>& velocity);
  void visit_state(long n, const Velocity<T>& velocity);
  void seed_misfits(long n, const Velocity<T>& velocity);
  StepForceBar<T> force_bar(std::size_t functional, const Functional& terms, long step) const;
  void set_weights(const std::vector<Functional>& functionals, const Horizon& horizon);
  std::vector<FunctionalResult> values(const std::vector<Functional>& functionals,
                                       const Horizon& horizon) const;

  bool needs_viscosity() const;
  void reverse_with_stages(const std::vector<Functional>& functionals, const Horizon& horizon,
                           AdjointStepper<T, DeviceRunner>& by);
  void reverse_by_schedule(const std::vector<Functional>& functionals, const Horizon& horizon,
                           int slots, AdjointStepper<T, DeviceRunner>& by);
  void reverse_step(long n, const StepRecord<T>& record, const std::vector<Functional>& functionals,
                    AdjointStepper<T, DeviceRunner>& by);
  Design collect(std::size_t functional, const Functional& terms, const Horizon& horizon,
                 AdjointStepper<T, DeviceRunner>& by);
  void collect_body(std::size_t b, std::size_t functional, const Functional& terms,
                    const Horizon& horizon, Design& bar);
  void collect_travel(long step, int stage, AdjointState<T>& adjoint);
  void collect_motion(std::size_t b, std::size_t functional, const Functional& terms,
                      const Horizon& horizon, Design& bar);
  void collect_inflow(const AdjointState<T>& adjoint, Design& bar) const;

  Case case_;
  FlowModel<T> model_;
  DeviceRunner runner_;
  Design baseline_, design_;
  std::vector<PlacedBody> bodies_;
  std::unique_ptr<Stepper<T, DeviceRunner>> stepper_;
  State<T> initial_, state_, good_;
  long step_ = 0, good_step_ = 0;
  Buffer<StageForces<T>> force_sums_;
  Buffer<typename FieldNorms<T>::Value> norm_;
  Buffer<Sums<Accumulator<T>, 1>> misfit_sum_;
  std::vector<std::vector<BodyForce>> forces_; ///< [step][body]

  // Of the functionals at work.
  std::vector<std::vector<std::vector<double>>> weights_; ///< [functional][term][step]
  std::vector<std::vector<MisfitTerm<T>>> misfits_;       ///< [functional][term]
  std::vector<std::vector<double>> misfit_values_;        ///< [functional][term]
  long visited_ = -1; ///< highest state whose misfits are in the values
  std::vector<AdjointState<T>> adjoint_;
  long long advances_ = 0; ///< steps advanced by the last schedule
  std::vector<std::vector<std::array<DistanceSamples, 3>>> sample_bars_; ///< [functional][body]

  /// What the masks of a travelling body say, gathered as the steps are reversed.
  struct TravelBars {
    std::vector<double> parameters; ///< of the body
    std::vector<Vec3> displacement; ///< [step][stage]
  };
  std::vector<std::vector<TravelBars>> travel_bars_; ///< [functional][body]
};

extern template class Tunnel<float>;
extern template class Tunnel<double>;

} // namespace contraflow
