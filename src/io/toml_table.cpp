#include "src/io/toml_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace contraflow {
namespace {

namespace fs = std::filesystem;

std::string type_of(const toml::node& node) {
  switch (node.type()) {
  case toml::node_type::table:
    return "a table";
  case toml::node_type::array:
    return "an array";
  case toml::node_type::string:
    return "a string";
  case toml::node_type::integer:
  case toml::node_type::floating_point:
    return "a number";
  case toml::node_type::boolean:
    return "a boolean";
  default:
    return "a date or time";
  }
}

const toml::table& empty_table() {
  static const toml::table empty;
  return empty;
}

} // namespace

std::string complaint(const Limits& limits, double x) {
  if (limits.high >= largest_number && x > limits.high) {
    return fmt::format("must be at most {}", limits.high);
  }
  if (limits.high >= largest_number && limits.low == 0) {
    return limits.low_excluded ? "must be positive" : "must not be negative";
  }
  return fmt::format("must be {} {} and at most {}", limits.low_excluded ? "over" : "at least",
                     limits.low, limits.high);
}

TomlTable::TomlTable(const TomlFile& file, const toml::table& table, std::string path,
                     const std::vector<std::string_view>& keys)
    : file_(&file), table_(&table), path_(std::move(path)) {
  for (const auto& [key, value] : table) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    const std::string near = nearest_name(key.str(), keys);
    const std::string hint = near.empty() ? "known are " + listed_names(keys, "and")
                                          : fmt::format("did you mean \"{}\"?", near);
    file_->fail_key(this->path(key.str()), "unknown key; " + hint);
  }
}

void TomlTable::allow_only(const std::vector<std::string_view>& keys,
                           const std::string& context) const {
  for (const auto& [key, value] : *table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    file_->fail_key(path(key.str()), fmt::format("has no meaning for {}; keys there are {}",
                                                 context, listed_names(keys, "and")));
  }
}

std::string_view TomlTable::one_of(const std::vector<std::string_view>& keys, bool required) const {
  std::string_view found;
  for (const std::string_view key : keys) {
    if (!has(key)) continue;
    if (!found.empty()) {
      fail(key, fmt::format("\"{}\" is given too; give only one of {}", found,
                            listed_names(keys, "and")));
    }
    found = key;
  }
  if (found.empty() && required) {
    file_->fail(path_, fmt::format("missing: needs one of {}", listed_names(keys)));
  }
  return found;
}

const toml::node& TomlTable::needed(std::string_view key) const {
  if (const toml::node* node = table_->get(key)) return *node;
  file_->fail(path(key), "missing");
}

double TomlTable::finite(const toml::node& node, std::string_view key, bool infinite_too) const {
  if (!node.is_number()) fail(key, "must be a number, not " + type_of(node));
  const double x = *node.value<double>();
  if (std::isnan(x) || (std::isinf(x) && !infinite_too)) fail(key, "must be finite");
  return x;
}

double TomlTable::number(std::string_view key, const Limits& limits,
                         std::optional<double> fallback) const {
  if (!has(key) && fallback) return *fallback;
  const double x = finite(needed(key), key);
  if (!limits.holds(x)) fail(key, complaint(limits, x));
  return x;
}

long TomlTable::integer(std::string_view key, long low, long high,
                        std::optional<long> fallback) const {
  if (!has(key) && fallback) return *fallback;
  const double x = finite(needed(key), key);
  if (x != std::floor(x)) fail(key, "must be a whole number");
  if (x < static_cast<double>(low) || x > static_cast<double>(high)) {
    fail(key, fmt::format("must be at least {} and at most {}", low, high));
  }
  return static_cast<long>(x);
}

std::string TomlTable::text(std::string_view key, std::optional<std::string> fallback) const {
  if (!has(key) && fallback) return *fallback;
  const toml::node& node = needed(key);
  if (!node.is_string()) fail(key, "must be a string, not " + type_of(node));
  return *node.value<std::string>();
}

std::vector<double> TomlTable::numbers(std::string_view key, std::size_t high_count,
                                       const Limits& limits) const {
  if (!has(key)) return {};
  const toml::array* array = needed(key).as_array();
  if (!array) fail(key, "must be a list of numbers, not " + type_of(needed(key)));
  if (array->size() > high_count)
    fail(key, fmt::format("must have at most {} entries", high_count));
  std::vector<double> list;
  for (const toml::node& entry : *array) {
    list.push_back(finite(entry, key));
    if (!limits.holds(list.back())) fail(key, "each entry " + complaint(limits, list.back()));
  }
  return list;
}

void TomlTable::append_row(std::vector<double>& list, const toml::node& row, std::string_view key,
                           std::size_t columns) const {
  const toml::array* array = row.as_array();
  if (!array) fail(key, fmt::format("must be a list of {} numbers", columns));
  if (array->size() != columns) {
    fail(key, fmt::format("must have {} entries, not {}", columns, array->size()));
  }
  for (const toml::node& entry : *array) list.push_back(finite(entry, key));
}

std::vector<double> TomlTable::matrix(std::string_view key, std::size_t rows, std::size_t columns,
                                      bool flat) const {
  std::vector<double> list;
  if (flat) {
    append_row(list, needed(key), key, columns);
    return list;
  }
  const toml::array* array = needed(key).as_array();
  if (!array || array->size() != rows) {
    fail(key, fmt::format("must be a list of {} lists, one for each time", rows));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    append_row(list, *array->get(i), fmt::format("{}.{}", key, i), columns);
  }
  return list;
}

std::vector<double> TomlTable::bounds(std::string_view key, std::size_t high_count) const {
  if (!has(key)) return {};
  const toml::array* array = needed(key).as_array();
  if (!array) return {finite(needed(key), key, true)};
  if (array->size() > high_count)
    fail(key, fmt::format("must have at most {} entries", high_count));
  std::vector<double> list;
  for (const toml::node& entry : *array) list.push_back(finite(entry, key, true));
  return list;
}

std::optional<std::array<double, 2>> TomlTable::pair(std::string_view key) const {
  if (!has(key)) return {};
  const std::vector<double> list = numbers(key, 2);
  if (list.size() != 2) fail(key, "must be two numbers [a, b]");
  return std::array<double, 2>{list[0], list[1]};
}

std::vector<double> TomlTable::ascending(std::string_view key, std::size_t low_count,
                                         std::size_t high_count) const {
  if (!has(key)) fail(key, "missing");
  const std::vector<double> list = numbers(key, high_count);
  if (list.size() < low_count) fail(key, fmt::format("must have at least {} entries", low_count));
  const auto fall = std::adjacent_find(list.begin(), list.end(), std::greater_equal<>());
  if (fall != list.end()) {
    fail(key, fmt::format("must be ascending, but {} is followed by {}", *fall, *std::next(fall)));
  }
  return list;
}

Vec3 TomlTable::vector(std::string_view key, int dimension, const Vec3& fallback) const {
  if (!has(key)) return fallback;
  const std::vector<double> list = numbers(key, 3);
  if (list.size() < static_cast<std::size_t>(dimension)) {
    fail(key, fmt::format("must have {} entries in {}D", dimension, dimension));
  }
  Vec3 result{list[0], list[1], list.size() > 2 ? list[2] : 0};
  if (dimension == 2 && result[2] != 0) fail(key, "must have two entries in 2D");
  return result;
}

std::string TomlTable::file(std::string_view key, bool must_exist) const {
  const std::string name = text(key, "");
  if (name.empty()) return {};
  const fs::path file = file_->resolve(name);
  std::error_code error;
  if (must_exist && !fs::exists(file, error)) {
    fail(key, "no such file (looked for " + file.string() + ")");
  }
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) fail(key, "is not a file");
  return file.string();
}

std::optional<std::size_t> TomlTable::choice_index(std::string_view key,
                                                   const std::vector<std::string_view>& list,
                                                   bool optional) const {
  if (!has(key) && optional) return {};
  if (!has(key)) fail(key, "missing: must be " + listed_names(list));
  const std::string name = text(key);
  const auto found = std::find(list.begin(), list.end(), name);
  if (found == list.end()) fail(key, "must be " + listed_names(list));
  return static_cast<std::size_t>(found - list.begin());
}

TomlTable TomlTable::table(std::string_view key, const std::vector<std::string_view>& keys,
                           bool required) const {
  if (!has(key)) {
    if (required) fail(key, "missing: its keys are " + listed_names(keys, "and"));
    return {*file_, empty_table(), path(key), keys};
  }
  const toml::table* table = needed(key).as_table();
  if (!table) fail(key, "must be a table with keys " + listed_names(keys, "and"));
  return {*file_, *table, path(key), keys};
}

std::vector<TomlTable> TomlTable::tables(std::string_view key,
                                         const std::vector<std::string_view>& keys,
                                         std::size_t high_count) const {
  if (!has(key)) return {};
  const toml::array* array = needed(key).as_array();
  const bool fits = array && std::all_of(array->begin(), array->end(),
                                         [](const toml::node& entry) { return entry.is_table(); });
  if (!fits) fail(key, fmt::format("must be written as [[{}]], once for each", key));
  if (array->size() > high_count) fail(key, fmt::format("at most {} are allowed", high_count));
  std::vector<TomlTable> list;
  for (const toml::node& entry : *array) {
    list.emplace_back(*file_, *entry.as_table(), fmt::format("{}.{}", path(key), list.size()),
                      keys);
  }
  return list;
}

std::string TomlTable::path(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void TomlTable::fail(std::string_view key, const std::string& message) const {
  file_->fail(path(key), message);
}

} // namespace contraflow
