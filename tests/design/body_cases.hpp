#pragma once

#include "contraflow/error.hpp"
#include "src/design/shape.hpp"

#include <filesystem>
#include <random>

namespace contraflow::test {

inline std::string airfoil_path(const std::string& name) {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  return (root / "data" / "airfoils" / name).string();
}

/// A body of a kind, changed by `edit(spec)`.
template <class Edit> BodySpec spec_of(ShapeKind kind, Edit edit) {
  BodySpec spec;
  spec.kind = kind;
  edit(spec);
  return spec;
}
inline BodySpec spec_of(ShapeKind kind) {
  return spec_of(kind, [](BodySpec&) {});
}

struct BodyCase {
  std::string name;
  BodySpec spec;
  int dimension = 2;
};

inline void place(BodySpec& spec) {
  spec.centre = {0.3, -0.2, 0.1};
  spec.angle = 7;
  spec.scale = 1.3;
}

/// One of every kind, out of the ordinary: placed, turned, scaled, displaced.
inline std::vector<BodyCase> body_cases() {
  std::vector<BodyCase> cases(7);
  cases[0] = {"circle", spec_of(ShapeKind::circle, [](BodySpec& s) { s.radius = 0.4; }), 2};
  cases[1] = {"sphere", spec_of(ShapeKind::sphere, [](BodySpec& s) { s.radius = 0.4; }), 3};
  cases[2] = {"naca2412", spec_of(ShapeKind::naca4, [](BodySpec& s) { s.naca = "2412"; }), 2};
  cases[3] = {"naca0012 displaced",
              spec_of(ShapeKind::naca4, [](BodySpec& s) { s.displacement_modes = 3; }), 2};
  cases[3].spec.displacement = {0.01, 0.02, -0.01, 0.005, -0.01, 0.01};
  cases[4] = {"clarky displaced",
              spec_of(ShapeKind::airfoil_file, [](BodySpec& s) { s.displacement_modes = 4; }), 2};
  cases[4].spec.file = airfoil_path("clarky.dat");
  cases[4].spec.displacement = {0.01, 0.005, -0.01, 0.01, 0.01, 0.005, -0.005, 0.004};
  cases[5] = {"fourier", spec_of(ShapeKind::fourier, [](BodySpec& s) { s.radius = 0.5; }), 2};
  cases[5].spec.cosine = {0.03, 0.06, -0.02};
  cases[5].spec.sine = {-0.02, 0.03};
  cases[6] = {"plate", spec_of(ShapeKind::plate, [](BodySpec& s) { s.thickness = 0.08; }), 2};
  for (BodyCase& body : cases) place(body.spec);
  return cases;
}

/// Random points in the box of a body, grown by 0.3.
inline std::vector<Vec3> points_around(const Body& body, int count, unsigned seed) {
  std::mt19937 random(seed);
  const auto [low, high] = body.bounds();
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    Vec3 x{};
    for (std::size_t a = 0; a < 3; ++a) {
      x[a] = std::uniform_real_distribution(low[a] - 0.3, high[a] + 0.3)(random);
    }
    points.push_back(x);
  }
  return points;
}

inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

} // namespace contraflow::test
