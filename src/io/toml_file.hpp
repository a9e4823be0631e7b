#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace contraflow {

/// A TOML file with `--set` overrides applied, which knows where each of its values comes from.
/// Values are named by their path: "flow.viscosity", "body.0.radius".
class TomlFile {
public:
  /// Reads `name` and applies `overrides` ("path=value"; the value is TOML, or else taken as a
  /// string). An override of one key of an alternative (flow.reynolds or flow.viscosity, time.end
  /// or time.steps, time.cfl or time.step) removes the other. Throws CaseError: missing, not a
  /// file, too large, empty, not TOML, or an override that cannot be understood.
  TomlFile(const std::string& name, const std::vector<std::string>& overrides);

  const toml::table& root() const { return root_; }
  const std::string& name() const { return name_; }

  /// Throws CaseError "FILE:LINE: PATH = VALUE: MESSAGE"; the line is that of the deepest part of
  /// `path` that the file has. A value that was set by an override names the option instead of the
  /// line.
  [[noreturn]] void fail(std::string_view path, const std::string& message) const;

  /// As fail, about the key alone: "FILE:LINE: PATH: MESSAGE".
  [[noreturn]] void fail_key(std::string_view path, const std::string& message) const;

  /// The file or folder `name` as the case means it: relative to the folder of the case.
  std::filesystem::path resolve(const std::string& name) const;

private:
  void set(const std::string& text);
  void drop_alternative(const std::string& path);
  std::string origin(std::string_view path) const;

  struct Override {
    std::string path, text;
  };
  std::string name_;
  toml::table root_;
  std::vector<Override> overrides_;
};

/// ` = VALUE` as a message shows it: cut to a readable length, empty for a table.
std::string shown_value(const toml::node& node);

/// A name from a file as a message shows it: cut to a readable length, without control characters.
std::string shown_name(std::string_view name);

/// The entry of `known` nearest to `name`, empty where none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known);

/// "a", "b" or "c".
std::string listed_names(const std::vector<std::string_view>& names, std::string_view last = "or");

} // namespace contraflow
