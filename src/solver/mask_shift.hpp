#pragma once

namespace contraflow {

/// Where the effective wall of a mask stands: the displacement s* (in cells) of the BDIM mask of
/// half-width `width` (in cells), and s_R of the one-sided mask. Mean over sub-cell offsets of the
/// 1D Couette problem u = mu0 g + mu1 (g_{+} - g_{-})/2, g = (1 + lambda D^2) u, lambda = nu
/// tau/h^2 (design, section 2). Negative where the undisplaced wall lies inside the body.
double bdim_shift(double lambda, double width);
double robin_shift(double lambda);

} // namespace contraflow
