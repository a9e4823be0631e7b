#pragma once

#include "apps/contraflow/common.hpp"
#include "apps/contraflow/force_history.hpp"
#include "src/io/csv.hpp"

#include <optional>
#include <string>
#include <vector>

namespace contraflow::app {

/// The forces of a run, step by step: in memory and in forces.csv.
class RunHistory {
public:
  explicit RunHistory(const Job& job);

  void create();               ///< forces.csv, anew
  void read_before(long step); ///< takes over the rows of an earlier run
  void resume(long step);      ///< and goes on writing behind them
  void append(const StepReport& report);
  const std::vector<ForceHistory>& bodies() const { return bodies_; }
  std::string now() const; ///< the latest, for a progress line

private:
  std::vector<std::string> columns() const;
  void take(const std::vector<double>& row);

  const Job& job_;
  std::vector<ForceHistory> bodies_;
  std::optional<CsvFile> csv_;
};

/// What a run came to: printed, and written as report.html.
void summarise_run(const Job& job, const std::vector<ForceHistory>& bodies);

} // namespace contraflow::app
