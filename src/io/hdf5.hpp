#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What this library needs of HDF5, with closed handles and exceptions. Every function throws
/// FileError, with HDF5's innermost reason; write_file and read_file put the file's name before it.
namespace contraflow::hdf5 {

/// An open HDF5 object, closed by the destructor.
class Id {
public:
  Id(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  ~Id() {
    if (id_ >= 0) close_(id_);
  }

  operator hid_t() const { return id_; }

  /// Closes now; the result tells of a failed flush.
  herr_t close() { return close_(std::exchange(id_, -1)); }

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// While one lives, HDF5 does not print its error stack in this thread.
class Quiet {
public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Writes a file by NAME.tmp, flush and rename; `fill` gets the open file, `finish` the name of the
/// closed one before it is renamed.
void write_file(const std::filesystem::path& file, const std::function<void(hid_t)>& fill,
                const std::function<void(const std::filesystem::path&)>& finish = {});

/// Opens a file for reading and hands it to `use`.
void read_file(const std::filesystem::path& file, const std::function<void(hid_t)>& use);

Id create_group(hid_t parent, const std::string& path);
Id open_group(hid_t parent, const std::string& path);
bool has(hid_t parent, const std::string& path);

/// The names in a group, in the order of the alphabet.
std::vector<std::string> names_in(hid_t group);

// Attributes: one value is a scalar, several are a list. Text is fixed-length ASCII without a
// terminator, the only form that every VTK reader accepts.
void write_attribute(hid_t object, const char* name, std::span<const std::int64_t> values);
void write_attribute(hid_t object, const char* name, std::span<const double> values);
void write_attribute(hid_t object, const char* name, std::string_view text);
std::int64_t read_integer(hid_t object, const char* name);
double read_number(hid_t object, const char* name);

/// A data set of numbers: its shape, slowest index first, and its values in one of the two.
struct Array {
  std::vector<hsize_t> shape;
  bool is_single = false; ///< stored as float
  std::vector<float> single;
  std::vector<double> full;
};

/// `compression`: 0, or 1 to 9 for shuffle and gzip.
void write_array(hid_t group, const std::string& name, const std::vector<hsize_t>& shape,
                 std::span<const float> values, int compression = 0);
void write_array(hid_t group, const std::string& name, const std::vector<hsize_t>& shape,
                 std::span<const double> values, int compression = 0);

/// Shape and type only.
Array describe_array(hid_t group, const std::string& name);
Array read_array(hid_t group, const std::string& name);

/// As a data set: attributes are limited to 64 KiB.
void write_text(hid_t group, const std::string& name, const std::string& text);
std::string read_text(hid_t group, const std::string& name);

} // namespace contraflow::hdf5
