#include "src/io/fields.hpp"

#include "contraflow/error.hpp"
#include "src/io/encode.hpp"
#include "src/io/grid_file.hpp"
#include "src/io/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace contraflow {

namespace fs = std::filesystem;

namespace {

bool is_uniform(const std::vector<double>& faces) {
  const double step = (faces.back() - faces.front()) / static_cast<double>(faces.size() - 1);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const double even = faces.front() + static_cast<double>(i) * step;
    if (!hdf5::same_place(faces[i], even, faces)) return false;
  }
  return true;
}

bool is_uniform(const Grid& grid) {
  return std::all_of(grid.faces.begin(), grid.faces.end(),
                     [](const std::vector<double>& faces) { return is_uniform(faces); });
}

std::array<double, 3> spacing_of(const Grid& grid) {
  std::array<double, 3> spacing{};
  for (std::size_t a = 0; a < 3; ++a) {
    const auto& faces = grid.faces[a];
    spacing[a] = (faces.back() - faces.front()) / static_cast<double>(faces.size() - 1);
  }
  return spacing;
}

std::array<double, 3> origin_of(const Grid& grid) {
  return {grid.faces[0].front(), grid.faces[1].front(), grid.faces[2].front()};
}

/// [nz][ny][nx], or one more of each on points, and [3] for vectors.
std::vector<hsize_t> shape_of(const NamedField& field, const Grid& grid) {
  const std::size_t more = field.on_points ? 0 : 1;
  std::vector<hsize_t> shape;
  for (std::size_t a = 3; a-- > 0;) shape.push_back(grid.faces[a].size() - more);
  if (field.components != 1) shape.push_back(static_cast<hsize_t>(field.components));
  return shape;
}

void require_size(const NamedField& field, const std::vector<hsize_t>& shape) {
  if (field.components != 1 && field.components != 3) {
    throw Error(fmt::format("field {}: {} components, not 1 or 3", field.name, field.components));
  }
  std::size_t wanted = 1;
  for (const hsize_t n : shape) wanted *= n;
  const std::size_t size = field.single.size() + field.full.size();
  if (size != wanted || (!field.single.empty() && !field.full.empty())) {
    throw Error(fmt::format("field {}: {} values, the grid takes {}", field.name, size, wanted));
  }
}

void write_uniform(hid_t group, const Grid& grid) {
  const auto spacing = spacing_of(grid), origin = origin_of(grid);
  hdf5::write_attribute(group, "Version", std::vector<std::int64_t>{2, 0});
  hdf5::write_attribute(group, "Type", "ImageData");
  const std::vector<std::int64_t> extent{0, grid.cells(0), 0, grid.cells(1), 0, grid.cells(2)};
  hdf5::write_attribute(group, "WholeExtent", extent);
  hdf5::write_attribute(group, "Origin", origin);
  hdf5::write_attribute(group, "Spacing", spacing);
  hdf5::write_attribute(group, "Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
}

void write_stretched(hid_t group, const Grid& grid) {
  hdf5::write_attribute(group, "Version", std::vector<std::int64_t>{2, 7});
  hdf5::write_attribute(group, "Type", "RectilinearGrid");
  const std::vector<std::int64_t> points{grid.cells(0) + 1, grid.cells(1) + 1, grid.cells(2) + 1};
  hdf5::write_attribute(group, "Dimensions", points);
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string name = std::string(1, "XYZ"[a]) + "Coordinates";
    hdf5::write_array(group, name, {grid.faces[a].size()}, std::span(grid.faces[a]));
  }
}

void write_fields(hid_t file, const Grid& grid, const std::vector<NamedField>& fields,
                  int compression) {
  const hdf5::Id group = hdf5::create_group(file, "VTKHDF");
  if (is_uniform(grid))
    write_uniform(group, grid);
  else
    write_stretched(group, grid);
  const hdf5::Id cells = hdf5::create_group(group, "CellData");
  const hdf5::Id points = hdf5::create_group(group, "PointData");
  for (const NamedField& field : fields) {
    const hid_t home = field.on_points ? points : cells;
    const std::vector<hsize_t> shape = shape_of(field, grid);
    if (field.full.empty()) {
      hdf5::write_array(home, field.name, shape, std::span(field.single), compression);
    } else {
      hdf5::write_array(home, field.name, shape, std::span(field.full), compression);
    }
  }
}

std::string listed(const std::vector<hsize_t>& shape) {
  std::string text;
  for (const hsize_t n : shape) {
    if (!text.empty()) text += ' ';
    text += std::to_string(n);
  }
  return text;
}

/// A reference of XDMF to a data set of a step file.
std::string xdmf_item(const std::string& file, const std::string& path, const hdf5::Array& array) {
  return fmt::format("<DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"{}\" "
                     "Dimensions=\"{}\">{}:/VTKHDF/{}</DataItem>",
                     array.is_single ? 4 : 8, listed(array.shape), escaped(file), escaped(path));
}

std::string xdmf_triple(const std::array<double, 3>& xyz) {
  return fmt::format("<DataItem Format=\"XML\" NumberType=\"Float\" Precision=\"8\" "
                     "Dimensions=\"3\">{:.17g} {:.17g} {:.17g}</DataItem>",
                     xyz[2], xyz[1], xyz[0]);
}

std::string xdmf_mesh(const std::string& file, hid_t group, const Grid& grid) {
  const std::vector<hsize_t> points = shape_of({.name = {}, .on_points = true}, grid);
  if (is_uniform(grid)) {
    return fmt::format("<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{}\"/>\n"
                       "<Geometry GeometryType=\"ORIGIN_DXDYDZ\">{}{}</Geometry>\n",
                       listed(points), xdmf_triple(origin_of(grid)), xdmf_triple(spacing_of(grid)));
  }
  std::string axes;
  for (const char* path : {"XCoordinates", "YCoordinates", "ZCoordinates"}) {
    axes += xdmf_item(file, path, hdf5::describe_array(group, path));
  }
  return fmt::format("<Topology TopologyType=\"3DRectMesh\" Dimensions=\"{}\"/>\n"
                     "<Geometry GeometryType=\"VXVYVZ\">{}</Geometry>\n",
                     listed(points), axes);
}

/// The arrays of CellData or PointData.
std::string xdmf_arrays(const std::string& file, hid_t group, const std::string& kind) {
  const hdf5::Id home = hdf5::open_group(group, kind);
  std::string xml;
  for (const std::string& name : hdf5::names_in(home)) {
    const hdf5::Array array = hdf5::describe_array(home, name);
    xml += fmt::format("<Attribute Name=\"{}\" Center=\"{}\" AttributeType=\"{}\">{}</Attribute>\n",
                       escaped(name), kind == "CellData" ? "Cell" : "Node",
                       array.shape.size() == 4 ? "Vector" : "Scalar",
                       xdmf_item(file, kind + "/" + name, array));
  }
  return xml;
}

void remove_file(const fs::path& file) {
  std::error_code failure;
  fs::remove(file, failure);
  if (failure) throw_file_error("remove", file, failure.value());
}

} // namespace

FieldSeries::FieldSeries(fs::path folder, std::string name, const Grid& grid,
                         std::string provenance, int compression)
    : folder_(std::move(folder)), index_(folder_ / (name + ".xmf")),
      series_(folder_ / (name + ".vtkhdf.series")), name_(std::move(name)),
      provenance_(std::move(provenance)), grid_(grid), compression_(compression) {
  create_folder(folder_);
}

/// NAME_digits.vtkhdf and leftovers NAME_digits.vtkhdf.tmp of a killed run.
std::vector<fs::path> FieldSeries::files_in_folder() const {
  std::vector<fs::path> files;
  std::error_code failure;
  for (const auto& item : fs::directory_iterator(folder_, failure)) {
    const std::string file = item.path().filename().string();
    if (!file.starts_with(name_ + "_")) continue;
    const std::size_t start = name_.size() + 1;
    const std::size_t end = std::min(file.find_first_not_of("0123456789", start), file.size());
    const std::string ending = file.substr(end);
    if (end > start && (ending == ".vtkhdf" || ending == ".vtkhdf.tmp")) files.push_back(item);
  }
  if (failure) throw_file_error("list", folder_, failure.value());
  std::sort(files.begin(), files.end());
  return files;
}

void FieldSeries::remove_indices() const {
  remove_file(index_);
  remove_file(series_);
}

void FieldSeries::remove_earlier_series() {
  remove_indices();
  for (const fs::path& file : files_in_folder()) remove_file(file);
  started_ = true;
}

FieldSeries::Entry FieldSeries::describe(const fs::path& file) const {
  Entry entry{.file = file.filename().string(), .xml = {}, .time = 0};
  hdf5::read_file(file, [&](hid_t root) {
    const hdf5::Id about = hdf5::open_group(root, "contraflow");
    hdf5::require_grid(about, grid_, file);
    entry.time = hdf5::read_number(about, "time");
    const hdf5::Id group = hdf5::open_group(root, "VTKHDF");
    entry.xml = fmt::format("<Grid Name=\"{}\" GridType=\"Uniform\">\n<Time Value=\"{:.17g}\"/>\n",
                            escaped(name_), entry.time);
    entry.xml += xdmf_mesh(entry.file, group, grid_);
    entry.xml += xdmf_arrays(entry.file, group, "CellData");
    entry.xml += xdmf_arrays(entry.file, group, "PointData") + "</Grid>\n";
  });
  return entry;
}

void FieldSeries::resume_before(double time) {
  std::vector<fs::path> dropped;
  entries_.clear();
  for (const fs::path& file : files_in_folder()) {
    if (file.extension() == ".tmp") {
      dropped.push_back(file);
      continue;
    }
    Entry entry = describe(file);
    if (entry.time <= time)
      entries_.push_back(std::move(entry));
    else
      dropped.push_back(file);
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.time < b.time; });
  if (entries_.empty())
    remove_indices();
  else
    publish_index();
  for (const fs::path& file : dropped) remove_file(file);
  started_ = true;
}

void FieldSeries::write(long step, double time, const std::vector<NamedField>& fields) {
  for (const NamedField& field : fields) require_size(field, shape_of(field, grid_));
  if (!started_) remove_earlier_series();
  const fs::path file = folder_ / fmt::format("{}_{:06}.vtkhdf", name_, step);
  hdf5::write_file(file, [&](hid_t root) {
    write_fields(root, grid_, fields, compression_);
    const hdf5::Id about = hdf5::create_group(root, "contraflow");
    hdf5::write_attribute(about, "step", std::vector<std::int64_t>{step});
    hdf5::write_attribute(about, "time", std::vector<double>{time});
    hdf5::write_grid(about, grid_);
    hdf5::write_text(about, "provenance", provenance_);
  });
  Entry entry = describe(file);
  std::erase_if(entries_, [&](const Entry& old) { return old.file == entry.file; });
  const auto later = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& old) { return old.time > time; });
  entries_.insert(later, std::move(entry));
  publish_index();
}

void FieldSeries::publish_index() const {
  std::string xml = "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\"><Domain><Grid Name=\"series\" "
                    "GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  std::string json = "{\"file-series-version\": \"1.0\", \"files\": [";
  const char* separator = "\n";
  for (const Entry& entry : entries_) {
    xml += entry.xml;
    json += fmt::format("{}{{\"name\": \"{}\", \"time\": {:.17g}}}",
                        std::exchange(separator, ",\n"), entry.file, entry.time);
  }
  publish_text(index_, xml + "</Grid></Domain></Xdmf>\n");
  publish_text(series_, json + "\n]}\n");
}

NamedField read_field(const fs::path& file, const std::string& name) {
  NamedField field{.name = name};
  hdf5::read_file(file, [&](hid_t root) {
    const hdf5::Id group = hdf5::open_group(root, "VTKHDF");
    const bool on_cells = hdf5::has(group, "CellData/" + name);
    if (!on_cells && !hdf5::has(group, "PointData/" + name)) {
      throw FileError("it has no field " + name);
    }
    hdf5::Array array = hdf5::read_array(group, (on_cells ? "CellData/" : "PointData/") + name);
    field.on_points = !on_cells;
    field.components = array.shape.size() == 4 ? static_cast<int>(array.shape[3]) : 1;
    field.single = std::move(array.single);
    field.full = std::move(array.full);
  });
  return field;
}

} // namespace contraflow
