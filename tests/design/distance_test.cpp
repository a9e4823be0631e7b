#include "src/design/distance.hpp"
#include "tests/design/body_cases.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

namespace contraflow::test {
namespace {

constexpr double h = 0.02, c = 1.5 * h, reach = 3 * h;

/// Faces in a box around the body, off its symmetries.
FacePoints faces_around(const Body& body, int dimension, double spacing) {
  const auto [low, high] = body.bounds();
  FacePoints faces;
  for (std::size_t a = 0; a < 3; ++a) {
    const bool flat = dimension == 2 && a == 2;
    for (double x = low[a] - 0.1037; x < high[a] + 0.1; x += spacing) {
      faces.x[a].push_back(x);
      if (flat) break;
    }
  }
  return faces;
}

struct Scene {
  BodyCase body_case;
  double spacing;
  std::unique_ptr<Body> body = make_body(body_case.spec, body_case.dimension);
  FacePoints faces = faces_around(*body, body_case.dimension, spacing);

  DistanceSamples sample(const Body& of) const {
    return sample_distance(of, faces, body_case.dimension, h, c, reach);
  }
  std::vector<double> transpose(const DistanceSamples& samples, const DistanceSamples& bars) const {
    std::vector<double> parameter_bar(body->values().size());
    sample_distance_adjoint(*body, faces, body_case.dimension, h, c, reach, samples, bars,
                            parameter_bar);
    return parameter_bar;
  }
};

std::vector<Scene> scenes() {
  std::vector<Scene> all;
  for (const BodyCase& body : body_cases())
    all.push_back({body, body.dimension == 3 ? 0.15 : 0.05});
  BodyCase extruded = body_cases()[2];
  extruded.name += " extruded";
  extruded.dimension = 3;
  all.push_back({extruded, 0.07});
  return all;
}

/// All samples in one list, in a fixed order.
std::vector<double*> entries(DistanceSamples& samples) {
  std::vector<double*> list;
  const auto append = [&](std::vector<double>& values) {
    for (double& value : values) list.push_back(&value);
  };
  append(samples.centre);
  for (auto& axis : samples.lower) append(axis);
  for (auto& axis : samples.upper) append(axis);
  append(samples.thinness);
  return list;
}

/// Random bars where all samples depend smoothly on the parameters, 0 elsewhere.
DistanceSamples random_bars(const DistanceSamples& like, const std::vector<bool>& smooth) {
  std::mt19937 random(7);
  DistanceSamples bars = like;
  const auto list = entries(bars);
  for (std::size_t i = 0; i < list.size(); ++i) {
    *list[i] = smooth[i] ? std::uniform_real_distribution(-1.0, 1.0)(random) : 0;
  }
  return bars;
}

TEST(Distance, SamplesAreThoseOfTheBody) {
  const Scene scene{body_cases()[2], 0.05};
  const DistanceSamples samples = scene.sample(*scene.body);
  const std::size_t nx = scene.faces.x[0].size(), face = 7 * nx + 11;
  const Vec3 x{scene.faces.x[0][11], scene.faces.x[1][7], scene.faces.x[2][0]};
  EXPECT_EQ(samples.centre[face], scene.body->closest(x).distance);
  EXPECT_EQ(samples.lower[0][face], scene.body->closest({x[0] - h / 2, x[1], x[2]}).distance);
  EXPECT_EQ(samples.upper[1][face], scene.body->closest({x[0], x[1] + h / 2, x[2]}).distance);
  EXPECT_TRUE(samples.lower[2].empty());
}

TEST(Distance, ThinnessIsTheDepthThatTheProbeReaches) {
  const BodyCase circle{"circle", spec_of(ShapeKind::circle), 2};
  const Scene scene{circle, 0.05};
  const DistanceSamples samples = scene.sample(*scene.body);
  bool near = false, far = false;
  for (std::size_t i = 0; i < samples.centre.size(); ++i) {
    const double d = samples.centre[i];
    (d < reach ? near : far) = true;
    const double error = d > -0.3 ? std::abs(samples.thinness[i] - c) : 0;
    // n is a difference, n.n = 1 - h^2 sin^2(2 angle)/(8 r^2) in radius r
    EXPECT_LE(error, d < reach ? std::abs(d + c) * h * h / (4 * (0.5 + d) * (0.5 + d)) + 1e-15 : 0)
        << d;
  }
  EXPECT_TRUE(near && far);
}

TEST(Distance, NearAThinPlateTheProbeComesOutOnTheOtherSide) {
  BodyCase foil{"naca", spec_of(ShapeKind::naca4, [](BodySpec& s) { s.naca = "0002"; }), 2};
  const Scene scene{foil, 0.01};
  const DistanceSamples samples = scene.sample(*scene.body);
  double least = c;
  for (const double t : samples.thinness) least = std::min(least, t);
  EXPECT_LT(least, 0.01 - c + 0.002); // half thickness t: T = 2 t - c
}

TEST(Distance, TheThinnessOfAPlateIsThatOfItsHalfThicknessOnBothItsFacesAndItsMiddle) {
  for (const double thickness : {0.0, 0.5 * h, h, 2 * h}) {
    const BodyCase plate{
        "plate", spec_of(ShapeKind::plate, [&](BodySpec& s) { s.thickness = thickness; }), 2};
    const auto body = make_body(plate.spec, 2);
    const double t = thickness / 2;
    for (const double y : {0.0, t, t + h, t + 2 * h}) {
      const FacePoints face{{{{0.2}, {y}, {0}}}};
      const double thinness = sample_distance(*body, face, 2, h, c, reach).thinness[0];
      const double margin = y < h / 2 ? (y - t + c) / 4 : 0; // n - n^2 where the normal is short
      EXPECT_NEAR(thinness, 2 * t - c, margin + 1e-15) << thickness << " " << y;
    }
  }
}

TEST(Distance, TransposeGivesTheDerivativeOfEverySampleInARandomDirection) {
  for (const Scene& scene : scenes()) {
    DistanceSamples samples = scene.sample(*scene.body);
    const std::vector<double> values = scene.body->values();
    std::mt19937 random(3);
    std::vector<double> direction(values.size());
    for (double& v : direction) v = std::uniform_real_distribution(-0.3, 0.3)(random);
    std::array<DistanceSamples, 4> moved;
    const std::array<double, 4> steps{-2e-5, -1e-5, 1e-5, 2e-5};
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<double> a = values;
      for (std::size_t k = 0; k < a.size(); ++k) a[k] += steps[i] * direction[k];
      moved[i] = scene.sample(*make_body(scene.body_case.spec, scene.body_case.dimension, a));
    }
    std::vector<double> inner, outer;
    std::vector<bool> smooth;
    const std::array lists{entries(moved[0]), entries(moved[1]), entries(moved[2]),
                           entries(moved[3])};
    for (std::size_t i = 0; i < lists[0].size(); ++i) {
      inner.push_back((*lists[2][i] - *lists[1][i]) / 2e-5);
      outer.push_back((*lists[3][i] - *lists[0][i]) / 4e-5);
      smooth.push_back(std::abs(inner[i] - outer[i]) < 1e-6); // no kink in between
    }
    DistanceSamples bars = random_bars(samples, smooth);
    const auto weights = entries(bars);
    double expected = 0, size = 0;
    std::size_t kinks = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      expected += *weights[i] * (4 * inner[i] - outer[i]) / 3;
      size += std::abs(*weights[i] * inner[i]);
      if (!smooth[i]) ++kinks;
    }
    const auto parameter_bar = scene.transpose(samples, bars);
    double found = 0;
    for (std::size_t k = 0; k < values.size(); ++k) found += parameter_bar[k] * direction[k];
    EXPECT_NEAR(found, expected, 1e-9 * size) << scene.body_case.name;
    EXPECT_LT(kinks, weights.size() / 20) << scene.body_case.name;
  }
}

TEST(Distance, TransposeAddsToWhatIsThere) {
  const Scene scene{body_cases()[0], 0.1};
  const DistanceSamples samples = scene.sample(*scene.body);
  std::vector<double> once(5), twice(5);
  const auto add = [&](std::vector<double>& sum) {
    sample_distance_adjoint(*scene.body, scene.faces, 2, h, c, reach, samples, samples, sum);
  };
  add(once);
  add(twice);
  add(twice);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(twice[k], 2 * once[k], 1e-13);
}

TEST(Distance, BitsDoNotDependOnTheNumberOfThreads) {
  const int threads = omp_get_max_threads();
  for (const Scene& scene : scenes()) {
    std::array<std::vector<double>, 2> sums, values;
    for (int run = 0; run < 2; ++run) {
      omp_set_num_threads(1 + run);
      DistanceSamples samples = scene.sample(*scene.body);
      const auto i = static_cast<std::size_t>(run);
      for (const double* value : entries(samples)) values[i].push_back(*value);
      sums[i] = scene.transpose(samples, samples);
    }
    EXPECT_EQ(values[0], values[1]) << scene.body_case.name;
    EXPECT_EQ(sums[0], sums[1]) << scene.body_case.name;
  }
  omp_set_num_threads(threads);
}

} // namespace
} // namespace contraflow::test
