#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace contraflow {

/// The bytes of a PNG file: 8-bit RGB, `rgb` is [height][width][3], top row first.
std::string encode_png(int width, int height, const std::vector<std::uint8_t>& rgb);

} // namespace contraflow
