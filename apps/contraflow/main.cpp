// The program `contraflow`: one verb, one case file.
#include "apps/contraflow/common.hpp"

#include "contraflow/error.hpp"
#include "contraflow/version.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <new>

#include <fmt/format.h>

namespace {

using contraflow::app::Options;

void add_options(CLI::App& verb, Options& options, bool can_resume) {
  verb.add_option("CASE", options.case_file, "case file (TOML)")->required();
  verb.add_option("-o,--output", options.output, "folder for results (default: CASE_out)");
  verb.add_option("--device", options.device, "auto, cpu or cuda:N")->capture_default_str();
  verb.add_option("--precision", options.precision, "float or double (default: as the case says)")
      ->check(CLI::IsMember({"float", "double"}));
  verb.add_option("--set", options.set, "change a value of the case, such as flow.reynolds=40")
      ->take_all()
      ->expected(1);
  verb.add_option("--threads", options.threads, "CPU threads (default: all)")
      ->check(CLI::Range(1, 1024));
  if (can_resume) verb.add_flag("--resume", options.resume, "go on with the run in the folder");
}

int guarded(int (*verb)(const Options&), const Options& options) {
  try {
    return verb(options);
  } catch (const contraflow::CaseError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return contraflow::app::bad_input;
  } catch (const contraflow::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: not enough memory for this case\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
  }
  return contraflow::app::failure;
}

} // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  CLI::App app{
      "Contraflow: a differentiable wind tunnel. Runs flows past bodies, differentiates their "
      "forces exactly, and optimises shapes and motions."};
  app.set_version_flag(
      "--version", fmt::format("contraflow {} ({})", contraflow::version(), contraflow::commit()));
  app.require_subcommand(1);
  app.footer("Example: contraflow run data/cases/cylinder_quick.toml");
  Options options;
  struct Verb {
    const char *name, *what, *example;
    int (*action)(const Options&);
    bool can_resume;
  };
  const Verb verbs[] = {
      {"run", "run a flow: forces, fields for ParaView, a report",
       "contraflow run data/cases/cylinder_quick.toml --set flow.reynolds=80 -o out",
       contraflow::app::run, true},
      {"gradient", "the gradient of the objective with respect to every control",
       "contraflow gradient data/cases/wake_control.toml", contraflow::app::gradient, false},
      {"check", "certify the gradient of a case by Taylor test and finite differences",
       "contraflow check data/cases/airfoil_re1000.toml", contraflow::app::check, false},
      {"optimize", "minimise the objective under the constraints",
       "contraflow optimize data/cases/airfoil_re1000.toml -o out", contraflow::app::optimize,
       true}};
  const Verb* chosen = nullptr;
  for (const Verb& verb : verbs) {
    CLI::App* sub = app.add_subcommand(verb.name, verb.what);
    sub->footer(fmt::format("Example: {}", verb.example));
    add_options(*sub, options, verb.can_resume);
    sub->callback([&chosen, &verb] { chosen = &verb; });
  }
  bool wants_info = false;
  app.add_subcommand("info", "version, back ends, devices, memory")->callback([&] {
    wants_info = true;
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? contraflow::app::success : contraflow::app::bad_input;
  }
  if (wants_info) {
    return guarded([](const Options&) { return contraflow::app::info(); }, options);
  }
  return guarded(chosen->action, options);
}
