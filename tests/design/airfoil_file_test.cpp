#include "src/design/spline_curve.hpp"
#include "tests/design/body_cases.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace contraflow::test {
namespace {

/// A file of the test's own that goes when it ends.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("contraflow_airfoil_{}.dat", static_cast<const void*>(this))) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

std::vector<Vec2> read_points(const std::string& text) {
  return read_airfoil(TemporaryFile(text).path()).points;
}

std::string lines_of(const std::vector<Vec2>& points, const std::string& end = "\n") {
  std::string text;
  for (const Vec2& p : points) text += fmt::format("  {}  {}{}", p[0], p[1], end);
  return text;
}

/// Eleven points of a lens, from the trailing edge over the top.
std::vector<Vec2> lens() {
  std::vector<Vec2> points;
  for (const double x : {1.0, 0.8, 0.5, 0.2, 0.05}) points.push_back({x, x * (1 - x) / 4});
  points.push_back({0, 0});
  for (const double x : {0.05, 0.2, 0.5, 0.8, 1.0}) points.push_back({x, -x * (1 - x) / 8});
  return points;
}

std::string message_of(const std::string& text) {
  try {
    read_points(text);
  } catch (const CaseError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AirfoilFile, ReadsSeligOrder) {
  EXPECT_EQ(read_points("A lens\n" + lines_of(lens())), lens());
}

TEST(AirfoilFile, ReadsTheSameFromLednicerOrder) {
  const auto points = lens();
  std::vector<Vec2> upper(points.begin(), points.begin() + 6);
  const std::vector<Vec2> lower(points.begin() + 5, points.end());
  std::reverse(upper.begin(), upper.end());
  const std::string surfaces = lines_of(upper) + "\n" + lines_of(lower);
  EXPECT_EQ(read_points("A lens\n  6.  6.\n\n" + surfaces), points);
  EXPECT_EQ(read_points("A lens\n" + surfaces), points);
}

TEST(AirfoilFile, ToleratesDosLinesCommasBlanksAndHeaders) {
  std::string text = "A lens\r\nNACA 0012, say\r\n\r\n" + lines_of(lens(), "\r\n\r\n") + "  \r\n";
  EXPECT_EQ(read_points(text), lens());
  text = lines_of(lens());
  for (std::size_t i = 0; (i = text.find("  ", i + 3)) != std::string::npos;) text[i] = ',';
  EXPECT_EQ(read_points(text), lens());
}

TEST(AirfoilFile, TurnsAClockwiseLoopRound) {
  auto points = lens();
  std::reverse(points.begin(), points.end());
  EXPECT_EQ(read_points("A lens\n" + lines_of(points)), lens());
}

TEST(AirfoilFile, ClosesAnOpenTrailingEdgeAndNormalisesTheChord) {
  auto points = lens();
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i][1] += (i < 5 ? 1 : -1) * 0.02 * points[i][0];
  for (Vec2& p : points) p = {3 + 2 * p[0], 1 + 2 * p[1]};
  const auto read = read_points(lines_of(points));
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_NEAR(read[i][0], lens()[i][0], 1e-15);
    EXPECT_NEAR(read[i][1], lens()[i][1], 1e-15);
  }
  EXPECT_EQ(read.front(), read.back());
}

TEST(AirfoilFile, NamesFileAndLineOfRubbish) {
  const std::string good = "A lens\n" + lines_of(lens());
  EXPECT_NE(message_of(good + "0.9 abc\n").find(".dat:13: '0.9 abc'"), std::string::npos);
  EXPECT_NE(message_of(good + "0.9 0.1 0.2\n").find(":13:"), std::string::npos);
  EXPECT_NE(message_of(good + "nan 0.1\n").find(":13:"), std::string::npos);
  EXPECT_NE(message_of("A lens\n7 6\n" + lines_of(lens())).find(":2: says 7 + 6"),
            std::string::npos);
  EXPECT_NE(message_of("").find("0 points, at least 10"), std::string::npos);
  EXPECT_NE(message_of("A lens\n1 0\n0 0\n").find("2 points, at least 10"), std::string::npos);
  auto half = lens();
  half.resize(6);
  half.insert(half.begin() + 1, {{0.99, 0.001}, {0.98, 0.002}, {0.97, 0.003}, {0.96, 0.004}});
  EXPECT_NE(message_of(lines_of(half)).find("trailing edge"), std::string::npos);
}

constexpr std::array shipped{"clarky", "e387", "mh45", "naca4412", "s1223", "sd7003"};

TEST(AirfoilFile, EveryShippedAirfoilIsAFoilOfUnitChord) {
  for (const std::string name : shipped) {
    const auto body = make_body(spec_of(ShapeKind::airfoil_file,
                                        [&](BodySpec& s) {
                                          s.file = airfoil_path(name + ".dat");
                                          s.pivot = 0;
                                        }),
                                2);
    const auto points = read_airfoil(airfoil_path(name + ".dat")).points;
    double polygon = 0;
    for (std::size_t i = 1; i < points.size(); ++i) polygon += cross(points[i - 1], points[i]) / 2;
    EXPECT_GT(body->area({}), polygon) << name; // most of it is convex
    EXPECT_LT(body->area({}), 1.003 * polygon) << name;
    const auto [low, high] = body->bounds();
    EXPECT_NEAR(low[0], 0, 1e-14) << name;
    EXPECT_NEAR(high[0], 1, 1e-14) << name;
    EXPECT_NEAR(body->closest({1.5, 0, 0}).distance, 0.5, 1e-14) << name;
  }
}

TEST(AirfoilFile, TheCurveGoesThroughThePointsScaledAlike) {
  for (const std::string name : shipped) {
    const auto points = read_airfoil(airfoil_path(name + ".dat")).points;
    const SplineCurve curve(read_airfoil(airfoil_path(name + ".dat")), {});
    ASSERT_EQ(curve.breaks().size(), points.size()) << name;
    const Vec2 start = curve.at(0, 0).x;
    const double scale = (curve.at(curve.breaks()[20], 20).x[0] - start[0]) / (points[20][0] - 1);
    EXPECT_NEAR(scale, 1, 1e-3) << name;
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      const Vec2 expected = start + scale * (points[i] - points[0]);
      EXPECT_NEAR(norm(curve.at(curve.breaks()[i], i).x - expected), 0, 1e-14) << name;
    }
  }
}

TEST(AirfoilFile, TheCurveIsSmoothAcrossPointsAndDisplacements) {
  for (const char* name : {"clarky", "s1223"}) {
    const SplineCurve curve(read_airfoil(airfoil_path(std::string(name) + ".dat")),
                            {0.02, -0.01, 0.01, 0.02, 0.01, -0.02});
    const auto& breaks = curve.breaks();
    for (std::size_t i = 1; i + 1 < breaks.size(); ++i) {
      const CurvePoint left = curve.at(breaks[i], i - 1), right = curve.at(breaks[i], i);
      EXPECT_NEAR(norm(left.x - right.x), 0, 1e-14);
      EXPECT_NEAR(norm(left.d1 - right.d1), 0, 1e-12);
      EXPECT_NEAR(norm(left.d2 - right.d2), 0, 1e-9 * norm(left.d2));
    }
  }
}

} // namespace
} // namespace contraflow::test
