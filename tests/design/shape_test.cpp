#include "tests/design/body_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

namespace contraflow::test {
namespace {

/// Distance to a polygon and whether it holds the point, by going over all its sides.
double polygon_distance(const std::vector<Vec3>& sides, const Vec3& x) {
  double nearest = 1e300;
  bool inside = false;
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    const Vec3 &a = sides[i], &b = sides[i + 1];
    const double ex = b[0] - a[0], ey = b[1] - a[1], rx = x[0] - a[0], ry = x[1] - a[1];
    const double along = std::clamp((rx * ex + ry * ey) / (ex * ex + ey * ey), 0.0, 1.0);
    nearest = std::min(nearest, std::hypot(rx - along * ex, ry - along * ey));
    if ((a[1] > x[1]) != (b[1] > x[1]) && rx < (x[1] - a[1]) * ex / ey) inside = !inside;
  }
  return inside ? -nearest : nearest;
}

/// The bodies with one parameter moved by -2, -1, 1, 2 steps.
std::array<std::unique_ptr<Body>, 4> moved_bodies(const BodyCase& c, std::size_t parameter,
                                                  double step) {
  std::array<std::unique_ptr<Body>, 4> bodies;
  const std::vector<double> values = make_body(c.spec, c.dimension)->values();
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<double> moved = values;
    moved[parameter] += step * std::array{-2, -1, 1, 2}[i];
    bodies[i] = make_body(c.spec, c.dimension, moved);
  }
  return bodies;
}

/// d moves by -n . dX/da: the worst difference to a finite difference of d (fourth order) over
/// points away from the medial axis, where the distance has a kink.
double worst_derivative_error(const BodyCase& c, std::size_t parameter) {
  constexpr double step = 1e-5;
  const auto body = make_body(c.spec, c.dimension);
  const auto moved = moved_bodies(c, parameter, step);
  std::vector<Vec3> dx_da(static_cast<std::size_t>(body->parameters()));
  double worst = 0;
  for (const Vec3& x : points_around(*body, 400, 5)) {
    std::array<double, 4> d{};
    for (std::size_t i = 0; i < 4; ++i) d[i] = moved[i]->closest(x).distance;
    if (dot(moved[0]->closest(x).normal, moved[3]->closest(x).normal) < 0.99) continue;
    const ClosestPoint at = body->closest(x);
    body->displacement(at, dx_da);
    const double difference = (8 * (d[2] - d[1]) - (d[3] - d[0])) / (12 * step);
    worst = std::max(worst, std::abs(difference + dot(at.normal, dx_da[parameter])));
  }
  return worst;
}

TEST(Shape, DistanceIsThatOfAVeryFinePolygon) {
  for (const BodyCase& c : body_cases()) {
    if (c.dimension == 3) continue;
    const auto body = make_body(c.spec, 2);
    const auto polygon = body->outline(20001);
    double worst = 0;
    for (const Vec3& x : points_around(*body, 100, 1)) {
      worst = std::max(worst, std::abs(body->closest(x).distance - polygon_distance(polygon, x)));
    }
    EXPECT_LT(worst, 1e-7) << c.name;
  }
}

TEST(Shape, ClosestPointLiesOnTheNormalThroughThePoint) {
  for (const BodyCase& c : body_cases()) {
    const auto body = make_body(c.spec, c.dimension);
    for (const Vec3& x : points_around(*body, 2000, 2)) {
      const ClosestPoint at = body->closest(x);
      ASSERT_NEAR(dot(at.normal, at.normal), 1, 1e-14) << c.name;
      for (std::size_t a = 0; a < 3; ++a) {
        const double foot = at.point[a] + at.distance * at.normal[a];
        ASSERT_NEAR(foot, x[a], 1e-13) << c.name << " s = " << at.s;
      }
      ASSERT_NEAR(body->closest(at.point).distance, 0, 1e-15) << c.name;
    }
  }
}

TEST(Shape, NormalIsTheGradientOfTheDistance) {
  constexpr double step = 1e-6;
  for (const BodyCase& c : body_cases()) {
    const auto body = make_body(c.spec, c.dimension);
    double worst = 0;
    for (const Vec3& x : points_around(*body, 500, 3)) {
      const Vec3 n = body->closest(x).normal;
      for (std::size_t a = 0; a < static_cast<std::size_t>(c.dimension); ++a) {
        Vec3 up = x, down = x;
        up[a] += step;
        down[a] -= step;
        const ClosestPoint high = body->closest(up), low = body->closest(down);
        if (dot(high.normal, low.normal) < 0.99) continue;
        worst = std::max(worst, std::abs((high.distance - low.distance) / (2 * step) - n[a]));
      }
    }
    EXPECT_LT(worst, 1e-7) << c.name;
  }
}

TEST(Shape, DistanceMovesWithEveryParameterAsTheClosestPointSays) {
  for (const BodyCase& c : body_cases()) {
    const auto names = make_body(c.spec, c.dimension)->names();
    for (std::size_t k = 0; k < names.size(); ++k) {
      EXPECT_LT(worst_derivative_error(c, k), 1e-7) << c.name << ": " << names[k];
    }
  }
}

TEST(Shape, CamberPositionOfASymmetricFoilHasNoEffect) {
  const BodyCase c{"naca0012", spec_of(ShapeKind::naca4), 2};
  const auto body = make_body(c.spec, 2);
  std::vector<Vec3> dx_da(static_cast<std::size_t>(body->parameters()));
  body->displacement(body->closest({0.1, 0.2, 0}), dx_da);
  EXPECT_EQ(dx_da[1], Vec3({0, 0, 0}));
  for (std::size_t k = 0; k < dx_da.size(); ++k) EXPECT_LT(worst_derivative_error(c, k), 1e-7) << k;
}

TEST(Shape, NamesAndValuesOfTheParametersAreInTheOrderOfTheInterface) {
  BodySpec spec = spec_of(ShapeKind::naca4, [&](BodySpec& s) {
    s.naca = "2412";
    s.displacement_modes = 1;
  });
  place(spec);
  const auto body = make_body(spec, 2);
  EXPECT_EQ(body->names(),
            (std::vector<std::string>{"camber", "camber position", "thickness", "upper 1",
                                      "lower 1", "centre x", "centre y", "angle", "scale"}));
  EXPECT_EQ(body->values(), (std::vector<double>{0.02, 0.4, 0.12, 0, 0, 0.3, -0.2,
                                                 7 * std::numbers::pi / 180, 1.3}));
  EXPECT_EQ(body->parameters(), 9);
  EXPECT_EQ(body->shape_parameters(), 5);
}

TEST(Shape, ValuesInPlaceOfTheCaseGiveTheSameBody) {
  for (const BodyCase& c : body_cases()) {
    const auto body = make_body(c.spec, c.dimension);
    const auto again = make_body(c.spec, c.dimension, body->values());
    const Vec3 x{0.5, 0.1, 0.2};
    EXPECT_EQ(again->closest(x).distance, body->closest(x).distance) << c.name;
    EXPECT_EQ(again->values(), body->values()) << c.name;
  }
}

TEST(Shape, ACylinderInThreeDimensionsDoesNotDependOnZ) {
  const auto body = make_body(spec_of(ShapeKind::naca4), 3);
  const ClosestPoint at = body->closest({0.2, 0.3, 5}), other = body->closest({0.2, 0.3, -1});
  EXPECT_EQ(at.distance, other.distance);
  EXPECT_EQ(at.normal[2], 0);
  EXPECT_EQ(body->dimension(), 2);
  EXPECT_EQ(body->parameters(), 3 + 4);
}

TEST(Shape, PositiveAngleRaisesTheNoseAboutThePivot) {
  const auto body = make_body(spec_of(ShapeKind::naca4,
                                      [&](BodySpec& s) {
                                        s.centre = {1, 2, 0};
                                        s.scale = 2;
                                        s.pivot = 0.25;
                                        s.angle = 30;
                                      }),
                              2);
  const Vec3 tail = body->outline(11).front();
  EXPECT_NEAR(tail[0], 1 + 2 * 0.75 * std::cos(std::numbers::pi / 6), 1e-14);
  EXPECT_NEAR(tail[1], 2 - 2 * 0.75 * 0.5, 1e-14);
}

TEST(Shape, BehindTheTrailingEdgeTheDistanceIsThatToTheCorner) {
  const auto body = make_body(spec_of(ShapeKind::naca4, [&](BodySpec& s) { s.pivot = 0; }), 2);
  const ClosestPoint at = body->closest({1.3, 0.4, 0});
  EXPECT_NEAR(at.distance, 0.5, 1e-15);
  EXPECT_NEAR(at.normal[0], 0.6, 1e-15);
  EXPECT_NEAR(at.normal[1], 0.8, 1e-15);
  EXPECT_EQ(at.s, 0);
}

TEST(Shape, OnTheMedialAxisTheSmallerParameterCounts) {
  for (const double angle : {0.0, 10.0}) {
    const auto body = make_body(spec_of(ShapeKind::naca4,
                                        [&](BodySpec& s) {
                                          s.pivot = 0;
                                          s.angle = angle;
                                        }),
                                2);
    const double a = angle * std::numbers::pi / 180;
    for (double x = 0.05; x < 1; x += 0.05) {
      const ClosestPoint at = body->closest({x * std::cos(a), -x * std::sin(a), 0});
      EXPECT_LT(at.s, 0.5) << x;
      EXPECT_LT(at.distance, 0) << x;
    }
  }
}

TEST(Shape, BoundsTouchTheSurface) {
  for (const BodyCase& c : body_cases()) {
    const auto body = make_body(c.spec, c.dimension);
    const auto outline = body->outline(4001);
    const auto [low, high] = body->bounds();
    for (std::size_t a = 0; a < 2; ++a) {
      const auto [least, most] =
          std::minmax_element(outline.begin(), outline.end(),
                              [a](const Vec3& p, const Vec3& q) { return p[a] < q[a]; });
      EXPECT_NEAR(low[a], (*least)[a], 1e-5) << c.name;
      EXPECT_NEAR(high[a], (*most)[a], 1e-5) << c.name;
    }
  }
}

TEST(Shape, AreaOfASymmetricFoilIsTheIntegralOfItsThickness) {
  const double t = 0.12, chord = 2;
  const double profile = 0.2969 / 1.5 - 0.1260 / 2 - 0.3516 / 3 + 0.2843 / 4 - 0.1036 / 5;
  const auto body = make_body(spec_of(ShapeKind::naca4,
                                      [&](BodySpec& s) {
                                        s.scale = chord;
                                        s.angle = 5;
                                      }),
                              2);
  std::vector<double> d_area(static_cast<std::size_t>(body->parameters()));
  const double area = body->area(d_area);
  EXPECT_NEAR(area, 2 * 5 * t * profile * chord * chord, 1e-14);
  EXPECT_NEAR(d_area[2], area / t, 1e-13);
}

TEST(Shape, AreaOfAFourierShapeIsParseval) {
  const auto body = make_body(spec_of(ShapeKind::fourier,
                                      [&](BodySpec& s) {
                                        s.radius = 0.5;
                                        s.cosine = {0.1, 0.05};
                                        s.sine = {0, 0.02};
                                      }),
                              2);
  std::vector<double> d_area(static_cast<std::size_t>(body->parameters()));
  const double squares = 0.1 * 0.1 + 0.05 * 0.05 + 0.02 * 0.02;
  EXPECT_NEAR(body->area(d_area), std::numbers::pi * (0.25 + squares / 2), 1e-14);
  EXPECT_NEAR(d_area[1], std::numbers::pi * 0.1, 1e-14);
}

TEST(Shape, DerivativeOfTheAreaIsThatOfFiniteDifferences) {
  constexpr double step = 1e-4;
  for (const BodyCase& c : body_cases()) {
    const auto body = make_body(c.spec, c.dimension);
    const std::vector<double> values = body->values();
    std::vector<double> d_area(values.size()), unused(values.size());
    body->area(d_area);
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::vector<double> up = values, down = values;
      up[k] += step;
      down[k] -= step;
      const double difference = (make_body(c.spec, c.dimension, up)->area(unused) -
                                 make_body(c.spec, c.dimension, down)->area(unused)) /
                                (2 * step);
      EXPECT_NEAR(d_area[k], difference, 1e-7) << c.name << ": " << body->names()[k];
    }
  }
}

TEST(Shape, DistanceOfASheetIsThatToALine) {
  const auto body = make_body(spec_of(ShapeKind::plate, [](BodySpec& s) { s.pivot = 0; }), 2);
  EXPECT_EQ(body->closest({0.3, 0.2, 0}).distance, 0.2);
  EXPECT_EQ(body->closest({0.3, -0.2, 0}).normal, Vec3({0, -1, 0}));
  EXPECT_EQ(body->closest({0.3, 0, 0}).normal, Vec3({0, 1, 0})); // the upper side
  EXPECT_NEAR(body->closest({1.3, 0.4, 0}).distance, 0.5, 1e-15);
  EXPECT_NEAR(body->closest({-0.3, -0.4, 0}).distance, 0.5, 1e-15);
  EXPECT_EQ(body->area({}), 0);
  EXPECT_EQ(body->bounds()[1], Vec3({1, 0, 0}));
}

TEST(Shape, APlateIsOneChordLongOverAllAndAsThickAsItIsWide) {
  for (const double thickness : {0.0, 0.1, 0.6, 1.0}) {
    const auto body =
        make_body(spec_of(ShapeKind::plate, [&](BodySpec& s) { s.thickness = thickness; }), 2);
    const auto [low, high] = body->bounds();
    EXPECT_NEAR(high[0] - low[0], 1, 1e-15);
    EXPECT_NEAR(high[1] - low[1], thickness, 1e-15);
    EXPECT_NEAR(body->outline(101).front()[0], 0.75, 1e-15); // the tail
    EXPECT_EQ(body->outline(101).front(), body->outline(101).back());
    EXPECT_LE(body->closest({0.25, 0, 0}).distance, -thickness / 2 + 1e-15);
  }
}

TEST(Shape, SphereHasTheVolumeOfASphere) {
  const auto body = make_body(spec_of(ShapeKind::sphere,
                                      [&](BodySpec& s) {
                                        s.radius = 0.5;
                                        s.scale = 2;
                                      }),
                              3);
  std::vector<double> d_area(6);
  EXPECT_EQ(body->parameters(), 6);
  EXPECT_NEAR(body->area(d_area), 4 * std::numbers::pi / 3, 1e-14);
  EXPECT_NEAR(d_area[0], 4 * std::numbers::pi * 2, 1e-13);
}

TEST(Shape, ACircleOfTheFourierKindIsTheCircle) {
  const auto fourier =
      make_body(spec_of(ShapeKind::fourier, [&](BodySpec& s) { s.radius = 0.5; }), 2);
  const auto circle =
      make_body(spec_of(ShapeKind::circle, [&](BodySpec& s) { s.radius = 0.5; }), 2);
  for (const Vec3& x : points_around(*circle, 500, 4)) {
    const ClosestPoint a = fourier->closest(x), b = circle->closest(x);
    ASSERT_NEAR(a.distance, b.distance, 1e-15);
    ASSERT_NEAR(a.s, b.s, 1e-13);
  }
  EXPECT_NEAR(fourier->closest({0, 0, 0}).distance, -0.5, 1e-15);
}

TEST(Shape, TheDatFileOfANacaFoilIsNearTheFormula) {
  const auto file = make_body(
      spec_of(ShapeKind::airfoil_file, [&](BodySpec& s) { s.file = airfoil_path("naca4412.dat"); }),
      2);
  const auto formula =
      make_body(spec_of(ShapeKind::naca4, [&](BodySpec& s) { s.naca = "4412"; }), 2);
  for (const Vec3& x : formula->outline(300)) EXPECT_LT(std::abs(file->closest(x).distance), 2e-3);
}

struct BadShape {
  ShapeKind kind;
  void (*edit)(BodySpec&);
  std::vector<std::string> words; ///< that the message holds
};

const std::vector<BadShape>& bad_shapes() {
  using S = BodySpec;
  using K = ShapeKind;
  static const std::vector<BadShape> bad{
      {K::circle, [](S& s) { s.radius = -1; }, {"'body'", "radius = -1"}},
      {K::circle, [](S& s) { s.centre[0] = NAN; }, {"'body'", "finite"}},
      {K::naca4, [](S& s) { s.naca = "23012"; }, {"'body'", "naca", "23012"}},
      {K::naca4, [](S& s) { s.naca = "2012"; }, {"naca", "2012", "position"}},
      {K::naca4, [](S& s) { s.naca = "2400"; }, {"naca", "2400", "thickness"}},
      {K::naca4, [](S& s) { s.scale = 0; }, {"'body'", "scale = 0"}},
      {K::naca4, [](S& s) { s.displacement = {1}; }, {"'body'", "displacement = 1 values"}},
      {K::naca4,
       [](S& s) {
         s.displacement_modes = 1, s.displacement = {-0.5, 0};
       },
       {"no area"}},
      {K::naca4,
       [](S& s) { s.displacement_modes = 3, s.displacement = {-0.2, 0, 0.3, 0, 0, 0}; },
       {"'body'", "crosses itself"}},
      {K::fourier,
       [](S& s) {
         s.cosine = {0, 0.6};
       },
       {"'body'", "cosine", "0.6"}},
      {K::fourier, [](S& s) { s.radius = 0; }, {"'body'", "radius = 0"}},
      {K::sphere, [](S&) {}, {"'body'", "sphere", "dimension 3"}},
      {K::plate, [](S& s) { s.thickness = -0.1; }, {"'body'", "thickness = -0.1"}},
      {K::plate, [](S& s) { s.thickness = 1.1; }, {"thickness", "0 to 1 is allowed"}},
      {K::airfoil_file, [](S& s) { s.file = "no/such.dat"; }, {"no/such.dat"}}};
  return bad;
}

TEST(Shape, SaysWhichBodyKeyAndValueIsWrong) {
  for (const BadShape& shape : bad_shapes()) {
    try {
      make_body(spec_of(shape.kind, shape.edit), 2);
      FAIL() << "accepted: " << shape.words.back();
    } catch (const CaseError& error) {
      for (const auto& word : shape.words) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
      }
    }
  }
}

TEST(Shape, AQueryTakesAFewMicroseconds) {
  const auto body = make_body(body_cases()[4].spec, 2);
  const auto points = points_around(*body, 20000, 6);
  const auto start = std::chrono::steady_clock::now();
  double sum = 0;
  for (const Vec3& x : points) sum += body->closest(x).distance;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_GT(sum, 0);
  const double microseconds = 1e6 * took.count() / static_cast<double>(points.size());
  RecordProperty("microseconds_per_query", std::to_string(microseconds));
  EXPECT_LT(microseconds, 200); // 1 on a free core in a release build; sanitizers and load: 50
}

} // namespace
} // namespace contraflow::test
