#pragma once

#include "apps/contraflow/common.hpp"
#include "src/design/problem.hpp"
#include "src/io/fields.hpp"
#include "src/io/report.hpp"

#include <span>
#include <string>
#include <vector>

namespace contraflow::app {

/// `text` as one cell of a CSV file: without commas and control characters.
std::string cell(std::string text);

/// The names of the controls for tables and CSV files, with the unit where it is not that of the
/// case: angles are in radians.
std::vector<std::string> names_of(const Controls& controls);

/// What files of body b are called: its name, or what of it a file name can hold.
std::string file_name(const Case& c, std::size_t b);

NamedField named_field(const std::string& name, int components, bool on_points,
                       const std::vector<double>& values, bool full);

/// Velocity, pressure, vorticity and body distance of the tunnel's state, for a field file.
std::vector<NamedField> named_fields(const WindTunnel& tunnel, const WindTunnel::Fields& fields,
                                     bool full);

/// Outline of body b with these parameters, closed: as it stands in the flow.
std::vector<Vec3> outline(const Case& c, std::size_t b, const std::vector<double>& values);

/// Its surface, for what is given on it.
SurfaceMesh surface(const Case& c, std::size_t b, const std::vector<double>& values);

/// A picture of the vorticity around the bodies of a design, where they are at the step that the
/// tunnel has reached (of a 3D flow in its middle plane).
ReportPicture vorticity_picture(const Job& job, const WindTunnel::Fields& fields,
                                const Design& design, const std::string& when);

/// A report that has title, warnings, provenance and what was computed, but no results yet.
Report begin_report(const Job& job);

/// One line about the memory that a gradient takes and what is computed twice.
void print_tape_plan(const Job& job, const Problem& problem);

} // namespace contraflow::app
