#pragma once

#include "adjoint/body/mask.hpp"
#include "src/design/distance.hpp"
#include "src/solver/step_adjoint.hpp"

#include <string>
#include <vector>

namespace contraflow {

/// A body in the flow: its shape, where its mask lies, and the distances the mask was made from.
struct PlacedBody {
  std::unique_ptr<Body> body;
  Box box;                         ///< faces that its mask touches on its whole way
  std::vector<Vec3> displacement;  ///< of its centre, [step][stage]; empty: it stays where it is
  double time = -1;                ///< at which the mask was made, where it travels
  Box near;                        ///< faces that the mask touches now
  std::array<FacePoints, 3> faces; ///< these, per component, seen from where the body was placed
  std::array<DistanceSamples, 3> samples; ///< on them
};

/// How far outside the surface the mask reaches, within what distance the cells must be uniform
/// (beyond it the mask holds about 3 %), and how deep the thin detector probes.
struct MaskReach {
  double spacing, outside, uniform, probe;
};
template <class T> MaskReach mask_reach(const FlowModel<T>& model) {
  const FlowSetup& setup = model.setup;
  const double bdim = setup.mask_width - setup.mask_shift, h = setup.grid.spacing;
  return {h, std::max(bdim, 3.1 - setup.robin_shift) * h,
          std::max(bdim, 2.5 - setup.robin_shift) * h, 1.5 * h};
}

/// Face coordinates of one component over a box, less a displacement.
FacePoints face_points(const Grid& grid, const Box& box, int component,
                       const Vec3& displacement = {});

/// Least and largest displacement of a way; zero where it is empty.
std::array<Vec3, 2> sweep_of(const std::vector<Vec3>& displacement);

/// The box of faces that a mask can touch between two displacements of its body.
Box touched_box(const Grid& grid, const Body& body, double reach, const std::array<Vec3, 2>& sweep);

/// The same. Throws CaseError where it leaves the domain, comes within three cells of its boundary,
/// or where cells that have to be uniform are not h wide.
Box mask_box(const Grid& grid, const Body& body, const MaskReach& reach,
             const std::array<Vec3, 2>& sweep, const std::string& name);

/// Half-thickness of the thinnest part that the probes found, that of the probe where all are
/// thicker.
double thinnest_part(const DistanceSamples& samples, const MaskReach& reach);

namespace detail {

/// Compact values over a box into the padded layout of a body; `rest` outside of the box.
template <class T> void upload_compact(Buffer<T>& buffer, const Layout& layout, const Box& box,
                                       const std::vector<double>& values, double rest = 0) {
  std::vector<T> host(buffer.size(), static_cast<T>(rest));
  std::size_t n = 0;
  for (int k = box.lo[2]; k < box.hi[2]; ++k) {
    for (int j = box.lo[1]; j < box.hi[1]; ++j) {
      for (int i = box.lo[0]; i < box.hi[0]; ++i) {
        host[static_cast<std::size_t>(layout.index(i, j, k))] = static_cast<T>(values[n++]);
      }
    }
  }
  buffer.upload(host);
}

template <class T> std::vector<double> download_compact(const Buffer<T>& buffer,
                                                        const Layout& layout, const Box& box) {
  const std::vector<T> host = buffer.download();
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(box.count()));
  for (int k = box.lo[2]; k < box.hi[2]; ++k) {
    for (int j = box.lo[1]; j < box.hi[1]; ++j) {
      for (int i = box.lo[0]; i < box.hi[0]; ++i) {
        values.push_back(
            static_cast<double>(host[static_cast<std::size_t>(layout.index(i, j, k))]));
      }
    }
  }
  return values;
}

/// The mask kernel of one component of a body.
template <class T>
BodyMask<T> mask_kernel(const FlowModel<T>& model, BodyModel<T>& body, std::size_t component) {
  ComponentMask<T>& mask = body.mask[component];
  BodyMask<T> kernel{};
  kernel.centre = mask.centre.data();
  kernel.thinness = mask.thinness.data();
  kernel.solid = mask.solid.data();
  for (std::size_t a = 0; a < 3; ++a) {
    kernel.lower[a] = mask.lower[a].data();
    kernel.upper[a] = mask.upper[a].data();
    kernel.moment[a] = mask.moment[a].data();
  }
  kernel.constants = model.mask_constants();
  kernel.layout = body.layout;
  kernel.box = body.box;
  return kernel;
}

} // namespace detail

/// Samples the distances of `placed`, moved by `displacement`, and makes the mask of `body` from
/// them: to the last bit that of the body at rest there.
template <class T, class Runner> void make_masks(FlowModel<T>& model, Runner& run,
                                                 PlacedBody& placed, BodyModel<T>& body,
                                                 const Vec3& displacement = {}) {
  const MaskReach reach = mask_reach(model);
  const Grid& grid = model.setup.grid;
  placed.near = touched_box(grid, *placed.body, reach.outside, {displacement, displacement});
  for (std::size_t c = 0; c < static_cast<std::size_t>(model.components()); ++c) {
    placed.faces[c] = face_points(grid, placed.near, static_cast<int>(c), displacement);
    placed.samples[c] = sample_distance(*placed.body, placed.faces[c], model.components(),
                                        reach.spacing, reach.probe, reach.outside);
    ComponentMask<T>& mask = body.mask[c];
    const auto upload = [&](Buffer<T>& buffer, const std::vector<double>& values, double far) {
      detail::upload_compact(buffer, body.layout, placed.near, values, far);
    };
    upload(mask.centre, placed.samples[c].centre, reach.outside + reach.spacing);
    upload(mask.thinness, placed.samples[c].thinness, reach.probe);
    for (std::size_t a = 0; a < static_cast<std::size_t>(model.components()); ++a) {
      upload(mask.lower[a], placed.samples[c].lower[a], 0);
      upload(mask.upper[a], placed.samples[c].upper[a], 0);
    }
    run(detail::mask_kernel(model, body, c));
  }
}

/// Bars of the mask of one body to those of its distance samples, per component, over the faces
/// `near` it.
template <class T, class Runner>
std::array<DistanceSamples, 3> sample_bars(FlowModel<T>& model, Runner& run, BodyModel<T>& body,
                                           const Box& near,
                                           const typename AdjointState<T>::Mask& mask_bar) {
  const auto size = static_cast<std::size_t>(body.layout.size);
  std::array<DistanceSamples, 3> bars;
  for (std::size_t c = 0; c < static_cast<std::size_t>(model.components()); ++c) {
    Buffer<T> centre{model.exec, size}, thinness{model.exec, size};
    std::array<Buffer<T>, 3> lower, upper;
    BodyMaskAdjoint<T> kernel{};
    kernel.forward = detail::mask_kernel(model, body, c);
    kernel.solid_bar = mask_bar.solid[c].data();
    kernel.centre_bar = centre.data();
    kernel.thinness_bar = thinness.data();
    for (std::size_t a = 0; a < static_cast<std::size_t>(model.components()); ++a) {
      lower[a] = {model.exec, size};
      upper[a] = {model.exec, size};
      kernel.moment_bar[a] = mask_bar.moment[c][a].data();
      kernel.lower_bar[a] = lower[a].data();
      kernel.upper_bar[a] = upper[a].data();
    }
    run(kernel);
    const auto download = [&](const Buffer<T>& buffer) {
      return detail::download_compact(buffer, body.layout, near);
    };
    bars[c].centre = download(centre);
    if (body.accelerates) {
      const std::vector<double> by_inertia = download(mask_bar.distance[c]);
      for (std::size_t n = 0; n < by_inertia.size(); ++n) bars[c].centre[n] += by_inertia[n];
    }
    bars[c].thinness = download(thinness);
    for (std::size_t a = 0; a < static_cast<std::size_t>(model.components()); ++a) {
      bars[c].lower[a] = download(lower[a]);
      bars[c].upper[a] = download(upper[a]);
    }
  }
  return bars;
}

} // namespace contraflow
