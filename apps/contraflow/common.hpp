#pragma once

#include "contraflow/exec.hpp"
#include "src/io/case_file.hpp"
#include "src/io/fields.hpp"
#include "src/io/report.hpp"
#include "src/solver/wind_tunnel.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace contraflow::app {

/// What every verb takes from the command line.
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
  bool full = true; ///< double precision
  std::filesystem::path folder;
  std::string provenance; ///< goes into every file: version, commit, resolved case
  std::unique_ptr<WindTunnel> tunnel;
  std::vector<std::string> warnings;
};

/// `full_by_default`: the precision where the case says auto. `complete` may add to the case before
/// it is built. Prints which device it uses.
Job prepare(const Options& options, CaseUse use, bool full_by_default,
            const std::function<void(Case&)>& complete = {});

/// Creates the output folder and writes resolved.toml; says so. Throws FileError.
void open_folder(Job& job);

/// Ctrl-C: the first one sets a flag, the second ends the program at once.
void watch_for_interrupt();
bool interrupted();

/// Fields of the current state under their names, for a field file.
std::vector<NamedField> named_fields(const WindTunnel& tunnel, const WindTunnel::Fields& fields,
                                     bool full);
NamedField named_field(const std::string& name, int components, bool on_points,
                       const std::vector<double>& values, bool full);

/// A picture of the vorticity around the bodies, for reports (2D; of a 3D flow the middle plane).
ReportPicture vorticity_picture(const Job& job, const WindTunnel::Fields& fields,
                                const std::vector<std::vector<double>>& bodies);

/// Outline of body b with the given parameters.
std::vector<Vec3> outline(const Case& c, std::size_t b, const std::vector<double>& values);

/// First comment lines of CSV files.
std::string csv_header();

/// Verbs; each returns an exit code.
int run(const Options& options);
int gradient(const Options& options);
int check(const Options& options);
int optimize(const Options& options);
int info();

} // namespace contraflow::app
