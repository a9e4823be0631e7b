#pragma once

#include <string>
#include <string_view>

namespace contraflow {

/// RFC 4648, with padding and without line breaks.
std::string base64(std::string_view bytes);

/// Text for XML and HTML, between tags or in quotes.
std::string escaped(std::string_view text);

/// The bytes of a range of plain values, as they lie in memory.
template <class Range> std::string_view bytes_of(const Range& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(*values.data())};
}

} // namespace contraflow
