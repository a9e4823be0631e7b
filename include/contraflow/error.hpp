#pragma once

#include <stdexcept>
#include <string>

namespace contraflow {

/// Base of every exception this library throws, so that callers can catch one type.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the user asked for is wrong: a case file, an option, an input file. The message names the
/// file, the key, the value and what is allowed.
struct CaseError : Error {
  using Error::Error;
};

/// A file cannot be read or written.
struct FileError : Error {
  using Error::Error;
};

/// The requested back end is missing from this build, or CUDA reported a failure.
struct BackendError : Error {
  using Error::Error;
};

/// A numerical building block failed its own check (a BLAS that computes wrong results, say).
struct SolveError : Error {
  using Error::Error;
};

/// The flow blew up: names the step and the field.
struct DivergenceError : Error {
  using Error::Error;
};

} // namespace contraflow
