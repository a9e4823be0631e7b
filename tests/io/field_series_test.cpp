#include "contraflow/error.hpp"
#include "src/io/fields.hpp"
#include "tests/io/child.hpp"
#include "tests/io/grids.hpp"
#include "tests/io/markup_check.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <hdf5.h>

#include <cmath>
#include <limits>
#include <regex>
#include <unistd.h>

namespace contraflow::test {

namespace {

namespace fs = std::filesystem;

std::size_t count(const Grid& grid, int more) {
  std::size_t product = 1;
  for (int a = 0; a < 3; ++a) product *= static_cast<std::size_t>(grid.cells(a) + more);
  return product;
}

/// A scalar in float, a vector in double, a scalar on points in double: every value its own.
std::vector<NamedField> make_fields(const Grid& grid, double seed) {
  NamedField p{.name = "p"}, u{.name = "u", .components = 3};
  NamedField sdf{.name = "sdf", .components = 1, .on_points = true};
  for (std::size_t i = 0; i < count(grid, 0); ++i) {
    p.single.push_back(static_cast<float>(seed + static_cast<double>(i) / 3));
  }
  for (std::size_t i = 0; i < 3 * count(grid, 0); ++i) {
    u.full.push_back(seed - static_cast<double>(i) / 7);
  }
  for (std::size_t i = 0; i < count(grid, 1); ++i) {
    sdf.full.push_back(seed * static_cast<double>(i) / 11);
  }
  return {p, u, sdf};
}

/// The step files that an index lists.
std::set<std::string> listed_in(const fs::path& index) {
  const std::string text = contents(index);
  const std::regex file("[a-z_]+_[0-9]+\\.vtkhdf");
  return {std::sregex_token_iterator(text.begin(), text.end(), file), std::sregex_token_iterator()};
}

std::vector<double> times_in(const fs::path& index) {
  const std::string text = contents(index);
  const std::regex time("(?:Time Value=\"|\"time\": )([^\"}]+)");
  std::vector<double> times;
  for (std::sregex_iterator i(text.begin(), text.end(), time), end; i != end; ++i) {
    times.push_back(std::stod((*i)[1]));
  }
  return times;
}

/// An array of a file by HDF5 alone, as double, with its extent.
std::pair<std::vector<hsize_t>, std::vector<double>> by_hdf5(const fs::path& file,
                                                             const std::string& path) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(f, path.c_str(), H5P_DEFAULT), space = H5Dget_space(set);
  std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(f);
  return {shape, values};
}

template <class T> std::vector<T> attribute(const fs::path& file, const char* name, hid_t type) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t a = H5Aopen_by_name(f, "VTKHDF", name, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Aget_space(a);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Aread(a, type, values.data());
  H5Sclose(space);
  H5Aclose(a);
  H5Fclose(f);
  return values;
}

std::string type_attribute(const fs::path& file) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t a = H5Aopen_by_name(f, "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Aget_type(a);
  std::string text(H5Tget_size(type), '?');
  H5Aread(a, type, text.data());
  H5Tclose(type);
  H5Aclose(a);
  H5Fclose(f);
  return text;
}

std::vector<double> as_double(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

struct Kind {
  int dimension;
  bool stretched;
};

class FieldSeriesOf : public ::testing::TestWithParam<Kind> {};

} // namespace

TEST_P(FieldSeriesOf, HoldsEveryValueInTheShapesOfVtk) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(GetParam().dimension, GetParam().stretched);
  const auto fields = make_fields(grid, 2);
  FieldSeries series(folder.path(), "flow", grid, "v1 abc", 0);
  series.write(123, 0.5, fields);

  const fs::path file = folder / "flow_000123.vtkhdf";
  const auto nx = hsize_t(grid.cells(0)), ny = hsize_t(grid.cells(1)), nz = hsize_t(grid.cells(2));
  const auto [p_shape, p] = by_hdf5(file, "/VTKHDF/CellData/p");
  EXPECT_EQ(p_shape, (std::vector<hsize_t>{nz, ny, nx}));
  EXPECT_EQ(p, as_double(fields[0].single));
  const auto [u_shape, u] = by_hdf5(file, "/VTKHDF/CellData/u");
  EXPECT_EQ(u_shape, (std::vector<hsize_t>{nz, ny, nx, 3}));
  EXPECT_EQ(u, fields[1].full);
  const auto [sdf_shape, sdf] = by_hdf5(file, "/VTKHDF/PointData/sdf");
  EXPECT_EQ(sdf_shape, (std::vector<hsize_t>{nz + 1, ny + 1, nx + 1}));
  EXPECT_EQ(sdf, fields[2].full);
}

TEST_P(FieldSeriesOf, DescribesTheGridAsItsTypeDemands) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(GetParam().dimension, GetParam().stretched);
  FieldSeries(folder.path(), "flow", grid, "", 0).write(0, 0, make_fields(grid, 1));
  const fs::path file = folder / "flow_000000.vtkhdf";
  using Integers = std::vector<long long>;
  const long long nx = grid.cells(0), ny = grid.cells(1), nz = grid.cells(2);
  if (GetParam().stretched) {
    EXPECT_EQ(type_attribute(file), "RectilinearGrid");
    EXPECT_EQ(attribute<long long>(file, "Version", H5T_NATIVE_LLONG), (Integers{2, 7}));
    EXPECT_EQ(attribute<long long>(file, "Dimensions", H5T_NATIVE_LLONG),
              (Integers{nx + 1, ny + 1, nz + 1}));
    EXPECT_EQ(by_hdf5(file, "/VTKHDF/XCoordinates").second, grid.faces[0]);
    EXPECT_EQ(by_hdf5(file, "/VTKHDF/YCoordinates").second, grid.faces[1]);
    EXPECT_EQ(by_hdf5(file, "/VTKHDF/ZCoordinates").second, grid.faces[2]);
  } else {
    EXPECT_EQ(type_attribute(file), "ImageData");
    EXPECT_EQ(attribute<long long>(file, "Version", H5T_NATIVE_LLONG), (Integers{2, 0}));
    EXPECT_EQ(attribute<long long>(file, "WholeExtent", H5T_NATIVE_LLONG),
              (Integers{0, nx, 0, ny, 0, nz}));
    EXPECT_EQ(attribute<double>(file, "Direction", H5T_NATIVE_DOUBLE),
              (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
    const auto origin = attribute<double>(file, "Origin", H5T_NATIVE_DOUBLE);
    const auto spacing = attribute<double>(file, "Spacing", H5T_NATIVE_DOUBLE);
    for (std::size_t a = 0; a < 3; ++a) {
      EXPECT_EQ(origin[a], grid.faces[a][0]);
      EXPECT_NEAR(spacing[a], grid.faces[a][1] - grid.faces[a][0], 1e-14);
    }
  }
}

TEST_P(FieldSeriesOf, HasIndicesThatAreWellFormedAndListWhatExists) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(GetParam().dimension, GetParam().stretched);
  FieldSeries series(folder.path(), "flow", grid, "", 0);
  for (const long step : {0L, 10L, 20L}) {
    series.write(step, 0.1 * static_cast<double>(step), make_fields(grid, 1));
    const auto listed = listed_in(series.index());
    EXPECT_EQ(listed.size(), static_cast<std::size_t>(step / 10 + 1));
    EXPECT_EQ(listed, listed_in(folder / "flow.vtkhdf.series"));
    for (const std::string& file : listed) EXPECT_TRUE(fs::exists(folder / file)) << file;
    EXPECT_EQ(markup_fault(contents(series.index())), "");
  }
  EXPECT_EQ(series.index(), folder / "flow.xmf");
  EXPECT_EQ(times_in(series.index()), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(times_in(folder / "flow.vtkhdf.series"), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(folder.names().size(), 5u) << "no temporary files";
}

INSTANTIATE_TEST_SUITE_P(Grids, FieldSeriesOf,
                         ::testing::Values(Kind{2, false}, Kind{2, true}, Kind{3, false},
                                           Kind{3, true}),
                         [](const auto& kind) {
                           return std::string(kind.param.stretched ? "Stretched" : "Uniform") +
                                  std::to_string(kind.param.dimension) + "D";
                         });

TEST(FieldSeries, TakesAGridForStretchedFromOneFaceInAMillionMillionth) {
  for (const double nudge : {1e-14, 1e-10}) {
    const TemporaryFolder folder;
    Grid grid = make_grid(2, false);
    grid.faces[1][2] += nudge;
    FieldSeries(folder.path(), "flow", grid, "", 0).write(0, 0, make_fields(grid, 1));
    EXPECT_EQ(type_attribute(folder / "flow_000000.vtkhdf"),
              nudge < 1e-12 ? "ImageData" : "RectilinearGrid");
  }
}

TEST(FieldSeries, ReadsBackWhatItWroteWithEachCompression) {
  const Grid grid = make_grid(3, true);
  for (const int compression : {0, 1, 9}) {
    const TemporaryFolder folder;
    const auto fields = make_fields(grid, 3);
    FieldSeries(folder.path(), "flow", grid, "", compression).write(1, 1, fields);
    for (const NamedField& field : fields) {
      const NamedField back = read_field(folder / "flow_000001.vtkhdf", field.name);
      EXPECT_EQ(back.components, field.components);
      EXPECT_EQ(back.on_points, field.on_points);
      EXPECT_EQ(back.single, field.single);
      EXPECT_EQ(back.full, field.full);
    }
  }
}

TEST(FieldSeries, CompressesWhenAsked) {
  Grid grid = make_grid(2, true);
  for (int i = 0; i < 300; ++i) grid.faces[0].push_back(grid.faces[0].back() + 1);
  const TemporaryFolder folder;
  const NamedField zero{.name = "p", .full = std::vector<double>(count(grid, 0), 0.)};
  FieldSeries(folder.path(), "plain", grid, "", 0).write(0, 0, {zero});
  FieldSeries(folder.path(), "small", grid, "", 1).write(0, 0, {zero});
  EXPECT_GT(fs::file_size(folder / "plain_000000.vtkhdf"),
            fs::file_size(folder / "small_000000.vtkhdf") + 8000);
}

TEST(FieldSeries, WritesValuesThatAreNotFinite) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  auto fields = make_fields(grid, 1);
  fields[0].single[3] = std::numeric_limits<float>::quiet_NaN();
  fields[1].full[4] = -std::numeric_limits<double>::infinity();
  FieldSeries(folder.path(), "flow", grid, "", 0).write(0, 0, fields);
  const NamedField p = read_field(folder / "flow_000000.vtkhdf", "p");
  EXPECT_TRUE(std::isnan(p.single[3]));
  EXPECT_EQ(p.single[2], fields[0].single[2]);
  EXPECT_EQ(read_field(folder / "flow_000000.vtkhdf", "u").full[4], fields[1].full[4]);
}

TEST(FieldSeries, KeepsProvenanceOutsideOfTheGroupOfVtk) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, false);
  const std::string provenance(100'000, 'c'); // longer than an attribute may be
  FieldSeries(folder.path(), "flow", grid, provenance, 0).write(0, 0, make_fields(grid, 1));
  EXPECT_NE(contents(folder / "flow_000000.vtkhdf").find(provenance), std::string::npos);
  const hid_t f = H5Fopen((folder / "flow_000000.vtkhdf").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GT(H5Lexists(f, "contraflow/provenance", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(f, "VTKHDF/FieldData", H5P_DEFAULT), 0);
  H5Fclose(f);
}

TEST(FieldSeries, ReplacesAStepThatIsWrittenAgain) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, false);
  FieldSeries series(folder.path(), "flow", grid, "", 0);
  series.write(0, 0, make_fields(grid, 1));
  series.write(5, 0.5, make_fields(grid, 1));
  series.write(5, 0.5, make_fields(grid, 2));
  EXPECT_EQ(times_in(series.index()), (std::vector<double>{0, 0.5}));
  EXPECT_EQ(read_field(folder / "flow_000005.vtkhdf", "p").single[0], 2.f);
}

TEST(FieldSeries, ListsTimesInAscendingOrderWhenWrittenBackwards) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, false);
  FieldSeries series(folder.path(), "adjoint", grid, "", 0);
  for (const long step : {3L, 2L, 1L}) {
    series.write(step, static_cast<double>(step), make_fields(grid, 1));
  }
  EXPECT_EQ(times_in(series.index()), (std::vector<double>{1, 2, 3}));
}

TEST(FieldSeries, ReplacesTheSeriesOfAnEarlierRunButNoOtherFiles) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, false);
  FieldSeries first(folder.path(), "flow", grid, "", 0);
  first.write(0, 0, make_fields(grid, 1));
  first.write(7, 7, make_fields(grid, 1));
  FieldSeries(folder.path(), "flow_adjoint", grid, "", 0).write(3, 3, make_fields(grid, 1));
  put(folder / "flow_12.txt", "mine");
  FieldSeries second(folder.path(), "flow", grid, "", 0);
  EXPECT_TRUE(fs::exists(folder / "flow_000007.vtkhdf")) << "nothing goes before the first write";
  second.write(1, 1, make_fields(grid, 1));
  EXPECT_EQ(folder.names(),
            (std::set<std::string>{"flow.xmf", "flow.vtkhdf.series", "flow_000001.vtkhdf",
                                   "flow_adjoint.xmf", "flow_adjoint.vtkhdf.series",
                                   "flow_adjoint_000003.vtkhdf", "flow_12.txt"}));
}

TEST(FieldSeries, ResumesUpToATimeAsIfItHadNeverStopped) {
  const TemporaryFolder folder, unbroken;
  const Grid grid = make_grid(2, true);
  {
    FieldSeries series(folder.path(), "flow", grid, "v", 0);
    for (long step = 0; step < 5; ++step) {
      series.write(step, 0.1 * static_cast<double>(step), make_fields(grid, 1));
    }
  }
  put(folder / "flow_000005.vtkhdf.tmp", "torn by a kill");
  fs::remove(folder / "flow.xmf"); // killed before the index was there
  FieldSeries series(folder.path(), "flow", grid, "v", 0);
  series.resume_before(0.2);
  EXPECT_EQ(times_in(series.index()), (std::vector<double>{0, 0.1, 0.2}));
  EXPECT_EQ(folder.names(),
            (std::set<std::string>{"flow.xmf", "flow.vtkhdf.series", "flow_000000.vtkhdf",
                                   "flow_000001.vtkhdf", "flow_000002.vtkhdf"}));
  series.write(8, 0.8, make_fields(grid, 1));

  FieldSeries straight(unbroken.path(), "flow", grid, "v", 0);
  for (const long step : {0L, 1L, 2L, 8L}) {
    straight.write(step, 0.1 * static_cast<double>(step), make_fields(grid, 1));
  }
  EXPECT_EQ(contents(series.index()), contents(straight.index()));
  EXPECT_EQ(contents(folder / "flow.vtkhdf.series"), contents(unbroken / "flow.vtkhdf.series"));
}

TEST(FieldSeries, ResumesInAnEmptyFolder) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  FieldSeries series(folder / "new/one", "flow", grid, "", 0);
  series.resume_before(1);
  EXPECT_FALSE(fs::exists(series.index()));
  series.write(0, 0, make_fields(grid, 1));
  EXPECT_EQ(times_in(series.index()), (std::vector<double>{0}));
}

TEST(FieldSeries, RefusesToContinueFilesOfAnotherGrid) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  FieldSeries(folder.path(), "flow", grid, "", 0).write(0, 0, make_fields(grid, 1));
  FieldSeries other(folder.path(), "flow", make_grid(2, false), "", 0);
  EXPECT_THROW(other.resume_before(1), CaseError);
  EXPECT_TRUE(fs::exists(folder / "flow_000000.vtkhdf"));
}

TEST(FieldSeries, RefusesFieldsOfTheWrongSize) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  FieldSeries series(folder.path(), "flow", grid, "", 0);
  auto fields = make_fields(grid, 1);
  fields[1].full.pop_back();
  EXPECT_EQ(message_of([&] { series.write(0, 0, fields); }),
            "field u: 104 values, the grid takes 105");
  EXPECT_TRUE(folder.names().empty());
}

TEST(FieldSeries, NamesTheFileThatCannotBeRead) {
  const TemporaryFolder folder;
  put(folder / "flow_000000.vtkhdf", "garbage");
  const std::string file = (folder / "flow_000000.vtkhdf").string();
  EXPECT_EQ(message_of([&] { read_field(file, "p"); }),
            "cannot read " + file + ": open: file signature not found");
  EXPECT_EQ(message_of([&] { read_field(folder / "none", "p"); }),
            "cannot read " + (folder / "none").string() + ": open: No such file or directory");
}

TEST(FieldSeries, SaysThatAFolderCannotBeCreated) {
  const TemporaryFolder folder;
  put(folder / "file", "");
  const Grid grid = make_grid(2, true);
  EXPECT_THROW(FieldSeries(folder / "file/inside", "flow", grid, "", 0), FileError);
}

TEST(FieldSeries, LeavesNothingWhenTheDiskIsFull) {
  const Grid grid = make_grid(3, true);
  const auto fields = make_fields(grid, 1);
  const TemporaryFolder whole;
  FieldSeries(whole.path(), "flow", grid, "", 0).write(0, 0, fields);
  const std::uintmax_t size = fs::file_size(whole / "flow_000000.vtkhdf");
  for (std::uintmax_t limit = 0; limit < size; limit += size / 12) {
    const TemporaryFolder folder;
    const int code = in_child([&] {
      FieldSeries series(folder.path(), "flow", grid, "", 0);
      series.write(0, 0, fields);
      limit_file_size(limit);
      const std::string message = message_of([&] { series.write(1, 1, fields); });
      return message.ends_with("File too large") && message.find("flow_000001.vtkhdf") < 200 ? 0
                                                                                             : 1;
    });
    EXPECT_EQ(code, 0) << "limit " << limit;
    EXPECT_EQ(folder.names(), whole.names()) << "limit " << limit;
    EXPECT_EQ(contents(folder / "flow.xmf"), contents(whole / "flow.xmf"));
  }
}

TEST(FieldSeries, SaysThatAFolderIsReadOnly) {
  const TemporaryFolder folder;
  const Grid grid = make_grid(2, true);
  fs::permissions(folder.path(), fs::perms(0555));
  const int code = in_child([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return 1; // root may write anywhere
    FieldSeries series(folder.path(), "flow", grid, "", 0);
    const std::string message = message_of([&] { series.write(0, 0, make_fields(grid, 1)); });
    return message.ends_with("Permission denied") ? 0 : 2;
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(folder.names().empty());
}

TEST(FieldSeries, DoesNotPrintWhatHdf5Says) {
  const TemporaryFolder folder;
  put(folder / "garbage", "garbage");
  ::testing::internal::CaptureStderr();
  EXPECT_THROW(read_field(folder / "garbage", "p"), FileError);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Outline, IsAClosedLineOfVtk) {
  const TemporaryFolder folder;
  NamedField along{.name = "sensitivity", .full = {1, std::nan(""), -1}};
  write_surface(folder / "body.vtp", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {along});
  const std::string xml = contents(folder / "body.vtp");
  EXPECT_EQ(markup_fault(xml), "");
  // python3: base64.b64encode(struct.pack('<Q4q', 32, 0, 1, 2, 0))
  EXPECT_NE(xml.find("Name=\"connectivity\" NumberOfComponents=\"1\" format=\"binary\">"
                     "IAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAgAAAAAAAAAAAAAAAAAAAA=="),
            std::string::npos);
  EXPECT_EQ(folder.names(), std::set<std::string>{"body.vtp"});
  along.full.pop_back();
  EXPECT_THROW(write_surface(folder / "bad.vtp", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {along}),
               Error);
}

} // namespace contraflow::test
