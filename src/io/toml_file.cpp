#include "src/io/toml_file.hpp"

#include "contraflow/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace contraflow {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = 64u << 20;
constexpr int deepest_key = 32;

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> alternatives{
    {{"flow.reynolds", "flow.viscosity"}, {"time.end", "time.steps"}, {"time.cfl", "time.step"}}};

std::string read_text(const std::string& name) {
  std::error_code error;
  const fs::file_status status = fs::status(name, error);
  if (!fs::exists(status)) throw CaseError(name + ": no such file");
  if (fs::is_directory(status)) throw CaseError(name + ": is a directory, not a case file");
  if (!fs::is_regular_file(status)) throw CaseError(name + ": is not a regular file");
  const std::uintmax_t size = fs::file_size(name, error);
  if (!error && size > largest_file) throw CaseError(name + ": over 64 MiB, not a case file");
  std::ifstream in(name, std::ios::binary);
  std::ostringstream text;
  if (size > 0) text << in.rdbuf();
  if (!in) throw CaseError(name + ": cannot be read");
  return text.str();
}

/// Skips the string that starts at text[i]; returns the index of its last character.
std::size_t end_of_string(std::string_view text, std::size_t i) {
  const char quote = text[i];
  const std::string fence(3, quote);
  const bool long_form = text.substr(i, 3) == fence;
  for (std::size_t k = i + (long_form ? 3 : 1); k < text.size(); ++k) {
    if (quote == '"' && text[k] == '\\') {
      ++k;
    } else if (!long_form && (text[k] == quote || text[k] == '\n')) {
      return k;
    } else if (long_form && text.substr(k, 3) == fence) {
      return k + 2;
    }
  }
  return text.size();
}

/// The first line with a dotted key so deep that the parser's recursion would matter, or 0.
int line_of_deep_key(std::string_view text) {
  int line = 1, dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      for (std::size_t k = i; k < end && k < text.size(); ++k) line += text[k] == '\n';
      i = end;
    }
    if (c == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    }
    if (i < text.size() && text[i] == '\n') ++line;
    if (c == '=' || c == ',' || c == '{' || c == '\n' || c == '#') dots = 0;
    if (c == '.' && ++dots > deepest_key) return line;
  }
  return 0;
}

toml::table parse(const std::string& text, const std::string& where) {
  if (const int line = line_of_deep_key(text)) {
    throw CaseError(fmt::format("{}:{}: a key of more than {} parts", where, line, deepest_key));
  }
  try {
    return toml::parse(std::string_view(text), std::string_view(where));
  } catch (const toml::parse_error& error) {
    throw CaseError(fmt::format("{}:{}: not valid TOML: {}", where, error.source().begin.line,
                                shown_name(error.description())));
  }
}

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// True where `path` is `outer` or a part of it.
bool is_within(std::string_view path, std::string_view outer) {
  return path.substr(0, outer.size()) == outer &&
         (path.size() == outer.size() || path[outer.size()] == '.');
}

/// Whether `text` is an index, and which.
bool index_of(std::string_view text, std::size_t& index) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc() && end == text.data() + text.size();
}

const toml::node* child(const toml::node* node, std::string_view part) {
  if (const toml::table* table = node->as_table()) return table->get(part);
  std::size_t index = 0;
  const toml::array* array = node->as_array();
  return array && index_of(part, index) ? array->get(index) : nullptr;
}

std::string no_keys(const std::string& where, const std::string& part) {
  return where + ": " + shown_name(part) + ": the key before it holds no keys";
}

/// The child to descend into for an override; a table or the next entry of an array is made.
toml::node* made_child(toml::node* node, const std::string& part, const std::string& where) {
  if (toml::table* table = node->as_table()) {
    if (toml::node* found = table->get(part)) return found;
    const bool list =
        part == "body" || part == "control" || part == "objective" || part == "constraint";
    if (list) return &table->insert(part, toml::array{}).first->second;
    return &table->insert(part, toml::table{}).first->second;
  }
  toml::array* array = node->as_array();
  if (!array) throw CaseError(no_keys(where, part));
  std::size_t index = 0;
  if (!index_of(part, index) || index > array->size()) {
    throw CaseError(fmt::format("{}: {}: must be an index from 0 to {}", where, shown_name(part),
                                array->size()));
  }
  if (index == array->size()) array->push_back(toml::table{});
  return array->get(index);
}

void place(toml::node* parent, const std::string& key, const toml::node& value,
           const std::string& where) {
  if (toml::table* table = parent->as_table()) {
    table->insert_or_assign(key, value);
    return;
  }
  toml::array* array = parent->as_array();
  if (!array) throw CaseError(no_keys(where, key));
  std::size_t index = 0;
  if (!index_of(key, index) || index >= array->size()) {
    throw CaseError(fmt::format("{}: {}: no such entry", where, shown_name(key)));
  }
  array->replace(array->cbegin() + static_cast<std::ptrdiff_t>(index), value);
}

/// The table {value = ...} that the right side of an override means.
toml::table parsed_value(const std::string& text, const std::string& where) {
  const bool bare = text.find_first_of("[]{}\"'#=\n\r") == std::string::npos;
  if (text.empty()) throw CaseError(where + ": needs a value after \"=\"");
  try {
    toml::table parsed = parse("value = " + text, where);
    if (parsed.size() == 1) return parsed;
  } catch (const CaseError&) {
    if (!bare) throw;
    return toml::table{{"value", text}};
  }
  throw CaseError(where + ": must be one value");
}

/// A value as one would write it; a long array as its length, a table as dots.
std::string plain_value(const toml::node& node) {
  if (const auto* text = node.as_string()) return '"' + text->get().substr(0, 100) + '"';
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  const toml::array* array = node.as_array();
  if (array && array->size() > 8) return fmt::format("[... {} entries]", array->size());
  if (array) {
    std::vector<std::string> entries;
    for (const toml::node& entry : *array) entries.push_back(plain_value(entry));
    return fmt::format("[{}]", fmt::join(entries, ", "));
  }
  std::ostringstream text;
  node.visit([&](const auto& value) {
    constexpr bool table = toml::is_table<decltype(value)>;
    if constexpr (table) {
      text << "{...}";
    } else {
      text << value;
    }
  });
  return text.str();
}

} // namespace

TomlFile::TomlFile(const std::string& name, const std::vector<std::string>& overrides)
    : name_(name), root_(parse(read_text(name), name)) {
  if (root_.empty()) {
    throw CaseError(name + ": is empty; a case needs [flow], [grid], [boundary] and [time]");
  }
  for (const std::string& text : overrides) set(text);
}

void TomlFile::set(const std::string& text) {
  const std::string where = name_ + ": --set " + shown_name(text);
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw CaseError(where + ": must be KEY=VALUE, such as flow.reynolds=40");
  }
  std::vector<std::string> parts = split_path(std::string_view(text).substr(0, equals));
  if (parts.size() > deepest_key) throw CaseError(where + ": too many parts");
  for (const std::string& part : parts) {
    if (part.empty()) throw CaseError(where + ": a part of the key is empty");
  }
  if (parts[0] == "optimizer" || parts[0] == "optimiser") {
    parts[0] = root_.contains("optimiser") ? "optimiser" : "optimizer";
  }
  const toml::table value = parsed_value(text.substr(equals + 1), where);
  const std::string path = fmt::format("{}", fmt::join(parts, "."));
  drop_alternative(path);
  toml::node* parent = &root_;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) parent = made_child(parent, parts[i], where);
  place(parent, parts.back(), *value.get("value"), where);
  overrides_.push_back({path, text});
}

void TomlFile::drop_alternative(const std::string& path) {
  for (const auto& [first, second] : alternatives) {
    if (path != first && path != second) continue;
    const std::vector<std::string> other = split_path(path == first ? second : first);
    if (toml::table* table = root_[other[0]].as_table()) table->erase(other[1]);
  }
}

std::string TomlFile::origin(std::string_view path) const {
  const toml::node* node = &root_;
  toml::source_index line = 0;
  for (const std::string& part : split_path(path)) {
    node = child(node, part);
    if (!node) break;
    if (node->source().begin) line = node->source().begin.line;
  }
  const bool made = node && !node->source().begin;
  for (auto o = overrides_.rbegin(); o != overrides_.rend(); ++o) {
    if (is_within(path, o->path) || (made && is_within(o->path, path))) {
      return name_ + ": --set " + shown_name(o->text);
    }
  }
  return line > 0 ? fmt::format("{}:{}", name_, line) : name_;
}

void TomlFile::fail(std::string_view path, const std::string& message) const {
  if (path.empty()) throw CaseError(name_ + ": " + message);
  const toml::node* node = &root_;
  for (const std::string& part : split_path(path)) {
    node = child(node, part);
    if (!node) break;
  }
  throw CaseError(fmt::format("{}: {}{}: {}", origin(path), shown_name(path),
                              node ? shown_value(*node) : "", message));
}

void TomlFile::fail_key(std::string_view path, const std::string& message) const {
  throw CaseError(fmt::format("{}: {}: {}", origin(path), shown_name(path), message));
}

fs::path TomlFile::resolve(const std::string& name) const {
  const fs::path folder = fs::absolute(name_).parent_path();
  return (folder / name).lexically_normal();
}

std::string shown_name(std::string_view name) {
  std::string shown(name.substr(0, 80));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  }
  return name.size() > 80 ? shown + "..." : shown;
}

std::string shown_value(const toml::node& node) {
  if (node.is_table() || node.is_array_of_tables()) return {};
  return " = " + shown_name(plain_value(node));
}

namespace {

/// Edits (insert, delete, replace, swap neighbours) from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

} // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
  if (name.size() > 60) return {};
  std::string nearest;
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string listed_names(const std::vector<std::string_view>& names, std::string_view last) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? fmt::format(" {} ", last) : ", ";
    list += fmt::format("\"{}\"", names[i]);
  }
  return list;
}

} // namespace contraflow
