#pragma once

#include "contraflow/grid.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace contraflow {

/// One array of a field file. Cells: [nz][ny][nx]; points: [nz+1][ny+1][nx+1]; x fastest. Vectors
/// have three components, the component fastest, also in 2D.
struct NamedField {
  std::string name;
  int components = 1; ///< 1 or 3
  bool on_points = false;
  std::vector<float> single;  ///< exactly one of the two is filled
  std::vector<double> full;
};

/// A series of field files that ParaView opens: NAME_000123.vtkhdf and the indices NAME.xmf and
/// NAME.vtkhdf.series, each published by rename, so that a kill at any moment leaves files that open.
class FieldSeries {
public:
  /// `provenance` (version, commit, resolved case) goes into every file, outside /VTKHDF.
  FieldSeries(std::filesystem::path folder, std::string name, const Grid& grid,
              std::string provenance, int compression);

  /// Continues the index of an earlier run in the folder up to `time` (files after it are dropped).
  void resume_before(double time);

  void write(long step, double time, const std::vector<NamedField>& fields);

  const std::filesystem::path& index() const { return index_; } ///< NAME.xmf

private:
  struct Entry {
    std::string file, xml;
    double time;
  };
  void publish_index() const;

  std::filesystem::path folder_, index_;
  std::string name_, provenance_;
  Grid grid_;
  int compression_;
  std::vector<Entry> entries_;
};

/// Reads one cell or point array back. Throws FileError.
NamedField read_field(const std::filesystem::path& file, const std::string& name);

/// Writes `text` to a file by NAME.tmp, flush and rename. Throws FileError.
void publish_text(const std::filesystem::path& file, const std::string& text);

/// Body outline as VTK poly data (2D), published by rename; point data [points] optional by name.
void write_outline(const std::filesystem::path& file, const std::vector<std::array<double, 3>>& points,
                   const std::vector<NamedField>& point_data);

} // namespace contraflow
