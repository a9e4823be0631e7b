#pragma once

#include "contraflow/error.hpp"
#include "contraflow/exec.hpp"
#include "src/io/case_file.hpp"
#include "src/solver/wind_tunnel.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace contraflow::app {

/// What the verbs take from the command line.
struct Options {
  std::string case_file;
  std::string device = "auto";
  std::string precision; ///< empty: as the case says
  std::string output;    ///< empty: as the case says
  std::vector<std::string> set;
  bool resume = false;
  int threads = 0; ///< 0: all
};

/// Exit codes: 0 done, 1 failed (diverged, certificate refused, a file could not be written), 2 the
/// input is wrong (nothing was written), 130 interrupted (everything saved).
enum ExitCode { success = 0, failure = 1, bad_input = 2, interrupted_by_user = 130 };

/// A case made ready: read, checked, its constants frozen, its tunnel built. Nothing is written
/// yet.
struct Job {
  Case configuration;
  Exec exec;
  std::string device; ///< in words
  bool full = true;   ///< double precision
  std::filesystem::path folder;
  std::string provenance; ///< goes into every file: version, commit, resolved case
  std::unique_ptr<WindTunnel> tunnel;
  std::vector<std::string> warnings;
};

/// `full_by_default`: the precision where the case says auto. `complete` may change the case before
/// its constants are frozen, knowing the output folder. Prints what it made. Throws CaseError.
using Complete = std::function<void(Case&, const std::filesystem::path& folder)>;
Job prepare(const Options& options, CaseUse use, bool full_by_default,
            const Complete& complete = {});

/// What `read` returns. What it cannot read is bad input: its FileErrors become CaseErrors.
template <class Read> auto as_input(Read read) {
  try {
    return read();
  } catch (const FileError& error) {
    throw CaseError{error.what()};
  }
}

/// Creates the output folder and writes resolved.toml. Throws CaseError where it cannot: nothing
/// was written then.
void open_folder(const Job& job);

/// Ctrl-C or SIGTERM: the first one says `message` and sets a flag, the second ends the program at
/// once.
void watch_for_interrupt(const char* message);
bool interrupted();

/// Version and commit, first line of files.
std::string signature();

/// What people call the case: its title, or else its file.
std::string title_of(const Case& c);

// Verbs; each returns an exit code.
int run(const Options& options);
int gradient(const Options& options);
int check(const Options& options);
int optimize(const Options& options);
int info();

} // namespace contraflow::app
