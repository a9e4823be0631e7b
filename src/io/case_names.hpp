#pragma once

#include "src/io/toml_table.hpp"

namespace contraflow {

// The words of a case file for the enumerations of Case, for reading and writing alike.

inline constexpr Named<Advection> advection_names[] = {{"kappa", Advection::kappa},
                                                       {"central", Advection::central}};
inline constexpr Named<TimeScheme> scheme_names[] = {{"heun", TimeScheme::heun},
                                                     {"ssp-rk3", TimeScheme::ssp_rk3}};
inline constexpr Named<InitialFlow> initial_flow_names[] = {
    {"uniform", InitialFlow::uniform}, {"taylor_green", InitialFlow::taylor_green}};
inline constexpr Named<BoundaryType> boundary_names[] = {{"inflow", BoundaryType::inflow},
                                                         {"outflow", BoundaryType::outflow},
                                                         {"slip", BoundaryType::slip},
                                                         {"wall", BoundaryType::wall},
                                                         {"periodic", BoundaryType::periodic}};
inline constexpr Named<InflowProfile> profile_names[] = {{"uniform", InflowProfile::uniform},
                                                         {"parabolic", InflowProfile::parabolic},
                                                         {"values", InflowProfile::values}};
inline constexpr Named<ShapeKind> shape_names[] = {
    {"circle", ShapeKind::circle},        {"naca", ShapeKind::naca4},
    {"airfoil", ShapeKind::airfoil_file}, {"fourier", ShapeKind::fourier},
    {"sphere", ShapeKind::sphere},        {"plate", ShapeKind::plate}};
inline constexpr Named<Precision> precision_names[] = {
    {"auto", Precision::automatic}, {"float", Precision::single}, {"double", Precision::full}};
inline constexpr Named<ControlKind> control_names[] = {{"shape", ControlKind::shape},
                                                       {"position", ControlKind::position},
                                                       {"angle", ControlKind::angle},
                                                       {"scale", ControlKind::scale},
                                                       {"rotation", ControlKind::rotation},
                                                       {"inflow", ControlKind::inflow},
                                                       {"viscosity", ControlKind::viscosity},
                                                       {"initial", ControlKind::initial},
                                                       {"oscillation", ControlKind::oscillation}};
inline constexpr Named<MotionPart> part_names[] = {{"mean", MotionPart::mean},
                                                   {"amplitude", MotionPart::amplitude},
                                                   {"frequency", MotionPart::frequency},
                                                   {"phase", MotionPart::phase}};
inline constexpr Named<TermKind> term_names[] = {{"drag", TermKind::drag},
                                                 {"lift", TermKind::lift},
                                                 {"moment", TermKind::moment},
                                                 {"velocity_misfit", TermKind::velocity_misfit},
                                                 {"control_effort", TermKind::control_effort},
                                                 {"area", TermKind::area}};
inline constexpr Named<Window> window_names[] = {{"square", Window::square},
                                                 {"hann", Window::hann}};
inline constexpr Named<ConstraintKind> constraint_names[] = {{"equals", ConstraintKind::equal},
                                                             {"at_least", ConstraintKind::at_least},
                                                             {"at_most", ConstraintKind::at_most}};
inline constexpr Named<OptimiserMethod> method_names[] = {{"slsqp", OptimiserMethod::slsqp},
                                                          {"mma", OptimiserMethod::mma},
                                                          {"lbfgs", OptimiserMethod::lbfgs}};

inline constexpr std::string_view axis_names[] = {"x", "y", "z"};
inline constexpr std::string_view side_names[] = {"x_low",  "x_high", "y_low",
                                                  "y_high", "z_low",  "z_high"};

/// The word for a value.
template <class E, std::size_t n> std::string_view name_of(E value, const Named<E> (&names)[n]) {
  for (const Named<E>& named : names) {
    if (named.value == value) return named.name;
  }
  return {};
}

/// 2 axis + (0 low, 1 high) of a side's name in a domain of `dimension` axes, or -1.
inline int side_index(std::string_view name, int dimension) {
  for (int i = 0; i < 2 * dimension; ++i) {
    if (side_names[i] == name) return i;
  }
  return -1;
}

/// Whether the key "body" means something to a control or a term of this kind.
inline bool has_body(ControlKind kind) {
  return kind != ControlKind::inflow && kind != ControlKind::viscosity &&
         kind != ControlKind::initial;
}

/// Whether it may be one of a part of a harmonic motion.
inline bool has_part(ControlKind kind) {
  return kind == ControlKind::rotation || kind == ControlKind::oscillation;
}

inline bool has_body(TermKind kind) {
  return kind != TermKind::velocity_misfit && kind != TermKind::control_effort;
}

} // namespace contraflow
