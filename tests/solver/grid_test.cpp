#include "src/solver/grid.hpp"

#include "contraflow/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace contraflow::test {
namespace {

std::vector<double> widths_of(const std::vector<double>& faces) {
  std::vector<double> widths;
  for (std::size_t n = 1; n < faces.size(); ++n) widths.push_back(faces[n] - faces[n - 1]);
  return widths;
}

/// A stretched axis along x, a uniform one along y.
GridSpec tunnel() {
  GridSpec spec;
  spec.spacing = 0.125;
  spec.axis[0].low = -10;
  spec.axis[0].high = 20;
  spec.axis[0].fine_low = -1;
  spec.axis[0].fine_high = 1.5;
  spec.axis[0].growth_low = 0.2;
  spec.axis[0].growth_high = 0.08;
  spec.axis[1].low = -2;
  spec.axis[1].high = 5;
  spec.axis[1].cells = 14;
  return spec;
}

TEST(MakeGrid, DividesAUniformAxisEqually) {
  const Grid grid = make_grid(tunnel());
  ASSERT_EQ(grid.cells(1), 14);
  for (int n = 0; n <= 14; ++n) {
    EXPECT_DOUBLE_EQ(grid.faces[1][static_cast<std::size_t>(n)], -2 + 0.5 * n);
  }
  EXPECT_EQ(grid.faces[2], (std::vector<double>{0, 1}));
  EXPECT_EQ(grid.dimension, 2);
  EXPECT_EQ(grid.spacing, 0.125);
}

TEST(MakeGrid, MeetsTheEndsOfAStretchedAxisAndKeepsItsSpacingOnTheFinePart) {
  const Grid grid = make_grid(tunnel());
  const auto& faces = grid.faces[0];
  EXPECT_EQ(faces.front(), -10);
  EXPECT_EQ(faces.back(), 20);
  int fine = 0;
  for (std::size_t n = 1; n < faces.size(); ++n) {
    if (faces[n - 1] < -1 - 1e-9 || faces[n] > 1.5 + 1e-9) continue;
    EXPECT_NEAR(faces[n] - faces[n - 1], 0.125, 1e-13);
    ++fine;
  }
  EXPECT_EQ(fine, 20);
}

TEST(MakeGrid, WidensCellsSmoothlyAtTheGivenGrowth) {
  const Grid grid = make_grid(tunnel());
  const auto& faces = grid.faces[0];
  const auto widths = widths_of(faces);
  double last_slope = 0;
  for (std::size_t n = 1; n < widths.size(); ++n) {
    const bool below = faces[n]<-1 + 1e-9, above = faces[n]> 1.5 - 1e-9;
    const double step = 0.5 * (widths[n] + widths[n - 1]);
    const double slope = (widths[n] - widths[n - 1]) / step / 0.125;
    if (below) {
      EXPECT_LE(slope, 1e-9) << n;
      EXPECT_GE(slope, -0.2 * 1.1) << n;
    } else if (above) {
      EXPECT_GE(slope, -1e-9) << n;
      EXPECT_LE(slope, 0.08 * 1.1) << n;
    } else {
      EXPECT_NEAR(slope, 0, 1e-9) << n;
    }
    // The slope rises over 1/(2 growth), some 20 and 50 cells.
    EXPECT_NEAR(slope, n > 1 ? last_slope : slope, 0.2 / 10) << n;
    last_slope = slope;
  }
  EXPECT_NEAR((widths[1] - widths[0]) / widths[0] / 0.125, -0.2, 0.02);
  EXPECT_NEAR(last_slope, 0.08, 0.008);
}

TEST(MakeGrid, WidensTheFinePartToWholeCells) {
  GridSpec spec = tunnel();
  spec.axis[0].fine_high = 1.45; // 19.6 cells
  const auto faces = make_grid(spec).faces[0];
  EXPECT_TRUE(std::any_of(faces.begin(), faces.end(),
                          [](double face) { return std::abs(face - 1.5) < 1e-12; }));
}

TEST(MakeGrid, ReachesAnEndThatLiesOnTheFinePart) {
  GridSpec spec = tunnel();
  spec.axis[0].low = -1;
  const auto faces = make_grid(spec).faces[0];
  EXPECT_EQ(faces[0], -1);
  EXPECT_NEAR(faces[1], -1 + 0.125, 1e-13);
}

TEST(MakeGrid, FillsAnAxisWithoutGrowthWithEqualCells) {
  GridSpec spec = tunnel();
  spec.axis[0].growth_low = spec.axis[0].growth_high = 0;
  const Grid grid = make_grid(spec);
  EXPECT_EQ(grid.cells(0), 240);
  for (double width : widths_of(grid.faces[0])) EXPECT_NEAR(width, 0.125, 1e-12);
}

TEST(MakeGrid, RefusesAnAxisWithoutGrowthThatIsNoMultipleOfItsSpacing) {
  GridSpec spec = tunnel();
  spec.axis[0].growth_high = 0;
  spec.axis[0].high = 20.05;
  try {
    make_grid(spec);
    FAIL() << "no error";
  } catch (const CaseError& error) {
    const std::string message = error.what();
    for (const char* part : {"grid.x above", "18.55", "0.125"}) {
      EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }
}

TEST(MakeGrid, RefusesAFinePartThatDoesNotFitTheDomainInWholeCells) {
  GridSpec spec = tunnel();
  spec.axis[0].fine_high = 1.45;
  spec.axis[0].high = 1.48; // the fine part ends at 1.5
  EXPECT_THROW(make_grid(spec), CaseError);
  spec.axis[0].high = 1.5;
  EXPECT_EQ(make_grid(spec).faces[0].back(), 1.5);
}

TEST(MakeGrid, TakesTheSmallestCellForTheSpacingThatIsNotGiven) {
  GridSpec spec;
  spec.dimension = 3;
  for (std::size_t a = 0; a < 3; ++a) {
    spec.axis[a].low = 0;
    spec.axis[a].high = 1;
    spec.axis[a].cells = a == 1 ? 20 : 10;
  }
  const Grid grid = make_grid(spec);
  EXPECT_NEAR(grid.spacing, 0.05, 1e-15);
  EXPECT_EQ(grid.cells(2), 10);
}

} // namespace
} // namespace contraflow::test
