#include "contraflow/error.hpp"
#include "src/io/encode.hpp"
#include "src/io/fields.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <numeric>

namespace contraflow {

namespace {

/// Inline binary data of VTK's XML: base64 of the number of bytes and the bytes. Unlike text it
/// carries NaN and every bit.
std::string data_array(const std::string& type, const std::string& name, int components,
                       std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  std::string payload(reinterpret_cast<const char*>(&size), sizeof size);
  payload += bytes;
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
                     "format=\"binary\">{}</DataArray>\n",
                     type, escaped(name), components, base64(payload));
}

std::string point_array(const NamedField& field, std::size_t points) {
  const std::size_t wanted = points * static_cast<std::size_t>(field.components);
  const std::size_t size = field.single.size() + field.full.size();
  if (size != wanted) {
    throw Error(fmt::format("field {}: {} values, the surface takes {}", field.name, size, wanted));
  }
  if (field.full.empty()) {
    return data_array("Float32", field.name, field.components, bytes_of(field.single));
  }
  return data_array("Float64", field.name, field.components, bytes_of(field.full));
}

/// One line through all points and back to the first.
std::string closed_line(std::size_t points) {
  if (points == 0) return {};
  std::vector<std::int64_t> order(points + 1, 0);
  std::iota(order.begin(), order.end() - 1, 0);
  const std::vector<std::int64_t> offsets{static_cast<std::int64_t>(order.size())};
  return "<Lines>\n" + data_array("Int64", "connectivity", 1, bytes_of(order)) +
         data_array("Int64", "offsets", 1, bytes_of(offsets)) + "</Lines>\n";
}

std::string polygons(const std::vector<std::array<std::size_t, 3>>& triangles) {
  std::vector<std::int64_t> corners, offsets;
  for (const auto& triangle : triangles) {
    for (const std::size_t corner : triangle) corners.push_back(static_cast<std::int64_t>(corner));
    offsets.push_back(static_cast<std::int64_t>(corners.size()));
  }
  return "<Polys>\n" + data_array("Int64", "connectivity", 1, bytes_of(corners)) +
         data_array("Int64", "offsets", 1, bytes_of(offsets)) + "</Polys>\n";
}

/// XML allows no "--" in a comment.
std::string comment(std::string text) {
  if (text.empty()) return text;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '-' && text[i - 1] == '-') text[i] = '~';
  }
  return "<!--\n" + text + "\n-->\n";
}

} // namespace

void write_surface(const std::filesystem::path& file,
                   const std::vector<std::array<double, 3>>& points,
                   const std::vector<NamedField>& point_data, const std::string& provenance,
                   const std::vector<std::array<std::size_t, 3>>& triangles) {
  const bool line = triangles.empty() && !points.empty();
  std::string xml = fmt::format(
      "<?xml version=\"1.0\"?>\n{}"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n<PointData>\n",
      comment(provenance), points.size(), line ? 1 : 0, triangles.size());
  for (const NamedField& field : point_data) xml += point_array(field, points.size());
  xml += "</PointData>\n<Points>\n" + data_array("Float64", "points", 3, bytes_of(points));
  xml += "</Points>\n" + (line ? closed_line(points.size()) : polygons(triangles)) +
         "</Piece>\n</PolyData>\n</VTKFile>\n";
  publish_text(file, xml);
}

} // namespace contraflow
