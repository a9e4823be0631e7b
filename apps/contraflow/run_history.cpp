#include "apps/contraflow/run_history.hpp"

#include "apps/contraflow/results.hpp"

#include <fmt/format.h>

namespace contraflow::app {

namespace {

constexpr const char* quantities[] = {
    "Cd", "Cl", "Cs", "Cm", "Cd_control_volume", "Cl_control_volume"};
constexpr std::size_t first_column = 2, per_body = std::size(quantities);

} // namespace

RunHistory::RunHistory(const Job& job) : job_{job}, bodies_(job.configuration.bodies.size()) {}

std::vector<std::string> RunHistory::columns() const {
  const Case& c = job_.configuration;
  std::vector<std::string> names{"step", "time"};
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const std::string prefix = bodies_.size() == 1 ? "" : file_name(c, b) + "_";
    for (const char* quantity : quantities) names.push_back(prefix + quantity);
  }
  return names;
}

void RunHistory::create() { csv_.emplace(job_.folder / "forces.csv", job_.provenance, columns()); }

void RunHistory::read_before(long step) {
  const auto file = job_.folder / "forces.csv";
  const CsvTable table = read_csv(file);
  if (table.columns != columns()) {
    throw CaseError{fmt::format("--resume: {} has not the columns of this case", file.string())};
  }
  for (const auto& row : table.rows) {
    if (row[0] < static_cast<double>(step)) take(row);
  }
}

void RunHistory::resume(long step) {
  csv_.emplace(CsvFile::resume(job_.folder / "forces.csv", columns()));
  csv_->keep_rows_before("step", static_cast<double>(step));
}

void RunHistory::take(const std::vector<double>& row) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const double* values = row.data() + first_column + per_body * b;
    ForceHistory& history = bodies_[b];
    history.time.push_back(row[1]);
    history.drag.push_back(values[0]);
    history.lift.push_back(values[1]);
    history.drag_balance.push_back(values[4]);
    history.lift_balance.push_back(values[5]);
  }
}

void RunHistory::append(const StepReport& report) {
  const Case& c = job_.configuration;
  std::vector<double> row{static_cast<double>(report.step), report.time};
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Coefficients scale = coefficients_of(c, c.bodies[b]);
    const BodyForce &force = report.exchange[b], &balance = report.balance[b];
    for (const double component : force.force) row.push_back(scale.force * component);
    row.push_back(scale.moment * force.moment);
    row.push_back(scale.force * balance.force[0]);
    row.push_back(scale.force * balance.force[1]);
  }
  csv_->append(row);
  take(row);
}

std::string RunHistory::now() const {
  if (bodies_.empty() || bodies_[0].drag.empty()) return {};
  const ForceHistory& first = bodies_[0];
  return fmt::format("t {:.2f}  Cd {:.4f}  Cl {:+.4f}", first.time.back(), first.drag.back(),
                     first.lift.back());
}

} // namespace contraflow::app
