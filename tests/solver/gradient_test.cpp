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

} // namespace
} // namespace contraflow::test
