#include "src/io/png.hpp"

#include "contraflow/error.hpp"

#include <zlib.h>

#include <string_view>

namespace contraflow {

namespace {

void append_big_endian(std::string& out, unsigned long value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255u);
}

void append_chunk(std::string& out, std::string_view type, std::string_view data) {
  append_big_endian(out, data.size());
  const std::size_t start = out.size();
  out += type;
  out += data;
  const auto* covered = reinterpret_cast<const Bytef*>(out.data() + start);
  append_big_endian(out, crc32(0, covered, static_cast<uInt>(out.size() - start)));
}

std::string deflated(const std::string& raw) {
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(raw.data()), static_cast<uLong>(raw.size()), 6);
  if (status != Z_OK) throw Error("cannot compress a picture");
  out.resize(size);
  return out;
}

} // namespace

std::string encode_png(int width, int height, const std::vector<std::uint8_t>& rgb) {
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  if (width < 1 || height < 1 || rgb.size() != row * static_cast<std::size_t>(height)) {
    throw Error("a picture needs width x height x 3 bytes");
  }
  // Each row is preceded by its filter: 1 stores differences to the pixel on the left.
  std::string raw;
  raw.reserve(rgb.size() + static_cast<std::size_t>(height));
  for (std::size_t start = 0; start < rgb.size(); start += row) {
    raw += '\1';
    for (std::size_t i = 0; i < row; ++i) {
      const int left = i < 3 ? 0 : rgb[start + i - 3];
      raw += static_cast<char>(rgb[start + i] - left);
    }
  }
  std::string header;
  append_big_endian(header, static_cast<unsigned long>(width));
  append_big_endian(header, static_cast<unsigned long>(height));
  header += {'\x08', '\x02', '\0', '\0', '\0'}; // 8 bits, RGB, the only methods there are
  std::string out = "\x89PNG\r\n\x1a\n";
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", deflated(raw));
  append_chunk(out, "IEND", {});
  return out;
}

} // namespace contraflow
