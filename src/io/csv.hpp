#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace contraflow {

/// A CSV file of numbers that is always fit to be read: the header appears whole, each row is in
/// the file when append() returns, doubles read back bit for bit. All throw FileError.
class CsvFile {
public:
  /// Creates or replaces a file: the lines of `header` as comments (`# ...`), then the names.
  CsvFile(std::filesystem::path file, const std::string& header, std::vector<std::string> columns);

  /// Opens a file to append to; it must have just these columns. A last row torn by a kill goes.
  static CsvFile resume(std::filesystem::path file, std::vector<std::string> columns);

  ~CsvFile();
  CsvFile(CsvFile&& other) noexcept;
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  /// One value per column. A row that could not be written whole is taken back.
  void append(std::span<const double> row);
  void append(std::initializer_list<double> row) { append(std::span(row.begin(), row.size())); }

  /// Removes, by rename, the first row whose `column` is not below `value`, and all after it.
  void keep_rows_before(const std::string& column, double value);

private:
  struct Opened {}; // tells the constructor of resume() from the public one
  CsvFile(Opened, std::filesystem::path file, std::vector<std::string> columns);
  void open_for_append();
  void close();

  std::filesystem::path file_;
  std::vector<std::string> columns_;
  int descriptor_ = -1;
};

/// The whole of a CSV file that CsvFile wrote.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows; ///< [row][column]

  /// All values of a column. Throws FileError if there is none of that name.
  std::vector<double> column(const std::string& name) const;
};

/// Reads a file of CsvFile, without a torn last row. Throws FileError: names the line.
CsvTable read_csv(const std::filesystem::path& file);

} // namespace contraflow
