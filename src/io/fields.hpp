#pragma once

#include "contraflow/grid.hpp"
#include "src/io/publish.hpp"

#include <array>
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
  std::vector<float> single{}; ///< exactly one of the two is filled
  std::vector<double> full{};
};

/// A series of field files that ParaView opens: NAME_000123.vtkhdf and the indices NAME.xmf and
/// NAME.vtkhdf.series, each published by rename, so that a kill at any moment leaves files that
/// open. Times in the indices ascend, whatever the order of writing. Throws FileError.
class FieldSeries {
public:
  /// `provenance` (version, commit, resolved case) goes into every file, outside /VTKHDF.
  /// `compression`: 0, or 1 to 9 for gzip. Creates the folder where it is missing.
  FieldSeries(std::filesystem::path folder, std::string name, const Grid& grid,
              std::string provenance, int compression = 0);

  /// Continues an earlier run in the folder: its files with a time up to and including `time` go
  /// into the indices, later ones are removed. Without this call, the first write() removes all
  /// files of an earlier series of this name. Throws CaseError: files of another grid.
  void resume_before(double time);

  /// Publishes the file of `step`, replacing one of the same step, then the indices.
  void write(long step, double time, const std::vector<NamedField>& fields);

  const std::filesystem::path& index() const { return index_; } ///< NAME.xmf

private:
  struct Entry {
    std::string file, xml;
    double time;
  };
  std::vector<std::filesystem::path> files_in_folder() const;
  void remove_indices() const;
  void remove_earlier_series();
  Entry describe(const std::filesystem::path& file) const;
  void publish_index() const;

  std::filesystem::path folder_, index_, series_;
  std::string name_, provenance_;
  Grid grid_;
  int compression_;
  bool started_ = false; ///< the folder holds files of this series only
  std::vector<Entry> entries_;
};

/// Reads one cell or point array back. Throws FileError.
NamedField read_field(const std::filesystem::path& file, const std::string& name);

/// Body surface as VTK poly data: `triangles` between `points`, x y z each, or one closed line
/// through them where there are none; point data [points], optional; `provenance` goes into a
/// comment. Published by rename. Throws FileError.
void write_surface(const std::filesystem::path& file,
                   const std::vector<std::array<double, 3>>& points,
                   const std::vector<NamedField>& point_data = {},
                   const std::string& provenance = {},
                   const std::vector<std::array<std::size_t, 3>>& triangles = {});

} // namespace contraflow
