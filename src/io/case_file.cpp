#include "src/io/case_file.hpp"

#include "src/io/case_names.hpp"
#include "src/io/case_sections.hpp"

namespace contraflow {

Case read_case(const std::string& path, const std::vector<std::string>& overrides, CaseUse use) {
  const TomlFile file(path, overrides);
  const TomlTable root(file, file.root(), "",
                       {"title", "precision", "flow", "grid", "boundary", "time", "initial", "body",
                        "numerics", "frozen", "output", "control", "objective", "constraint",
                        "optimizer", "optimiser", "check", "tape"});
  Case c;
  c.path = path;
  c.title = root.text("title", "");
  c.precision = root.choice("precision", precision_names, std::optional(Precision::automatic));
  read_flow(root, c);
  read_grid(root, c);
  read_boundaries(root, c);
  read_time(root, c);
  read_initial(root, c);
  read_method(root, c);
  read_bodies(root, c);
  check_case(c, file);
  check_bodies(c, file);
  read_controls(root, c);
  read_terms(root, c, use);
  read_optimiser(root, c);
  check_design(c, file);
  return c;
}

} // namespace contraflow
