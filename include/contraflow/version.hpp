#pragma once

namespace contraflow {

/// The version of the library, such as "0.1.0".
const char* version();

/// The git commit that the library was built from, 12 digits, with "-dirty" behind it if files had
/// been changed since; "unknown" outside a git checkout.
const char* commit();

} // namespace contraflow
