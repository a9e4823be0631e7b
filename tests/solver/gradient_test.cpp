#include "tests/io/temporary_folder.hpp"
#include "tests/solver/certified.hpp"
#include "tests/solver/random_case.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace contraflow::test {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr unsigned combinations_2d = 1, combinations_3d = 1;
#else
constexpr unsigned combinations_2d = 8, combinations_3d = 3;
#endif

TEST(Gradient, IsCertifiedForRandomCombinationsIn2D) {
  const TemporaryFolder folder;
  for (unsigned seed = 1; seed <= combinations_2d; ++seed) {
    const RandomCase random{2, seed, folder.path()};
    SCOPED_TRACE(random.description());
    expect_certified(random.made());
  }
}

TEST(Gradient, IsCertifiedForRandomCombinationsIn3D) {
  const TemporaryFolder folder;
  for (unsigned seed = 1; seed <= combinations_3d; ++seed) {
    const RandomCase random{3, seed, folder.path()};
    SCOPED_TRACE(random.description());
    expect_certified(random.made());
  }
}

TEST(Gradient, OfASheetAndOfAThinPlateIsCertified) {
  for (const double thickness : {0.0, 0.05}) {
    Case c = cylinder_case(combinations_2d == 1 ? 6 : 20);
    BodySpec& plate = c.bodies[0];
    plate.kind = ShapeKind::plate;
    plate.thickness = thickness;
    plate.centre = {-0.25, 0.03, 0};
    plate.angle = 12;
    c.controls = {control(ControlKind::position, 0.02), control(ControlKind::angle, 2),
                  control(ControlKind::scale, 0.02)};
    if (thickness > 0) c.controls.push_back(control(ControlKind::shape, 0.005));
    c.objective = {term(TermKind::drag), term(TermKind::lift, 0.5)};
    SCOPED_TRACE(thickness);
    expect_certified(frozen(c));
  }
}

} // namespace
} // namespace contraflow::test
