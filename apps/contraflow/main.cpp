// The program `contraflow`: one verb, one case file.
#include "apps/contraflow/common.hpp"

#include "contraflow/version.hpp"
#include "src/io/toml_file.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

struct Verb {
  const char *name, *what, *text;
  int (*action)(const Options&);
  bool writes, can_resume;
};

constexpr Verb verbs[] = {
    {"run", "simulate a flow: forces over time, fields for ParaView, a report",
     R"(Writes into the output folder
  forces.csv        Cd, Cl, Cs, Cm of every body, step by step
  flow.xmf          velocity, pressure, vorticity, body distance: open it in ParaView
  report.html       means, Strouhal number, plots, a picture
  restart.h5        the flow, saved every minute; resolved.toml: the case, every value written out

Examples:
  contraflow run data/cases/cylinder_quick.toml
  contraflow run data/cases/cylinder_quick.toml --set flow.reynolds=80 -o re80
  contraflow run data/cases/cylinder_quick.toml --resume          after Ctrl-C or a crash
  contraflow run data/cases/cylinder_quick.toml --resume --set time.end=90)",
     run, true, true},
    {"gradient", "differentiate the objective with respect to every control",
     R"(The case needs [[control]] and [[objective]]. Writes into the output folder
  gradient.csv      every control, its value, and the derivative of objective and constraints
  gradient.xmf      adjoint velocity at the start; BODY.vtp: sensitivity along the surface

Example:
  contraflow gradient data/cases/wake_control.toml -o wake)",
     gradient, true, false},
    {"check", "certify the gradient of a case, by Taylor test and finite differences",
     R"(Prints the certificate and writes nothing. Exit code 0: passed, 1: failed. In double precision,
over the first [check] steps (300). A case without controls is certified in all that applies.

Example:
  contraflow check data/cases/wake_control.toml --set check.steps=50)",
     check, false, false},
    {"optimize", "minimise the objective under the constraints",
     R"(The case needs [[control]] and [[objective]]. Writes into the output folder
  history.csv       objective, constraints and controls of every evaluation
  best.dat          outline of the best design; best.csv: its controls; best.xmf: its flow
  shapes/           outlines of all designs
  report.html       convergence, shape, forces and flow before and after
Ctrl-C ends after the current evaluation, a second one at once; --resume goes on in both cases.

Examples:
  contraflow optimize data/cases/airfoil_re1000.toml -o foil
  contraflow optimize data/cases/airfoil_re1000.toml -o foil --resume
  contraflow optimize data/cases/airfoil_re1000.toml -o foil --resume --set optimizer.max_evaluations=30)",
     optimize, true, true},
    {"info", "show version, back ends, devices and memory", "Example:\n  contraflow info", nullptr,
     false, false}};

constexpr const char* about =
    "Contraflow, a differentiable wind tunnel: simulates flows past bodies, differentiates their\n"
    "forces exactly, and optimises shapes and motions.";

constexpr const char* epilogue =
    R"(Start with
  contraflow run data/cases/cylinder_quick.toml
Each verb explains itself: contraflow run --help. The cases in data/cases are commented. Numbers are in
any consistent units, density 1; reference_length and reference_speed turn forces into coefficients;
angles are in degrees.
Exit codes: 0 done, 1 failed (diverged, certificate refused), 2 wrong input (nothing was written),
130 interrupted (everything saved).)";

void add_options(CLI::App& app, const Verb& verb, Options& options) {
  app.add_option("CASE", options.case_file, "case file (TOML)")->required()->type_name("");
  app.add_option("--set", options.set,
                 "change a value of the case: --set flow.reynolds=40; may be repeated")
      ->take_all()
      ->expected(1)
      ->type_name("KEY=VALUE");
  app.add_option("--device", options.device,
                 "auto (a GPU if there is one), cpu, cuda:N; default: auto")
      ->type_name("DEVICE");
  app.add_option("--threads", options.threads, "CPU threads; default: all")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
  if (!verb.writes) return;
  app.add_option("--precision", options.precision,
                 "float or double; default: as the case says, or float for run, else double")
      ->check(CLI::IsMember({"float", "double"}).description(""))
      ->type_name("TYPE");
  app.add_option("-o,--output", options.output,
                 "folder for results; default: as the case says, or the case's name with _out")
      ->type_name("FOLDER");
  if (!verb.can_resume) return;
  app.add_flag("--resume", options.resume, "go on with what an earlier call left in the folder");
}

/// Ends without the clean-up of libraries: HDF5 would try again to close a file that could not be
/// written, and crash.
[[noreturn]] void end_at_once(int code) {
  std::fflush(nullptr);
  std::_Exit(code);
}

int guarded(const Verb& verb, const Options& options) {
  try {
    return verb.action == nullptr ? info() : verb.action(options);
  } catch (const CaseError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return bad_input;
  } catch (const FileError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    end_at_once(failure);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: not enough memory for this case\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
  }
  return failure;
}

/// Is the first argument a word, but no verb? CLI11 would not name it.
bool refuses_verb(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::string word = argv[1];
  std::vector<std::string_view> known;
  for (const Verb& verb : verbs) known.emplace_back(verb.name);
  if (std::find(known.begin(), known.end(), word) != known.end()) return false;
  const std::string nearest = nearest_name(word, known);
  const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
  fmt::print(stderr, "error: {}: no such verb, must be {}{}\n", shown_name(word),
             listed_names(known), hint);
  return true;
}

std::string failure_message(const CLI::App* app, const CLI::Error& error) {
  std::string verb;
  for (const CLI::App* chosen : app->get_subcommands()) verb = chosen->get_name() + ' ';
  return fmt::format("error: {}; see contraflow {}--help\n", error.what(), verb);
}

} // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  CLI::App app{about, "contraflow"};
  app.get_formatter()->column_width(28);
  app.footer(epilogue);
  app.set_version_flag("--version", signature(), "print version and commit");
  app.failure_message(failure_message);
  Options options;
  const Verb* chosen = nullptr;
  for (const Verb& verb : verbs) {
    CLI::App* sub = app.add_subcommand(verb.name, verb.what);
    sub->footer(verb.text);
    if (verb.action != nullptr) add_options(*sub, verb, options);
    sub->callback([&chosen, &verb] { chosen = &verb; });
  }
  app.require_subcommand(argc > 1 ? 1 : 0, 1);
  if (refuses_verb(argc, argv)) return bad_input;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? success : bad_input;
  }
  if (chosen != nullptr) return guarded(*chosen, options);
  fmt::print(stderr, "{}", app.help());
  return bad_input;
}

} // namespace contraflow::app

int main(int argc, char** argv) { return contraflow::app::main(argc, argv); }
