#pragma once

#include "contraflow/error.hpp"
#include "src/io/case_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace contraflow::test {

/// A valid 2D case with something in every section, for tests that then spoil one thing.
inline const std::string good_case = R"([flow]
reynolds = 100
advection = "kappa"
[grid]
spacing = 0.1
x = {from = -5, to = 9, fine = [-0.9, 0.9], growth = [1.5, 0.5]}
y = {from = -4, to = 4, fine = [-0.9, 0.9], growth = [1.5, 1.5]}
[boundary]
x_low = {type = "inflow", profile = "values", position = [-4, 0, 4], values = [1, 1, 1]}
x_high = {type = "outflow", speed = 1}
y_low = "slip"
y_high = {type = "wall", velocity = [1, 0]}
[time]
scheme = "heun"
end = 10
cfl = 0.35
[[body]]
name = "cylinder"
shape = "circle"
radius = 0.5
centre = [0, 0]
rotation = {times = [0, 5], values = [0, 1]}
[output]
compression = 1
[[control]]
kind = "rotation"
lower = [-1, -2]
upper = 2
[[control]]
kind = "inflow"
side = "x_low"
[[objective]]
kind = "drag"
window = [5, 10]
[[objective]]
kind = "velocity_misfit"
region = {low = [1, -1], high = [2, 1]}
target = [1, 0]
[[constraint]]
kind = "lift"
at_least = 0.1
[optimizer]
method = "slsqp"
[check]
steps = 10
[tape]
memory = "1 GiB"
)";

/// A folder that goes away with the test.
class CaseFolder {
public:
  CaseFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("contraflow_case_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  CaseFolder(const CaseFolder&) = delete;
  CaseFolder& operator=(const CaseFolder&) = delete;
  ~CaseFolder() { std::filesystem::remove_all(path_); }

  std::string write(const std::string& text, const std::string& name = "case.toml") const {
    const std::filesystem::path file = path_ / name;
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// `text` with the one place that reads `from` changed to `to`.
inline std::string changed(const std::string& text, const std::string& from,
                           const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at == std::string::npos) return text;
  return std::string(text).replace(at, from.size(), to);
}

/// The message with which a case is refused, or "accepted".
inline std::string refusal(const std::string& file,
                           const std::vector<std::string>& overrides = {}) {
  try {
    read_case(file, overrides);
  } catch (const CaseError& error) {
    return error.what();
  }
  return "accepted";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace contraflow::test
