#include "src/io/csv.hpp"

#include "contraflow/error.hpp"
#include "src/io/publish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace contraflow {

namespace fs = std::filesystem;

namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += ',';
    text += part;
  }
  return text;
}

std::string row_text(std::span<const double> row) {
  std::string text;
  for (const double value : row) text += fmt::format("{}{:.17g}", text.empty() ? "" : ",", value);
  return text + "\n";
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  if (line.ends_with(',')) cells.emplace_back();
  return cells;
}

std::optional<std::vector<double>> parse_row(const std::string& line, std::size_t columns) {
  std::vector<double> row;
  for (const std::string& cell : split(line)) {
    char* end = nullptr;
    row.push_back(std::strtod(cell.c_str(), &end));
    if (cell.empty() || *end != '\0') return std::nullopt;
  }
  if (row.size() != columns) return std::nullopt;
  return row;
}

struct Parsed {
  CsvTable table;
  std::vector<std::size_t> row_starts; ///< in bytes
  std::size_t end = 0;                 ///< of the last whole line
};

Parsed parse(const fs::path& file, const std::string& text) {
  Parsed parsed;
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size(); start = parsed.end) {
    const std::size_t stop = text.find('\n', start);
    if (stop == std::string::npos) break;
    parsed.end = stop + 1;
    ++number;
    const std::string line = text.substr(start, stop - start);
    if (line.empty() || line.front() == '#') continue;
    if (parsed.table.columns.empty()) {
      parsed.table.columns = split(line);
      continue;
    }
    auto row = parse_row(line, parsed.table.columns.size());
    if (!row) {
      throw FileError(fmt::format("cannot read {}: line {} is not {} numbers", file.string(),
                                  number, parsed.table.columns.size()));
    }
    parsed.table.rows.push_back(std::move(*row));
    parsed.row_starts.push_back(start);
  }
  if (parsed.table.columns.empty()) {
    throw FileError(fmt::format("cannot read {}: it has no line of column names", file.string()));
  }
  return parsed;
}

std::size_t find_column(const std::vector<std::string>& columns, const std::string& name) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) throw FileError("there is no column " + name);
  return static_cast<std::size_t>(found - columns.begin());
}

std::string comments(const std::string& header) {
  std::string text;
  std::istringstream in(header);
  for (std::string line; std::getline(in, line);) {
    text += (line.starts_with('#') ? "" : "# ") + line + "\n";
  }
  return text;
}

} // namespace

CsvFile::CsvFile(fs::path file, const std::string& header, std::vector<std::string> columns)
    : file_(std::move(file)), columns_(std::move(columns)) {
  publish_text(file_, fmt::format("{}{}\n", comments(header), joined(columns_)));
  open_for_append();
}

CsvFile::CsvFile(Opened, fs::path file, std::vector<std::string> columns)
    : file_(std::move(file)), columns_(std::move(columns)) {
  const std::string text = read_text(file_);
  const Parsed parsed = parse(file_, text);
  if (parsed.table.columns != columns_) {
    throw FileError(fmt::format("cannot continue {}: its columns are {}, not {}", file_.string(),
                                joined(parsed.table.columns), joined(columns_)));
  }
  if (parsed.end < text.size()) publish_text(file_, text.substr(0, parsed.end));
  open_for_append();
}

CsvFile CsvFile::resume(fs::path file, std::vector<std::string> columns) {
  return {Opened{}, std::move(file), std::move(columns)};
}

CsvFile::CsvFile(CsvFile&& other) noexcept
    : file_(std::move(other.file_)), columns_(std::move(other.columns_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

CsvFile::~CsvFile() { close(); }

void CsvFile::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void CsvFile::open_for_append() {
  close();
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) throw_file_error("write", file_, errno);
}

void CsvFile::append(std::span<const double> row) {
  if (row.size() != columns_.size()) {
    throw Error(fmt::format("{} takes {} values a row, not {}", file_.string(), columns_.size(),
                            row.size()));
  }
  struct stat before {};
  if (::fstat(descriptor_, &before) < 0) throw_file_error("write", file_, errno);
  const int code = write_fully(descriptor_, row_text(row));
  if (code == 0) return;
  // If even this fails, the torn row is dropped when the file is read.
  [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, before.st_size);
  throw_file_error("write", file_, code);
}

void CsvFile::keep_rows_before(const std::string& column, double value) {
  const std::string text = read_text(file_);
  const Parsed parsed = parse(file_, text);
  const std::size_t key = find_column(parsed.table.columns, column);
  for (std::size_t i = 0; i < parsed.row_starts.size(); ++i) {
    if (parsed.table.rows[i][key] < value) continue;
    publish_text(file_, std::string_view(text).substr(0, parsed.row_starts[i]));
    return open_for_append();
  }
}

std::vector<double> CsvTable::column(const std::string& name) const {
  const std::size_t index = find_column(columns, name);
  std::vector<double> values;
  for (const std::vector<double>& row : rows) values.push_back(row[index]);
  return values;
}

CsvTable read_csv(const fs::path& file) { return parse(file, read_text(file)).table; }

} // namespace contraflow
