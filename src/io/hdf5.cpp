#include "src/io/hdf5.hpp"

#include "contraflow/error.hpp"
#include "src/io/publish.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace contraflow::hdf5 {

namespace {

/// What the operating system said, where it is in HDF5's words, else the innermost description.
std::string reason() {
  std::string text;
  const auto take_last = [](unsigned, const H5E_error2_t* entry, void* out) -> herr_t {
    if (entry->desc != nullptr) *static_cast<std::string*>(out) = entry->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take_last, &text);
  static constexpr std::string_view marker = "error message = '";
  const std::size_t start = text.find(marker);
  if (start == std::string::npos) return text.empty() ? "HDF5 gives no reason" : text;
  const std::size_t from = start + marker.size();
  return text.substr(from, text.find('\'', from) - from);
}

template <class Result> Result checked(Result result, std::string_view what) {
  if (result < 0) throw FileError(fmt::format("{}: {}", what, reason()));
  return result;
}

template <class T> hid_t file_type() {
  if constexpr (std::is_same_v<T, float>) return H5T_IEEE_F32LE;
  if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_STD_I64LE;
}

template <class T> hid_t memory_type() {
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
}

Id space_of(std::span<const hsize_t> shape) {
  const hid_t id = shape.empty()
                       ? H5Screate(H5S_SCALAR)
                       : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  return {checked(id, "shape"), H5Sclose};
}

Id text_type(std::size_t size) {
  Id type{checked(H5Tcopy(H5T_C_S1), "text"), H5Tclose};
  checked(H5Tset_size(type, std::max<std::size_t>(size, 1)), "text");
  checked(H5Tset_strpad(type, H5T_STR_NULLPAD), "text");
  return type;
}

void put_attribute(hid_t object, const char* name, hid_t stored, hid_t in_memory, hid_t space,
                   const void* values) {
  Id attribute{checked(H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT), name),
               H5Aclose};
  checked(H5Awrite(attribute, in_memory, values), name);
}

template <class T> void put_numbers(hid_t object, const char* name, std::span<const T> values) {
  const hsize_t count = values.size();
  const Id space = space_of({&count, values.size() == 1 ? 0u : 1u});
  put_attribute(object, name, file_type<T>(), memory_type<T>(), space, values.data());
}

template <class T> T get_number(hid_t object, const char* name) {
  Id attribute{checked(H5Aopen(object, name, H5P_DEFAULT), name), H5Aclose};
  Id space{checked(H5Aget_space(attribute), name), H5Sclose};
  if (H5Sget_simple_extent_npoints(space) != 1) {
    throw FileError(fmt::format("{}: not one number", name));
  }
  T value{};
  checked(H5Aread(attribute, memory_type<T>(), &value), name);
  return value;
}

/// Without the time of writing: the same data are the same bytes.
Id plain_creation() {
  Id list{checked(H5Pcreate(H5P_DATASET_CREATE), "data set"), H5Pclose};
  checked(H5Pset_obj_track_times(list, false), "data set");
  return list;
}

/// Shuffle and gzip over chunks of at most 4 MiB, whole rows where they fit.
Id creation(const std::vector<hsize_t>& shape, std::size_t bytes, int compression) {
  Id list = plain_creation();
  if (compression <= 0) return list;
  std::vector<hsize_t> chunk = shape;
  hsize_t size = bytes;
  for (const hsize_t n : chunk) size *= n;
  for (std::size_t a = 0; a < chunk.size() && size > (hsize_t{4} << 20); ++a) {
    const hsize_t rest = size / chunk[a];
    chunk[a] = std::clamp<hsize_t>((hsize_t{4} << 20) / rest, 1, chunk[a]);
    size = rest * chunk[a];
  }
  checked(H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()), "chunks");
  checked(H5Pset_shuffle(list), "shuffle");
  checked(H5Pset_deflate(list, static_cast<unsigned>(compression)), "gzip");
  return list;
}

template <class T> void put_array(hid_t group, const std::string& name,
                                  const std::vector<hsize_t>& shape, std::span<const T> values,
                                  int compression) {
  const Id space = space_of(shape);
  const Id list = creation(shape, sizeof(T), compression);
  Id set{checked(
             H5Dcreate2(group, name.c_str(), file_type<T>(), space, H5P_DEFAULT, list, H5P_DEFAULT),
             name),
         H5Dclose};
  checked(H5Dwrite(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
}

Id open_set(hid_t group, const std::string& name) {
  return {checked(H5Dopen2(group, name.c_str(), H5P_DEFAULT), name), H5Dclose};
}

FileError failure(std::string_view verb, const std::filesystem::path& file, const Error& cause) {
  return FileError(fmt::format("cannot {} {}: {}", verb, file.string(), cause.what()));
}

} // namespace

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

void write_file(const std::filesystem::path& file, const std::function<void(hid_t)>& fill,
                const std::function<void(const std::filesystem::path&)>& finish) {
  const Quiet quiet;
  PendingFile pending(file);
  try {
    Id handle{
        checked(H5Fcreate(pending.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                "create"),
        H5Fclose};
    fill(handle);
    checked(handle.close(), "close");
  } catch (const FileError& error) {
    throw failure("write", file, error);
  }
  if (finish) finish(pending.temporary());
  pending.publish();
}

void read_file(const std::filesystem::path& file, const std::function<void(hid_t)>& use) {
  const Quiet quiet;
  try {
    Id handle{checked(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "open"), H5Fclose};
    use(handle);
  } catch (const FileError& error) {
    throw failure("read", file, error);
  }
}

Id create_group(hid_t parent, const std::string& path) {
  return {checked(H5Gcreate2(parent, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), path),
          H5Gclose};
}

Id open_group(hid_t parent, const std::string& path) {
  return {checked(H5Gopen2(parent, path.c_str(), H5P_DEFAULT), path), H5Gclose};
}

bool has(hid_t parent, const std::string& path) {
  return H5Lexists(parent, path.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  checked(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names), "list");
  return names;
}

void write_attribute(hid_t object, const char* name, std::span<const std::int64_t> values) {
  put_numbers(object, name, values);
}

void write_attribute(hid_t object, const char* name, std::span<const double> values) {
  put_numbers(object, name, values);
}

void write_attribute(hid_t object, const char* name, std::string_view text) {
  const Id type = text_type(text.size());
  put_attribute(object, name, type, type, space_of({}), text.data());
}

std::int64_t read_integer(hid_t object, const char* name) {
  return get_number<std::int64_t>(object, name);
}

double read_number(hid_t object, const char* name) { return get_number<double>(object, name); }

void write_array(hid_t group, const std::string& name, const std::vector<hsize_t>& shape,
                 std::span<const float> values, int compression) {
  put_array(group, name, shape, values, compression);
}

void write_array(hid_t group, const std::string& name, const std::vector<hsize_t>& shape,
                 std::span<const double> values, int compression) {
  put_array(group, name, shape, values, compression);
}

Array describe_array(hid_t group, const std::string& name) {
  const Id set = open_set(group, name);
  const Id space{checked(H5Dget_space(set), name), H5Sclose};
  const Id type{checked(H5Dget_type(set), name), H5Tclose};
  if (H5Tget_class(type) != H5T_FLOAT) throw FileError(name + ": not floating-point numbers");
  Array array;
  array.is_single = H5Tget_size(type) == sizeof(float);
  array.shape.resize(static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space), name)));
  checked(H5Sget_simple_extent_dims(space, array.shape.data(), nullptr), name);
  return array;
}

Array read_array(hid_t group, const std::string& name) {
  Array array = describe_array(group, name);
  const Id set = open_set(group, name);
  std::size_t count = 1;
  for (const hsize_t n : array.shape) count *= n;
  const auto read_into = [&](auto& values) {
    values.resize(count);
    using T = std::remove_reference_t<decltype(values[0])>;
    checked(H5Dread(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  };
  if (array.is_single)
    read_into(array.single);
  else
    read_into(array.full);
  return array;
}

void write_text(hid_t group, const std::string& name, const std::string& text) {
  const Id type = text_type(text.size());
  const Id space = space_of({}), list = plain_creation();
  Id set{
      checked(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT), name),
      H5Dclose};
  checked(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), name);
}

std::string read_text(hid_t group, const std::string& name) {
  const Id set = open_set(group, name);
  const Id type{checked(H5Dget_type(set), name), H5Tclose};
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) {
    throw FileError(name + ": not a text");
  }
  std::string text(H5Tget_size(type), '\0');
  checked(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), name);
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

} // namespace contraflow::hdf5
