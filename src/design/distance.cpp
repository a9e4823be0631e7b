#include "src/design/distance.hpp"

#include <algorithm>

namespace contraflow {
namespace {

/// What is the same for every face of a call.
struct Sampling {
  const Body& body;
  const FacePoints& faces;
  std::size_t dimension;
  double h, c, reach;

  std::size_t row_length() const { return faces.x[0].size(); }
  std::size_t rows() const { return faces.x[1].size() * faces.x[2].size(); }
  Vec3 at(std::size_t row, std::size_t i) const {
    const std::size_t ny = faces.x[1].size();
    return {faces.x[0][i], faces.x[1][row % ny], faces.x[2][row / ny]};
  }
};

Vec3 moved(Vec3 x, std::size_t axis, double by) {
  x[axis] += by;
  return x;
}

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

DistanceSamples empty_samples(std::size_t count, std::size_t dimension, double c) {
  DistanceSamples samples{.centre = std::vector<double>(count),
                          .lower = {},
                          .upper = {},
                          .thinness = std::vector<double>(count, c)};
  for (std::size_t a = 0; a < dimension; ++a) {
    samples.lower[a].resize(count);
    samples.upper[a].resize(count);
  }
  return samples;
}

Vec3 normal_of(const Sampling& in, const DistanceSamples& d, std::size_t face) {
  Vec3 n{};
  for (std::size_t a = 0; a < in.dimension; ++a)
    n[a] = (d.upper[a][face] - d.lower[a][face]) / in.h;
  return n;
}

/// The probe x - (d + c) n.
Vec3 probe(const Vec3& x, const Vec3& n, double depth) {
  return {x[0] - depth * n[0], x[1] - depth * n[1], x[2] - depth * n[2]};
}

void sample_row(const Sampling& in, std::size_t row, DistanceSamples& out) {
  for (std::size_t i = 0; i < in.row_length(); ++i) {
    const std::size_t face = row * in.row_length() + i;
    const Vec3 x = in.at(row, i);
    out.centre[face] = in.body.closest(x).distance;
    for (std::size_t a = 0; a < in.dimension; ++a) {
      out.lower[a][face] = in.body.closest(moved(x, a, -in.h / 2)).distance;
      out.upper[a][face] = in.body.closest(moved(x, a, in.h / 2)).distance;
    }
    if (!(out.centre[face] < in.reach)) continue;
    const Vec3 n = normal_of(in, out, face);
    const double depth = out.centre[face] + in.c;
    out.thinness[face] = -in.body.closest(probe(x, n, depth)).distance - depth * (1 - dot(n, n));
  }
}

/// Walks over the closest points that the samples of a face depend on, and gives each with its bar
/// to `pull(at, bar)`.
template <class Pull> class FaceAdjoint {
public:
  FaceAdjoint(const Sampling& in, const DistanceSamples& samples, const DistanceSamples& bars,
              Pull pull)
      : in_(in), samples_(samples), bars_(bars), pull_(pull) {}

  void add_face(std::size_t face, const Vec3& x) {
    double centre_bar = bars_.centre[face];
    Vec3 n_bar{};
    if (samples_.centre[face] < in_.reach && bars_.thinness[face] != 0) {
      const Vec3 n = normal_of(in_, samples_, face);
      const double depth = samples_.centre[face] + in_.c, bar = bars_.thinness[face];
      const Vec3 probe_bar = add_distance(probe(x, n, depth), -bar);
      centre_bar -= dot(probe_bar, n) + bar * (1 - dot(n, n));
      for (std::size_t a = 0; a < in_.dimension; ++a) {
        n_bar[a] = depth * (2 * bar * n[a] - probe_bar[a]) / in_.h;
      }
    }
    add_distance(x, centre_bar);
    for (std::size_t a = 0; a < in_.dimension; ++a) {
      add_distance(moved(x, a, -in_.h / 2), bars_.lower[a][face] - n_bar[a]);
      add_distance(moved(x, a, in_.h / 2), bars_.upper[a][face] + n_bar[a]);
    }
  }

  void add_row(std::size_t row) {
    for (std::size_t i = 0; i < in_.row_length(); ++i) {
      add_face(row * in_.row_length() + i, in_.at(row, i));
    }
  }

private:
  /// Adds what a bar of the distance at x gives; returns the bar of x.
  Vec3 add_distance(const Vec3& x, double bar) {
    if (bar == 0) return {};
    const ClosestPoint at = in_.body.closest(x);
    pull_(at, bar);
    return {bar * at.normal[0], bar * at.normal[1], bar * at.normal[2]};
  }

  const Sampling& in_;
  const DistanceSamples &samples_, &bars_;
  Pull pull_;
};

/// Sums the bars of one row of faces into those of the parameters.
void sum_row(const Sampling& in, std::size_t row, const DistanceSamples& samples,
             const DistanceSamples& bars, std::span<double> sum) {
  std::vector<Vec3> dx_da(sum.size());
  const auto to_parameters = [&](const ClosestPoint& at, double bar) {
    in.body.displacement(at, dx_da);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] -= bar * dot(at.normal, dx_da[k]);
  };
  FaceAdjoint{in, samples, bars, to_parameters}.add_row(row);
}

/// A plane body in 3D is sampled in one plane: the first of the faces.
bool extruded(const Body& body, int dimension) { return dimension == 3 && body.dimension() == 2; }

FacePoints plane_of(const FacePoints& faces) { return {{faces.x[0], faces.x[1], {0.0}}}; }

std::vector<double> repeated(const std::vector<double>& plane, std::size_t times) {
  std::vector<double> all;
  all.reserve(plane.size() * times);
  for (std::size_t k = 0; k < times; ++k) all.insert(all.end(), plane.begin(), plane.end());
  return all;
}

void add_planes(const std::vector<double>& all, std::vector<double>& plane) {
  for (std::size_t i = 0; i < all.size(); ++i) plane[i % plane.size()] += all[i];
}

/// Bars of the samples of the plane, given those of all planes and the samples of the first.
DistanceSamples summed_over_planes(const DistanceSamples& bars, std::size_t count) {
  DistanceSamples plane = empty_samples(count, 2, 0);
  add_planes(bars.centre, plane.centre);
  add_planes(bars.lower[2], plane.centre);
  add_planes(bars.upper[2], plane.centre);
  add_planes(bars.thinness, plane.thinness);
  for (std::size_t a = 0; a < 2; ++a) {
    add_planes(bars.lower[a], plane.lower[a]);
    add_planes(bars.upper[a], plane.upper[a]);
  }
  return plane;
}

} // namespace

DistanceSamples sample_distance(const Body& body, const FacePoints& faces, int dimension, double h,
                                double c, double reach) {
  if (extruded(body, dimension)) {
    const DistanceSamples plane = sample_distance(body, plane_of(faces), 2, h, c, reach);
    const std::size_t nz = faces.x[2].size();
    const std::vector<double> centre = repeated(plane.centre, nz);
    return {.centre = centre,
            .lower = {repeated(plane.lower[0], nz), repeated(plane.lower[1], nz), centre},
            .upper = {repeated(plane.upper[0], nz), repeated(plane.upper[1], nz), centre},
            .thinness = repeated(plane.thinness, nz)};
  }
  const Sampling in{body, faces, static_cast<std::size_t>(dimension), h, c, reach};
  DistanceSamples samples = empty_samples(faces.count(), in.dimension, c);
  const std::size_t rows = in.rows();
#pragma omp parallel for schedule(dynamic)
  for (std::size_t row = 0; row < rows; ++row) sample_row(in, row, samples);
  return samples;
}

void sample_distance_adjoint(const Body& body, const FacePoints& faces, int dimension, double h,
                             double c, double reach, const DistanceSamples& samples,
                             const DistanceSamples& samples_bar, std::span<double> parameter_bar) {
  if (extruded(body, dimension)) {
    const FacePoints plane = plane_of(faces);
    sample_distance_adjoint(body, plane, 2, h, c, reach, samples,
                            summed_over_planes(samples_bar, plane.count()), parameter_bar);
    return;
  }
  const Sampling in{body, faces, static_cast<std::size_t>(dimension), h, c, reach};
  const std::size_t rows = in.rows(), parameters = parameter_bar.size();
  std::vector<double> sums(rows * parameters);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t row = 0; row < rows; ++row) {
    sum_row(in, row, samples, samples_bar, std::span(sums).subspan(row * parameters, parameters));
  }
  for (std::size_t i = 0; i < sums.size(); ++i) parameter_bar[i % parameters] += sums[i];
}

void for_each_pull(const Body& body, const FacePoints& faces, int dimension, double h, double c,
                   double reach, const DistanceSamples& samples, const DistanceSamples& samples_bar,
                   const std::function<void(const ClosestPoint& at, double bar)>& pull) {
  if (extruded(body, dimension)) {
    const FacePoints plane = plane_of(faces);
    for_each_pull(body, plane, 2, h, c, reach, samples,
                  summed_over_planes(samples_bar, plane.count()), pull);
    return;
  }
  const Sampling in{body, faces, static_cast<std::size_t>(dimension), h, c, reach};
  FaceAdjoint adjoint{in, samples, samples_bar,
                      [&](const ClosestPoint& at, double bar) { pull(at, bar); }};
  for (std::size_t row = 0; row < in.rows(); ++row) adjoint.add_row(row);
}

} // namespace contraflow
