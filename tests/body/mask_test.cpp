#include "adjoint/body/mask.hpp"
#include "tests/support/adjoint_pair.hpp"
#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

// Around both clamps, on them and far outside.
const double arguments[] = {-3, -1.001, -1, -0.999, -0.4, 0, 0.25, 0.999, 1, 1.001, 3};

/// The integral of f over [low, high] by Simpson's rule.
template <class Function> double integral(double low, double high, const Function& f) {
  constexpr int intervals = 400;
  const double h = (high - low) / intervals;
  double sum = f(low) + f(high);
  for (int n = 1; n < intervals; ++n) sum += (n % 2 == 1 ? 4 : 2) * f(low + n * h);
  return sum * h / 3;
}

TEST(SmoothingKernel, GoesFromZeroToOne) {
  EXPECT_NEAR(kernel_zeroth(-1.0), 0, 1e-15);
  EXPECT_NEAR(kernel_zeroth(1.0), 1, 1e-15);
  EXPECT_DOUBLE_EQ(kernel_zeroth(0.0), 0.5);
  EXPECT_NEAR(kernel_zeroth(-7.0), 0, 1e-15);
  EXPECT_NEAR(kernel_zeroth(7.0), 1, 1e-15);
  for (double x : arguments) EXPECT_NEAR(kernel_zeroth(x) + kernel_zeroth(-x), 1, 1e-15);
}

TEST(SmoothingKernel, HasASymmetricFirstMoment) {
  EXPECT_NEAR(kernel_first(0.0), 0.25 - 1 / (pi * pi), 1e-15);
  EXPECT_NEAR(kernel_first(1.0), 0, 1e-15);
  EXPECT_NEAR(kernel_first(9.0), 0, 1e-15);
  for (double x : arguments) {
    EXPECT_NEAR(kernel_first(x), kernel_first(-x), 1e-15);
    const double moment =
        integral(clamp_to_unit(x), 1, [](double s) { return s * 0.5 * (1 + std::cos(pi * s)); });
    EXPECT_NEAR(kernel_first(x), moment, 1e-9) << x;
  }
}

TEST(SmoothingKernel, HasTheSlopesOfDualNumbersOnBothSidesOfItsClamps) {
  for (double x : arguments) {
    const Dual at{x, 1};
    EXPECT_NEAR(kernel_zeroth_slope(x), kernel_zeroth(at).dot, 1e-15) << x;
    EXPECT_NEAR(kernel_first_slope(x), kernel_first(at).dot, 1e-15) << x;
  }
}

template <class T> MaskConstants<T> constants_in() { return {T(0.1), T(0.15), T(-0.02), T(0.01)}; }

TEST(MaskMoments, HaveTheSlopesOfDualNumbers) {
  for (int n = -50; n <= 50; ++n) {
    const double d = 0.01 * n;
    const MaskMoments<Dual> thick = bdim_moments(constants_in<Dual>(), Dual{d, 1});
    const MaskMoments<Dual> thin = robin_moments(constants_in<Dual>(), Dual{d, 1});
    const MaskMoments<double> thick_slope = bdim_slopes(constants_in<double>(), d);
    const MaskMoments<double> thin_slope = robin_slopes(constants_in<double>(), d);
    EXPECT_NEAR(thick_slope.solid, thick.solid.dot, 1e-13) << d;
    EXPECT_NEAR(thick_slope.first, thick.first.dot, 1e-13) << d;
    EXPECT_NEAR(thin_slope.solid, thin.solid.dot, 1e-13) << d;
    EXPECT_NEAR(thin_slope.first, thin.first.dot, 1e-13) << d;
  }
}

TEST(MaskMoments, OfTheOneSidedMaskAreSmooth) {
  const auto constants = constants_in<double>(); // wall at d = -0.01
  EXPECT_NEAR(robin_moments(constants, -0.05).solid, 1, 1e-15);
  EXPECT_NEAR(robin_moments(constants, 0.30).solid, 0, 1e-15); // 3.1 cells outside
  EXPECT_NEAR(robin_moments(constants, 0.125).solid, 0.5, 1e-15);
  EXPECT_NEAR(robin_moments(constants, 0.125).first, 0.5 * 0.135, 1e-15); // solid times distance
  EXPECT_NEAR(robin_moments(constants, -0.035).first, 0, 1e-15);
}

/// Inputs: d at the face, lower and upper samples along each axis, thinness.
/// Outputs: solid, moment along each axis.
struct MaskPair {
  Layout layout;
  Box box;

  std::size_t axes() const { return static_cast<std::size_t>(layout.dimension); }

  Blocks inputs() const {
    const std::vector<double> block(static_cast<std::size_t>(box.count()));
    Blocks blocks = random_like(Blocks(2 + 2 * axes(), block), 1);
    for (auto& each : blocks) {
      for (double& d : each) d *= 0.35; // past the clamps of both masks on both sides
    }
    return blocks;
  }
  std::vector<Bar> bars() const { return std::vector<Bar>(2 + 2 * axes(), Bar::overwritten); }

  template <class T> std::vector<PaddedField<T>> fields(const BlocksOf<T>& blocks) const {
    std::vector<PaddedField<T>> fields;
    for (const auto& block : blocks) fields.emplace_back(layout, box, block);
    return fields;
  }
  template <class T> BlocksOf<T> values(std::vector<PaddedField<T>>& fields) const {
    BlocksOf<T> blocks;
    for (auto& field : fields) blocks.push_back(field.get(box));
    return blocks;
  }

  template <class T>
  BodyMask<T> kernel(std::vector<PaddedField<T>>& in, std::vector<PaddedField<T>>& out) const {
    BodyMask<T> mask{};
    mask.centre = in[0].data();
    mask.thinness = in.back().data();
    for (std::size_t a = 0; a < axes(); ++a) {
      mask.lower[a] = in[1 + a].data();
      mask.upper[a] = in[1 + axes() + a].data();
      if (!out.empty()) mask.moment[a] = out[1 + a].data();
    }
    if (!out.empty()) mask.solid = out[0].data();
    mask.constants = constants_in<T>();
    mask.layout = layout;
    mask.box = box;
    return mask;
  }

  template <class T> BlocksOf<T> forward(const BlocksOf<T>& in) const {
    auto distances = fields<T>(in);
    std::vector<PaddedField<T>> mask(1 + axes(), PaddedField<T>{layout});
    runner_for<T>()(kernel<T>(distances, mask));
    return values<T>(mask);
  }

  template <class T>
  void adjoint(const BlocksOf<T>& in, const BlocksOf<T>& out_bar, BlocksOf<T>& in_bar) const {
    auto distances = fields<T>(in), mask_bar = fields<T>(out_bar), bar = fields<T>(in_bar);
    std::vector<PaddedField<T>> none;
    BodyMaskAdjoint<T> transpose{};
    transpose.forward = kernel<T>(distances, none);
    transpose.solid_bar = mask_bar[0].data();
    transpose.centre_bar = bar[0].data();
    transpose.thinness_bar = bar.back().data();
    for (std::size_t a = 0; a < axes(); ++a) {
      transpose.moment_bar[a] = mask_bar[1 + a].data();
      transpose.lower_bar[a] = bar[1 + a].data();
      transpose.upper_bar[a] = bar[1 + axes() + a].data();
    }
    runner_for<T>()(transpose);
    in_bar = values<T>(bar);
  }
};

TEST(BodyMask, HasItsAdjoint) {
  expect_adjoint_pair(pair_of(MaskPair{Layout::over(70, 68, 1, 2), {{1, 2, 0}, {69, 66, 1}}}));
  expect_adjoint_pair(pair_of(MaskPair{Layout::over(20, 19, 18, 3), {{0, 1, 0}, {20, 18, 17}}}));
  expect_equal_jacobians(pair_of(MaskPair{Layout::over(5, 4, 1, 2), {{0, 0, 0}, {5, 4, 1}}}));
  expect_equal_jacobians(pair_of(MaskPair{Layout::over(3, 3, 2, 3), {{0, 0, 0}, {3, 3, 2}}}));
}

/// Mask at one point where the normal is (0.6, 0.8).
std::vector<double> mask_at(double d, double thinness) {
  const MaskPair pair{Layout::over(1, 1, 1, 2), {{0, 0, 0}, {1, 1, 1}}};
  const Blocks mask =
      pair.forward<double>({{d}, {d - 0.03}, {d - 0.04}, {d + 0.03}, {d + 0.04}, {thinness}});
  return {mask[0][0], mask[1][0], mask[2][0]};
}

TEST(BodyMask, IsHalfSolidOnTheDisplacedSurface) {
  const auto mask = mask_at(0.02, 1); // the surface moved outwards by 0.02
  const double moment = 0.15 * (0.25 - 1 / (pi * pi)) / (2 * 0.1);
  EXPECT_NEAR(mask[0], 0.5, 1e-15);
  EXPECT_NEAR(mask[1], 0.6 * moment, 1e-15);
  EXPECT_NEAR(mask[2], 0.8 * moment, 1e-15);
}

TEST(BodyMask, IsFluidFarAwayAndSolidDeepInside) {
  for (double thinness : {-1.0, 0.0, 1.0}) {
    EXPECT_NEAR(mask_at(0.3, thinness)[0], 0, 1e-15);
    EXPECT_NEAR(mask_at(-0.3, thinness)[0], 1, 1e-15);
    for (double d : {-0.3, 0.3}) EXPECT_NEAR(mask_at(d, thinness)[1], 0, 1e-15);
  }
}

TEST(BodyMask, TurnsOneSidedWhereTheBodyIsThin) {
  const auto thick = bdim_moments(constants_in<double>(), 0.05);
  const auto thin = robin_moments(constants_in<double>(), 0.05);
  EXPECT_NEAR(mask_at(0.05, 0.1)[0], thick.solid, 1e-15);
  EXPECT_NEAR(mask_at(0.05, 0)[0], thin.solid, 1e-15);
  EXPECT_NEAR(mask_at(0.05, 0.05)[0], 0.5 * (thick.solid + thin.solid), 1e-15);
  EXPECT_NEAR(mask_at(0.05, 0.05)[1], 0.5 * (thick.first + thin.first) * 0.6 / 0.2, 1e-14);
}

} // namespace
} // namespace contraflow::test
