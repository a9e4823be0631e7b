#include "src/design/surface_shares.hpp"
#include "tests/solver/tunnel_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace contraflow::test {
namespace {

/// The derivative of the drag by shape and placement, and what its sensitivity on the surface says
/// of the same changes.
struct OnSurface {
  std::vector<double> gradient; ///< as Body::values()
  SurfaceMesh mesh;
  WindTunnel::SurfaceSensitivity sensitivity;
  std::vector<double> measure;

  double by_growth() const {
    double sum = 0;
    for (std::size_t n = 0; n < measure.size(); ++n) sum += sensitivity.outward[n] * measure[n];
    return sum;
  }
  double by(const std::function<Vec3(const Vec3&)>& displacement) const {
    double sum = 0;
    for (std::size_t n = 0; n < measure.size(); ++n) {
      const Vec3 moved = displacement(mesh.points[n]);
      for (std::size_t a = 0; a < 3; ++a) {
        sum += sensitivity.shift[3 * n + a] * moved[a] * measure[n];
      }
    }
    return sum;
  }
};

OnSurface drag_on_surface(const Case& c, int points) {
  const auto tunnel = cpu_tunnel(frozen(c));
  OnSurface out;
  const std::vector<Functional> drag = {{{term(TermKind::drag)}}};
  out.gradient = tunnel->gradient(drag, {})[0].gradient.body[0];
  out.mesh = make_body(c.bodies[0], c.grid.dimension)->surface(points);
  out.sensitivity = tunnel->surface_sensitivity(0, 0, out.mesh);
  const SurfaceShares shares{out.mesh};
  out.measure = shares.measure();
  return out;
}

void expect_shift(const OnSurface& drag, std::size_t first) {
  const double size = std::abs(drag.gradient[first]) + std::abs(drag.gradient[first + 1]);
  EXPECT_NEAR(drag.by([](const Vec3&) {
    return Vec3{1, 0, 0};
  }),
              drag.gradient[first], 1e-11 * size);
  EXPECT_NEAR(drag.by([](const Vec3&) {
    return Vec3{0, 1, 0};
  }),
              drag.gradient[first + 1], 1e-11 * size);
  EXPECT_GT(size, 0.01);
}

void expect_growth_and_shift(const OnSurface& drag) {
  EXPECT_NEAR(drag.by_growth(), drag.gradient[0], 1e-12 * std::abs(drag.gradient[0]));
  EXPECT_GT(std::abs(drag.gradient[0]), 0.01);
  expect_shift(drag, 1);
}

TEST(SurfaceSensitivity, OfACircleSumsUpToTheGradientByRadiusAndPosition) {
  const Case c = cylinder_case(20);
  expect_growth_and_shift(drag_on_surface(c, 200));
}

TEST(SurfaceSensitivity, OfASphereSumsUpToTheGradientByRadiusAndPosition) {
  Case c = cylinder_case(6);
  c.grid.dimension = 3;
  c.grid.axis[2] = stretched_axis(-2, -1.125, 1.125, 2);
  c.bodies[0].kind = ShapeKind::sphere;
  c.bodies[0].centre = {0.03, 0.05, 0.01};
  expect_growth_and_shift(drag_on_surface(c, 64));
}

TEST(SurfaceSensitivity, OfACylinderIn3DIsThatOfItsWholeSpan) {
  Case c = cylinder_case(6);
  c.grid.dimension = 3;
  c.grid.axis[2] = uniform_axis(0, 0.5, 4);
  const OnSurface drag = drag_on_surface(c, 200);
  EXPECT_TRUE(drag.mesh.triangles.empty());
  expect_growth_and_shift(drag);
}

/// The share of the thin trailing edge, where masks are blended, is in the sum.
TEST(SurfaceSensitivity, OfAnAirfoilSumsUpToTheGradientByPlacement) {
  Case c = cylinder_case(40);
  c.grid.spacing = 1.0 / 32;
  c.grid.axis[0] = stretched_axis(-1.5, -0.5, 1, 3);
  c.grid.axis[1] = stretched_axis(-1.5, -0.375, 0.375, 1.5);
  c.bodies[0].kind = ShapeKind::naca4;
  c.bodies[0].naca = "2412";
  c.bodies[0].angle = 5;
  const OnSurface drag = drag_on_surface(c, 400);
  const auto first = static_cast<std::size_t>(make_body(c.bodies[0], 2)->shape_parameters());
  expect_shift(drag, first);
  const Vec3& pivot = c.bodies[0].centre;
  const double turned = drag.by([&](const Vec3& x) { // nose up: clockwise
    return Vec3{x[1] - pivot[1], pivot[0] - x[0], 0};
  });
  const double scaled = drag.by([&](const Vec3& x) {
    return Vec3{x[0] - pivot[0], x[1] - pivot[1], 0};
  });
  EXPECT_NEAR(turned, drag.gradient[first + 2], 1e-3 * std::abs(drag.gradient[first + 2]));
  EXPECT_NEAR(scaled, drag.gradient[first + 3], 1e-3 * std::abs(drag.gradient[first + 3]));
}

TEST(SurfaceShares, KeepSumsAndSplitAlongTheLine) {
  const SurfaceMesh square{{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}, {}};
  const SurfaceShares shares{square};
  EXPECT_EQ(shares.measure(), (std::vector<double>{2, 2, 2, 2}));
  std::vector<double> values(4, 0.0);
  shares.of({1.5, 0, 0}).add(4, values);
  EXPECT_EQ(values, (std::vector<double>{1, 3, 0, 0}));
  shares.of({-1, -1, 0}).add(2, values); // beyond a corner: all to it
  EXPECT_EQ(values, (std::vector<double>{3, 3, 0, 0}));
}

TEST(SphereSurface, IsClosedAndFacesOutwards) {
  BodySpec sphere;
  sphere.kind = ShapeKind::sphere;
  sphere.centre = {1, 2, 3};
  const SurfaceMesh mesh = make_body(sphere, 3)->surface(64);
  double volume = 0, area = 0;
  for (const auto& [i, j, k] : mesh.triangles) {
    Vec3 a[3] = {mesh.points[i], mesh.points[j], mesh.points[k]};
    const double six_volumes = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) +
                               a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
                               a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    volume += six_volumes / 6;
  }
  const SurfaceShares shares{mesh};
  for (double part : shares.measure()) area += part;
  EXPECT_NEAR(volume, M_PI / 6, 0.005 * M_PI / 6);
  EXPECT_NEAR(area, M_PI, 0.005 * M_PI);
}

} // namespace
} // namespace contraflow::test
