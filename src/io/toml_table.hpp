#pragma once

#include "src/design/case.hpp"
#include "src/io/toml_file.hpp"

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace contraflow {

/// What a number of a case may be. Infinities and NaN are never allowed.
struct Limits {
  double low = std::numeric_limits<double>::lowest(), high = std::numeric_limits<double>::max();
  bool low_excluded = false;

  bool holds(double x) const { return (low_excluded ? x > low : x >= low) && x <= high; }
};

inline constexpr Limits any_number{};
inline constexpr double largest_number = 1e12;
inline constexpr Limits positive{0, largest_number, true};
inline constexpr Limits not_negative{0, largest_number, false};

/// What `x`, which is outside of the limits, should be: "must be positive" and the like.
std::string complaint(const Limits& limits, double x);

/// The name of one value of an enumeration in a case file.
template <class E> struct Named {
  std::string_view name;
  E value;
};

/// One table of a case file, read key by key. Each reader throws CaseError, through TomlFile::fail,
/// for a wrong type or an impossible value, and for a missing key where no fallback is given.
class TomlTable {
public:
  /// Refuses a table with a key that is not in `keys`, naming the nearest.
  TomlTable(const TomlFile& file, const toml::table& table, std::string path,
            const std::vector<std::string_view>& keys);

  bool has(std::string_view key) const { return table_->contains(key); }

  /// Refuses keys that are known but without meaning here: "only CONTEXT takes them".
  void allow_only(const std::vector<std::string_view>& keys, const std::string& context) const;

  /// Refuses any number of the keys but one. Returns the one, or empty where none is given and
  /// `required` is false.
  std::string_view one_of(const std::vector<std::string_view>& keys, bool required) const;

  double number(std::string_view key, const Limits& limits,
                std::optional<double> fallback = {}) const;
  long integer(std::string_view key, long low, long high, std::optional<long> fallback = {}) const;
  std::string text(std::string_view key, std::optional<std::string> fallback = {}) const;

  /// A list of finite numbers, empty where the key is missing; `high_count` at most.
  std::vector<double> numbers(std::string_view key, std::size_t high_count,
                              const Limits& limits = any_number) const;

  /// A list of `rows` lists of `columns` finite numbers, row by row; of a `flat` one the single
  /// row.
  std::vector<double> matrix(std::string_view key, std::size_t rows, std::size_t columns,
                             bool flat) const;

  /// As `numbers`, of one number or a list; infinities are allowed.
  std::vector<double> bounds(std::string_view key, std::size_t high_count) const;

  /// Two numbers [a, b]; nothing where the key is missing.
  std::optional<std::array<double, 2>> pair(std::string_view key) const;

  /// A list of ascending numbers, `low_count` at least.
  std::vector<double> ascending(std::string_view key, std::size_t low_count,
                                std::size_t high_count) const;

  /// `dimension` or three entries; in 2D the third must be 0.
  Vec3 vector(std::string_view key, int dimension, const Vec3& fallback) const;

  /// The absolute name of a file that must exist (where `must_exist`); empty where the key is
  /// missing.
  std::string file(std::string_view key, bool must_exist = true) const;

  template <class E, std::size_t n>
  E choice(std::string_view key, const Named<E> (&names)[n], std::optional<E> fallback = {}) const {
    std::vector<std::string_view> list;
    for (const Named<E>& named : names) list.push_back(named.name);
    const std::optional<std::size_t> index = choice_index(key, list, fallback.has_value());
    return index ? names[*index].value : *fallback;
  }

  /// The table under `key`; where it is missing an empty one, or an error if it is `required`.
  TomlTable table(std::string_view key, const std::vector<std::string_view>& keys,
                  bool required = false) const;

  /// The tables of [[key]], none where it is missing; `high_count` at most.
  std::vector<TomlTable> tables(std::string_view key, const std::vector<std::string_view>& keys,
                                std::size_t high_count) const;

  /// The value under `key`, null where it is missing.
  const toml::node* node(std::string_view key) const { return table_->get(key); }

  /// The full path of a key.
  std::string path(std::string_view key) const;

  [[noreturn]] void fail(std::string_view key, const std::string& message) const;

private:
  const toml::node& needed(std::string_view key) const;
  void append_row(std::vector<double>& list, const toml::node& row, std::string_view key,
                  std::size_t columns) const;
  double finite(const toml::node& node, std::string_view key, bool infinite_too = false) const;
  std::optional<std::size_t> choice_index(std::string_view key,
                                          const std::vector<std::string_view>& list,
                                          bool optional) const;

  const TomlFile* file_;
  const toml::table* table_;
  std::string path_;
};

} // namespace contraflow
