#pragma once

#include "contraflow/grid.hpp"
#include "src/io/report.hpp"

#include <string>

namespace contraflow {

/// A line plot as an SVG element: axes with round tick marks, a legend, gaps where a value is not
/// finite. Long lines are thinned to what the width can show, extremes kept.
std::string svg_plot(const ReportPlot& plot);

/// A picture as an SVG element: an embedded PNG, the body outline on it (points that are not finite
/// separate bodies), axes and a colour bar.
std::string svg_picture(const Grid& grid, const ReportPicture& picture);

} // namespace contraflow
