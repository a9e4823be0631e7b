#include "src/design/problem.hpp"

#include "contraflow/error.hpp"

#include <fmt/format.h>

namespace contraflow {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

const char* name_of(TermKind kind) {
  const char* names[] = {"drag", "lift", "moment", "velocity misfit", "control effort", "area"};
  return names[static_cast<int>(kind)];
}

} // namespace

Problem::Problem(WindTunnel& tunnel)
    : tunnel_{tunnel}, controls_{tunnel.configuration(), tunnel.baseline()} {
  const Case& c = tunnel.configuration();
  if (c.controls.empty()) {
    throw CaseError{fmt::format(
        "{}: there is no [[control]]: nothing to differentiate with respect to", c.path)};
  }
  if (c.objective.empty()) {
    throw CaseError{fmt::format("{}: there is no [[objective]]: nothing to differentiate", c.path)};
  }
  all_.push_back({c.objective});
  for (const ConstraintSpec& constraint : c.constraints) {
    all_.push_back({{constraint.term}});
  }
  for (const Functional& functional : all_) {
    bool flows = false;
    for (const TermSpec& term : functional.terms) flows = flows || needs_flow(term);
    flow_index_.push_back(flows ? in_flow_.size() : none);
    if (flows) in_flow_.push_back(functional);
  }
}

void Problem::add_host_term(const TermSpec& term, std::span<const double> x, const Design& design,
                            double& value, std::vector<double>* gradient) const {
  const Case& c = tunnel_.configuration();
  if (term.kind == TermKind::control_effort) {
    value = controls_.effort(x, term.weight,
                             gradient == nullptr ? std::span<double>{} : std::span{*gradient});
    return;
  }
  const std::size_t b = body_index(c, term.body);
  Design bar = zero_like(design);
  value = make_body(c.bodies[b], c.grid.dimension, design.body[b])->area(bar.body[b]);
  if (gradient == nullptr) return;
  const std::vector<double> d_area = controls_.pull_back(bar);
  for (std::size_t n = 0; n < d_area.size(); ++n) (*gradient)[n] += term.weight * d_area[n];
}

Problem::Values Problem::combine(std::span<const double> x,
                                 const std::vector<FunctionalResult>& flow,
                                 bool with_gradients) const {
  const Design design = controls_.apply(x);
  Values out;
  for (std::size_t f = 0; f < all_.size(); ++f) {
    const FunctionalResult* from = flow_index_[f] == none ? nullptr : &flow[flow_index_[f]];
    double value = from == nullptr ? 0 : from->value;
    std::vector<double> gradient(controls_.size(), 0.0);
    if (with_gradients && from != nullptr) gradient = controls_.pull_back(from->gradient);
    std::vector<double> terms;
    for (std::size_t t = 0; t < all_[f].terms.size(); ++t) {
      const TermSpec& term = all_[f].terms[t];
      double of_term = from == nullptr ? 0 : from->terms[t];
      if (!needs_flow(term)) {
        add_host_term(term, x, design, of_term, with_gradients ? &gradient : nullptr);
        value += term.weight * of_term;
      }
      terms.push_back(of_term);
    }
    out.value.push_back(value);
    out.terms.push_back(terms);
    if (with_gradients) out.gradient.push_back(gradient);
  }
  return out;
}

Problem::Values Problem::values(std::span<const double> x, const Horizon& horizon) {
  tunnel_.set_design(controls_.apply(x));
  return combine(x, tunnel_.evaluate(in_flow_, horizon), false);
}

Problem::Values Problem::gradients(std::span<const double> x, const Horizon& horizon) {
  tunnel_.set_design(controls_.apply(x));
  return combine(x, tunnel_.gradient(in_flow_, horizon), true);
}

Evaluation Problem::evaluation(const Values& values) const {
  const Case& c = tunnel_.configuration();
  Evaluation out;
  out.objective = values.value[0];
  out.gradient = values.gradient[0];
  for (std::size_t i = 0; i < c.constraints.size(); ++i) {
    const double sign = c.constraints[i].kind == ConstraintKind::at_least ? -1 : 1;
    out.constraint.push_back(sign * (values.value[i + 1] - c.constraints[i].value));
    out.jacobian.push_back(values.gradient[i + 1]);
    for (double& entry : out.jacobian.back()) entry *= sign;
  }
  return out;
}

std::vector<bool> Problem::equalities() const {
  std::vector<bool> equalities;
  for (const ConstraintSpec& constraint : tunnel_.configuration().constraints) {
    equalities.push_back(constraint.kind == ConstraintKind::equal);
  }
  return equalities;
}

std::vector<double> Problem::tolerances() const {
  std::vector<double> tolerances;
  for (const ConstraintSpec& constraint : tunnel_.configuration().constraints) {
    tolerances.push_back(constraint.tolerance);
  }
  return tolerances;
}

std::string Problem::describe(std::size_t functional) const {
  std::string text;
  for (const TermSpec& term : all_[functional].terms) {
    if (!text.empty()) text += " + ";
    if (term.weight != 1) text += fmt::format("{:g} ", term.weight);
    text += name_of(term.kind);
  }
  return text;
}

std::string Problem::describe_constraint(std::size_t constraint) const {
  const char* signs[] = {"=", ">=", "<="};
  const ConstraintSpec& spec = tunnel_.configuration().constraints[constraint];
  return fmt::format("{} {} {:.6g}", describe(constraint + 1), signs[static_cast<int>(spec.kind)],
                     spec.value);
}

} // namespace contraflow
