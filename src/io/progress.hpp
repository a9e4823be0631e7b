#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace contraflow {

/// How far a long piece of work is. On a terminal: one line, redrawn at most ten times a second and
/// cut to the width, with bar, percentage, rate and time left. Elsewhere: plain lines, one when ten
/// seconds have passed since the last or the next 10 % are reached. The first and the last are
/// always shown.
class Progress {
public:
  /// `total` steps, 0 if unknown; `first` of them were done before this run, and do not count for
  /// the rate. `clock` gives seconds; the default is a steady clock.
  Progress(std::string label, long total, std::FILE* out = stderr, long first = 0,
           std::function<double()> clock = {});
  ~Progress(); ///< ends the line on a terminal

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `total` steps, and what else to show, such as "Cd 1.35 Cl 0.02".
  void update(long done, std::string_view extra = {});

  /// Shows the last state, with the time taken. Later calls do nothing.
  void finish();

private:
  std::string numbers(bool last) const;
  std::string drawn(const std::string& text) const;
  void show(bool last);

  std::string label_, extra_;
  long total_, first_, done_;
  std::FILE* out_;
  std::function<double()> clock_;
  bool on_terminal_;
  double start_, shown_at_ = 0;
  long shown_tenth_ = -1;
  bool shown_ = false, finished_ = false;
};

} // namespace contraflow
