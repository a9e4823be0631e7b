#pragma once

#include "src/design/case.hpp"

#include <string>
#include <vector>

namespace contraflow {

/// Reads a TOML case, applies `overrides` ("flow.reynolds=40", "body.0.radius=0.4") and checks all
/// that can be checked without a grid. Throws CaseError: the message names file, key, value, what
/// is allowed and, for an unknown key, the nearest known one. File names in a case are relative to it.
Case read_case(const std::string& path, const std::vector<std::string>& overrides = {});

/// The case as TOML, every key written out, doubles so that they read back bit for bit: what goes
/// into the output folder as resolved.toml. read_case(write_case(c)) gives c again.
std::string write_case(const Case& c);

} // namespace contraflow
