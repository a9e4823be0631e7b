#include "src/io/restart.hpp"

#include "contraflow/error.hpp"
#include "src/io/grid_file.hpp"
#include "src/io/hdf5.hpp"
#include "src/io/publish.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace contraflow {

namespace fs = std::filesystem;

namespace {

// An HDF5 file, which may have bytes after its end, and there a seal: eight characters and the
// CRC-32 of all before, in hexadecimal. HDF5 gets to see only files whose seal fits.
constexpr std::string_view seal_mark = "cf-crc32";
constexpr std::uintmax_t seal_size = 16;

/// The seal of the first `bytes` of a file.
std::string seal_of(const fs::path& file, std::uintmax_t bytes) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> buffer(std::size_t{1} << 20);
  uLong crc = crc32(0, nullptr, 0);
  while (bytes > 0 && in) {
    const std::uintmax_t wanted = std::min<std::uintmax_t>(bytes, buffer.size());
    in.read(buffer.data(), static_cast<std::streamsize>(wanted));
    const auto count = static_cast<uInt>(in.gcount());
    crc = crc32(crc, reinterpret_cast<const Bytef*>(buffer.data()), count);
    bytes -= count;
  }
  return fmt::format("{}{:08x}", seal_mark, crc);
}

void append_seal(const fs::path& file) {
  const std::string seal = seal_of(file, fs::file_size(file));
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) throw_file_error("write", file, errno);
  int code = write_fully(descriptor, seal);
  if (::close(descriptor) < 0 && code == 0) code = errno;
  if (code != 0) throw_file_error("write", file, code);
}

void require_seal(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw_file_error("read", file, errno);
  if (!fs::is_regular_file(file)) throw_file_error("read", file, EINVAL);
  const std::uintmax_t size = fs::file_size(file);
  std::string seal(seal_size, ' ');
  if (size > seal_size) {
    in.seekg(static_cast<std::streamoff>(size - seal_size));
    in.read(seal.data(), static_cast<std::streamsize>(seal_size));
  }
  const std::string what = "cannot read " + file.string() + ": ";
  if (!seal.starts_with(seal_mark)) {
    throw FileError(what + "not a restart file of contraflow, or only a part of one");
  }
  if (seal != seal_of(file, size - seal_size)) {
    throw FileError(what + "its checksum does not fit, it has changed since it was written");
  }
}

std::string velocity_name(std::size_t axis) { return std::string("velocity_") + "xyz"[axis]; }

void write_values(hid_t root, const std::string& name, const std::vector<double>& values) {
  hdf5::write_array(root, name, {values.size()}, std::span(values));
}

} // namespace

void write_restart(const fs::path& file, const Grid& grid, const FlowState& state,
                   const std::string& provenance) {
  const auto fill = [&](hid_t root) {
    hdf5::write_attribute(root, "format", "contraflow restart");
    hdf5::write_attribute(root, "version", std::vector<std::int64_t>{1});
    hdf5::write_attribute(root, "step", std::vector<std::int64_t>{state.step});
    hdf5::write_attribute(root, "time", std::vector<double>{state.time});
    hdf5::write_attribute(root, "dt", std::vector<double>{state.dt});
    hdf5::write_grid(root, grid);
    for (std::size_t a = 0; a < 3; ++a) write_values(root, velocity_name(a), state.velocity[a]);
    write_values(root, "pressure", state.pressure);
    hdf5::write_text(root, "provenance", provenance);
  };
  hdf5::write_file(file, fill, append_seal);
}

FlowState read_restart(const fs::path& file, const Grid& grid) {
  require_seal(file);
  FlowState state;
  hdf5::read_file(file, [&](hid_t root) {
    if (hdf5::read_integer(root, "version") != 1) throw FileError("of another version");
    hdf5::require_grid(root, grid, file);
    state.step = static_cast<long>(hdf5::read_integer(root, "step"));
    state.time = hdf5::read_number(root, "time");
    state.dt = hdf5::read_number(root, "dt");
    for (std::size_t a = 0; a < 3; ++a) {
      state.velocity[a] = hdf5::read_array(root, velocity_name(a)).full;
    }
    state.pressure = hdf5::read_array(root, "pressure").full;
  });
  return state;
}

std::string read_provenance(const fs::path& file) {
  require_seal(file);
  std::string text;
  hdf5::read_file(file, [&](hid_t root) { text = hdf5::read_text(root, "provenance"); });
  return text;
}

} // namespace contraflow
