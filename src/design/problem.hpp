#pragma once

#include "src/optimize/optimizer.hpp"
#include "src/solver/wind_tunnel.hpp"

#include <span>
#include <string>
#include <vector>

namespace contraflow {

/// The optimisation problem of a case: its controls x, and objective and constraints with their
/// gradients, by the tunnel for what needs the flow and here for what does not (area, effort).
/// Functional 0 is the objective, functional 1 + i is the term of constraint i.
class Problem {
public:
  /// Throws CaseError without controls or without an objective.
  explicit Problem(WindTunnel& tunnel);

  const Controls& controls() const { return controls_; }
  std::size_t functionals() const { return all_.size(); }

  struct Values {
    std::vector<double> value;                 ///< [functional]
    std::vector<std::vector<double>> terms;    ///< [functional][term], unweighted
    std::vector<std::vector<double>> gradient; ///< [functional][control]; empty without gradients
  };
  Values values(std::span<const double> x, const Horizon& horizon);
  Values gradients(std::span<const double> x, const Horizon& horizon);

  /// As the optimiser sees it: constraint c = 0 or c <= 0.
  Evaluation evaluation(const Values& values) const;
  std::vector<bool> equalities() const;
  std::vector<double> tolerances() const;

  /// "drag", "0.5 drag + control_effort", ...
  std::string describe(std::size_t functional) const;
  std::string describe_constraint(std::size_t constraint) const;

private:
  Values combine(std::span<const double> x, const std::vector<FunctionalResult>& flow,
                 bool with_gradients) const;
  void add_host_term(const TermSpec& term, std::span<const double> x, const Design& design,
                     double& value, std::vector<double>* gradient) const;

  WindTunnel& tunnel_;
  Controls controls_;
  std::vector<Functional> all_, in_flow_;
  std::vector<std::size_t> flow_index_; ///< [functional] place in in_flow_, or none
};

} // namespace contraflow
