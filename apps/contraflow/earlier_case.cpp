#include "apps/contraflow/earlier_case.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace contraflow::app {

namespace {

/// "[flow]" gives "flow.", the second "[[body]]" gives "body.1.".
std::string prefix_of(std::string_view header, std::map<std::string, int>& counts) {
  const bool listed = header.starts_with("[[");
  const std::size_t brackets = listed ? 2 : 1;
  const std::string name{header.substr(brackets, header.size() - 2 * brackets)};
  return listed ? fmt::format("{}.{}.", name, counts[name]++) : name + '.';
}

std::string value_of(const WrittenCase& written, const std::string& path) {
  const auto found = written.find(path);
  return found == written.end() ? "" : found->second;
}

} // namespace

WrittenCase read_written(std::string_view toml) {
  WrittenCase values;
  std::map<std::string, int> counts;
  std::string prefix;
  std::istringstream lines{std::string{toml}};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) prefix = prefix_of(line, counts);
    const std::size_t equals = line.find(" = ");
    if (line.starts_with('#') || equals == std::string::npos) continue;
    values[prefix + line.substr(0, equals)] = line.substr(equals + 3);
  }
  return values;
}

std::string first_difference(const WrittenCase& earlier, const WrittenCase& now,
                             const std::vector<std::string_view>& ignored) {
  std::set<std::string> paths;
  for (const auto* written : {&earlier, &now}) {
    for (const auto& [path, value] : *written) paths.insert(path);
  }
  for (const std::string& path : paths) {
    const std::string before = value_of(earlier, path), after = value_of(now, path);
    const bool skipped = std::any_of(ignored.begin(), ignored.end(), [&](std::string_view prefix) {
      return path.starts_with(prefix);
    });
    if (skipped || before == after) continue;
    if (before.empty()) return fmt::format("{} = {} is new", path, after);
    if (after.empty()) return fmt::format("{} = {} is gone", path, before);
    return fmt::format("{} was {} and is now {}", path, before, after);
  }
  return {};
}

FrozenSpec frozen_of(const WrittenCase& written) {
  const auto number = [&](const std::string& key) {
    return std::strtod(value_of(written, "frozen." + key).c_str(), nullptr);
  };
  FrozenSpec frozen;
  frozen.dt = number("dt");
  frozen.steps = static_cast<long>(number("steps"));
  frozen.tau = number("tau");
  frozen.mask_shift = number("mask_shift");
  frozen.robin_shift = number("robin_shift");
  frozen.smoothing_speed = number("smoothing_speed");
  return frozen;
}

} // namespace contraflow::app
