#pragma once

#include "src/design/case.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace contraflow::app {

/// A resolved case as written: its values as text by their paths ("flow.viscosity",
/// "body.0.radius").
using WrittenCase = std::map<std::string, std::string>;

/// Of what write_case wrote; lines of comment before it are skipped.
WrittenCase read_written(std::string_view toml);

/// "flow.viscosity was 0.025 and is now 0.02" for the first value that differs, apart from those
/// whose path starts with one of `ignored`; empty if none does.
std::string first_difference(const WrittenCase& earlier, const WrittenCase& now,
                             const std::vector<std::string_view>& ignored);

/// The constants that a written case has under [frozen].
FrozenSpec frozen_of(const WrittenCase& written);

} // namespace contraflow::app
