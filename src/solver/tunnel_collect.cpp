// From the bars of masks, tables and fields to the gradient of a design, and to fields for files.
#include "src/design/surface_shares.hpp"
#include "src/solver/motion_table.hpp"
#include "src/solver/tunnel.hpp"

#include <algorithm>
#include <cmath>

namespace contraflow {

template <class T> Design Tunnel<T>::collect(std::size_t functional, const Functional& terms,
                                             const Horizon& horizon,
                                             AdjointStepper<T, DeviceRunner>& by) {
  Design bar = zero_like(design_);
  AdjointState<T>& adjoint = adjoint_[functional];
  for (const T share : adjoint.viscosity.download()) bar.viscosity += static_cast<double>(share);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    collect_body(b, functional, terms, horizon, bar);
  }
  collect_inflow(adjoint, bar);
  if (design_.initial[0].empty()) {
    by.fold_ghosts(adjoint.velocity);
    return bar;
  }
  const Velocity<T>& raw = by.project_initial(adjoint);
  for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
    bar.initial[c] = detail::download_compact(raw[c], model_.layout, model_.faces[c]);
  }
  return bar;
}

namespace {

/// Transpose of the distances of a body over the faces near it, added to its parameters' bars.
template <class T> void pull_back(const PlacedBody& placed, const FlowModel<T>& model,
                                  std::array<DistanceSamples, 3>& bars,
                                  std::vector<double>& parameters) {
  const MaskReach reach = mask_reach(model);
  if (placed.body->dimension() < model.components()) { // extruded: no change along the span
    for (DistanceSamples& samples : bars) {
      std::fill(samples.lower[2].begin(), samples.lower[2].end(), 0.0);
      std::fill(samples.upper[2].begin(), samples.upper[2].end(), 0.0);
    }
  }
  for (std::size_t c = 0; c < static_cast<std::size_t>(model.components()); ++c) {
    sample_distance_adjoint(*placed.body, placed.faces[c], model.components(), reach.spacing,
                            reach.probe, reach.outside, placed.samples[c], bars[c], parameters);
  }
}

} // namespace

/// Takes the bars of the masks of travelling bodies at a stage: to their parameters, and to the
/// displacement, which moves the distances as the centre does.
template <class T> void Tunnel<T>::collect_travel(long step, int stage, AdjointState<T>& adjoint) {
  const auto functional = static_cast<std::size_t>(&adjoint - adjoint_.data());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    PlacedBody& placed = bodies_[b];
    if (placed.displacement.empty()) continue;
    std::array<DistanceSamples, 3> bars =
        sample_bars(model_, runner_, model_.bodies[b], placed.near, adjoint.mask[b]);
    std::vector<double> parameters(design_.body[b].size(), 0.0);
    pull_back(placed, model_, bars, parameters);
    TravelBars& travel = travel_bars_[functional][b];
    travel.parameters.resize(parameters.size(), 0.0);
    travel.displacement.resize(placed.displacement.size());
    for (std::size_t p = 0; p < parameters.size(); ++p) travel.parameters[p] += parameters[p];
    const auto centre = static_cast<std::size_t>(placed.body->shape_parameters());
    for (std::size_t a = 0; a < static_cast<std::size_t>(placed.body->dimension()); ++a) {
      travel.displacement[model_.table_index(step, stage, 1, 0)][a] += parameters[centre + a];
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
      auto& mask = adjoint.mask[b];
      mask.solid[c].zero();
      mask.distance[c].zero();
      for (Buffer<T>& moment : mask.moment[c]) moment.zero();
    }
  }
}

template <class T> void Tunnel<T>::collect_body(std::size_t b, std::size_t functional,
                                                const Functional& terms, const Horizon& horizon,
                                                Design& bar) {
  sample_bars_[functional].emplace_back();
  if (bodies_[b].displacement.empty()) {
    auto& bars = sample_bars_[functional].back();
    bars = sample_bars(model_, runner_, model_.bodies[b], bodies_[b].near,
                       adjoint_[functional].mask[b]);
    pull_back(bodies_[b], model_, bars, bar.body[b]);
  } else {
    bar.body[b] = travel_bars_[functional][b].parameters;
  }
  collect_motion(b, functional, terms, horizon, bar);
}

/// From what the steps read of a body's motion to its centre and to the numbers of its motion.
template <class T> void Tunnel<T>::collect_motion(std::size_t b, std::size_t functional,
                                                  const Functional& terms, const Horizon& horizon,
                                                  Design& bar) {
  const auto velocity_bars = adjoint_[functional].surface_velocity.download();
  const auto acceleration_bars = adjoint_[functional].surface_acceleration.download();
  const auto motions = model_.motion.download();
  const auto sums = force_sums_.download();
  const BodySpec& spec = case_.bodies[b];
  const MotionValues values{design_.rotation[b], design_.oscillation[b]};
  const TravelBars& travel = travel_bars_[functional][b];
  const auto centre = static_cast<std::size_t>(bodies_[b].body->shape_parameters());
  for (long n = 0; n < horizon.steps; ++n) {
    const double moment_bar = static_cast<double>(force_bar(functional, terms, n)[b].moment);
    for (int k = 0; k < model_.stage_count(); ++k) {
      const std::size_t entry = model_.table_index(n, k, bodies_.size(), b);
      const double weight = model_.stages[static_cast<std::size_t>(k)].force_weight;
      const RigidMotion<double> by_table =
          motion_bar(motions[entry], velocity_bars[entry], acceleration_bars[entry], sums[entry],
                     weight * moment_bar);
      for (std::size_t a = 0; a < 2; ++a) bar.body[b][centre + a] += by_table.centre[a];
      const double time = model_.data_time(n, k), tau = model_.setup.relaxation_time;
      Motion of_motion = rigid_motion_adjoint(motion_at(spec, values, time), by_table, tau);
      if (!travel.displacement.empty()) {
        const Vec3& by_mask = travel.displacement[model_.table_index(n, k, 1, 0)];
        for (std::size_t a = 0; a < 3; ++a) of_motion.displacement[a] += by_mask[a];
      }
      motion_adjoint(spec, values, time, of_motion, bar.rotation[b], bar.oscillation[b]);
    }
  }
}

template <class T>
void Tunnel<T>::collect_inflow(const AdjointState<T>& adjoint, Design& bar) const {
  for (std::size_t s = 0; s < model_.inflows.size(); ++s) {
    const InflowSide<T>& inflow = model_.inflows[s];
    const auto axis = static_cast<std::size_t>(inflow.side.axis);
    const std::size_t end = inflow.side.outward > 0 ? 1 : 0;
    const InletShape shape = inlet_shape(case_.boundary[axis][end], grid(), inflow.side.axis);
    const std::vector<T> knots = adjoint.inflow[s].download();
    std::vector<double>& values = bar.inflow[axis][end];
    for (std::size_t n = 0; n < knots.size(); ++n) {
      const InletShape::Share& share = shape.faces[n % shape.faces.size()];
      double* at = values.data() + n / shape.faces.size() * shape.coefficients;
      const double knot = -inflow.side.outward * static_cast<double>(knots[n]);
      at[share.index[0]] += share.weight[0] * knot;
      at[share.index[1]] += share.weight[1] * knot;
    }
  }
}

template <class T> std::vector<double> Tunnel<T>::adjoint_velocity(std::size_t functional) const {
  const AdjointState<T>& adjoint = adjoint_[functional];
  const Layout& layout = model_.layout;
  std::array<std::vector<T>, 3> bar;
  for (std::size_t c = 0; c < 3; ++c) bar[c] = adjoint.velocity[c].download();
  const auto width = [&](int a, int m) {
    return detail::width_of(grid().faces[static_cast<std::size_t>(a)], m,
                            model_.periodic[static_cast<std::size_t>(a)]);
  };
  std::vector<double> out;
  const Box cells = layout.interior();
  for (int k = 0; k < cells.hi[2]; ++k) {
    for (int j = 0; j < cells.hi[1]; ++j) {
      for (int i = 0; i < cells.hi[0]; ++i) {
        const double volume = width(0, i) * width(1, j) * (layout.dimension == 3 ? width(2, k) : 1);
        const int x[3] = {i, j, k};
        const auto n = static_cast<std::size_t>(layout.index(i, j, k));
        for (int c = 0; c < 3; ++c) {
          const auto at = static_cast<std::size_t>(c);
          const bool exists = c < layout.dimension;
          const bool wraps = exists && model_.periodic[at] && x[c] + 1 == layout.cells[c];
          const int to_next = wraps ? -x[c] * layout.stride[c] : layout.stride[c];
          const auto next = static_cast<std::size_t>(static_cast<int>(n) + to_next);
          out.push_back(exists ? 0.5 * static_cast<double>(bar[at][n] + bar[at][next]) / volume
                               : 0);
        }
      }
    }
  }
  return out;
}

template <class T>
WindTunnel::SurfaceSensitivity Tunnel<T>::surface_sensitivity(std::size_t functional,
                                                              std::size_t body,
                                                              const SurfaceMesh& mesh) const {
  const MaskReach reach = mask_reach(model_);
  const PlacedBody& placed = bodies_[body];
  const SurfaceShares shares{mesh};
  std::vector<double> outward(mesh.points.size(), 0.0);
  std::array<std::vector<double>, 3> shift{outward, outward, outward};
  for (std::size_t c = 0; c < static_cast<std::size_t>(model_.components()); ++c) {
    for_each_pull(*placed.body, placed.faces[c], model_.components(), reach.spacing, reach.probe,
                  reach.outside, placed.samples[c], sample_bars_[functional][body][c],
                  [&](const ClosestPoint& at, double bar) {
                    const SurfaceShares::Share share = shares.of(at.point);
                    share.add(-bar, outward);
                    for (std::size_t a = 0; a < 3; ++a) share.add(-bar * at.normal[a], shift[a]);
                  });
  }
  SurfaceSensitivity out;
  for (std::size_t n = 0; n < outward.size(); ++n) {
    out.outward.push_back(outward[n] / shares.measure()[n]);
    for (std::size_t a = 0; a < 3; ++a) out.shift.push_back(shift[a][n] / shares.measure()[n]);
  }
  return out;
}

template <class T> WindTunnel::Fields Tunnel<T>::fields() const {
  const Layout& layout = model_.layout;
  const int dimension = model_.components();
  std::array<std::vector<T>, 3> u;
  for (std::size_t c = 0; c < 3; ++c) u[c] = state_.velocity[c].download();
  const std::vector<T> p = state_.pressure.download();
  const auto spacing = [&](int a, int face) {
    const auto& faces = grid().faces[static_cast<std::size_t>(a)];
    const bool wraps = model_.periodic[static_cast<std::size_t>(a)];
    return 0.5 * (detail::width_of(faces, face - 1, wraps) + detail::width_of(faces, face, wraps));
  };
  const auto value = [&](int c, int n) {
    return static_cast<double>(u[static_cast<std::size_t>(c)][static_cast<std::size_t>(n)]);
  };
  /// du_b/dx_a - du_a/dx_b, the mean of the four edges of a cell.
  const auto curl = [&](int a, int b, const int(&x)[3]) {
    double sum = 0;
    for (int up = 0; up < 2; ++up) {
      for (int right = 0; right < 2; ++right) {
        int at[3] = {x[0], x[1], x[2]};
        at[a] += right;
        at[b] += up;
        const int n = layout.index(at[0], at[1], at[2]);
        sum += (value(b, n) - value(b, n - layout.stride[a])) / spacing(a, at[a]) -
               (value(a, n) - value(a, n - layout.stride[b])) / spacing(b, at[b]);
      }
    }
    return sum / 4;
  };
  Fields out;
  const Box cells = layout.interior();
  for (int k = 0; k < cells.hi[2]; ++k) {
    for (int j = 0; j < cells.hi[1]; ++j) {
      for (int i = 0; i < cells.hi[0]; ++i) {
        const int x[3] = {i, j, k};
        const int n = layout.index(i, j, k);
        for (int c = 0; c < 3; ++c) {
          out.velocity.push_back(
              c < dimension ? 0.5 * (value(c, n) + value(c, n + layout.stride[c])) : 0);
        }
        out.pressure.push_back(static_cast<double>(p[static_cast<std::size_t>(n)]));
        if (dimension == 3) {
          out.vorticity.push_back(curl(1, 2, x));
          out.vorticity.push_back(curl(2, 0, x));
        }
        out.vorticity.push_back(curl(0, 1, x));
      }
    }
  }
  if (bodies_.empty()) return out;
  const auto& faces = grid().faces;
  const std::size_t nx = faces[0].size(), ny = faces[1].size(), nz = faces[2].size();
  out.distance.resize(nx * ny * nz);
  std::vector<Vec3> moved;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    moved.push_back(displacement_at(case_.bodies[b], design_.oscillation[b],
                                    static_cast<double>(step_) * model_.setup.dt));
  }
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < ny * nz; ++row) {
    for (std::size_t i = 0; i < nx; ++i) {
      double nearest = 1e300;
      for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const double z = dimension == 3 ? faces[2][row / ny] - moved[b][2] : 0;
        const Vec3 x{faces[0][i] - moved[b][0], faces[1][row % ny] - moved[b][1], z};
        nearest = std::min(nearest, bodies_[b].body->closest(x).distance);
      }
      out.distance[row * nx + i] = nearest;
    }
  }
  return out;
}

template class Tunnel<float>;
template class Tunnel<double>;

} // namespace contraflow
