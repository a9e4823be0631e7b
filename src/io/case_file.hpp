#pragma once

#include "src/design/case.hpp"

#include <string>
#include <vector>

namespace contraflow {

/// What a case is read for.
enum class CaseUse {
  run,          ///< a flow alone: files that only gradients need (targets) may be missing
  differentiate ///< all files must be there
};

/// Reads a TOML case, applies `overrides` ("flow.reynolds=40", "body.0.radius=0.4") and checks all
/// that can be checked without a grid. Throws CaseError: the message names file, key, value, what
/// is allowed and, for an unknown key, the nearest known one. File names in a case are relative to
/// it; those in the result are absolute.
Case read_case(const std::string& path, const std::vector<std::string>& overrides = {},
               CaseUse use = CaseUse::differentiate);

/// The case as TOML, every key written out, doubles so that they read back bit for bit: what goes
/// into the output folder as resolved.toml. Reading it gives `c` again, except for its path.
std::string write_case(const Case& c);

} // namespace contraflow
