#include "src/io/csv.hpp"
#include "tests/cuda/on_cuda.hpp"
#include "tests/cuda/small_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace contraflow::test {
namespace {

using ProgramOnCuda = OnCuda;
using ProgramOnCudaForwardOrderOnly = OnCuda;

/// What the program prints with these arguments; a failure of the test if it does not exit with 0.
std::string printed(const TemporaryFolder& folder, const std::string& arguments) {
  const std::string log = (folder / "log").string();
  const int status =
      std::system((CONTRAFLOW_PROGRAM " " + arguments + " >" + log + " 2>&1").c_str());
  EXPECT_EQ(status, 0) << arguments << "\n" << contents(log);
  return contents(log);
}

/// The numbers of a CSV file, column by column, without the columns of words.
std::vector<std::vector<double>> columns_of(const std::filesystem::path& file) {
  std::istringstream lines{contents(file)};
  std::vector<std::vector<double>> columns;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells{line};
    std::size_t column = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++column) {
      columns.resize(std::max(columns.size(), column + 1));
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      if (end != cell.c_str() && *end == '\0') columns[column].push_back(value);
    }
  }
  std::erase_if(columns, [](const auto& column) { return column.empty(); });
  return columns;
}

/// Every column of a CSV file of two runs to `tolerance` of its largest entry.
void expect_close(const TemporaryFolder& folder, const std::string& file, double tolerance) {
  const auto a = columns_of(folder / "on_cpu" / file), b = columns_of(folder / "on_cuda" / file);
  ASSERT_EQ(a.size(), b.size());
  ASSERT_FALSE(a.empty()) << file;
  for (std::size_t column = 0; column < a.size(); ++column) {
    ASSERT_EQ(a[column].size(), b[column].size());
    double scale = 0, largest = 0;
    for (std::size_t n = 0; n < a[column].size(); ++n) {
      scale = std::max(scale, std::abs(a[column][n]));
      const double difference = std::abs(a[column][n] - b[column][n]);
      if (!(difference <= largest)) largest = difference; // a NaN stays
    }
    EXPECT_LE(largest, tolerance * scale) << file << ", column " << column;
  }
}

TEST_F(ProgramOnCudaForwardOrderOnly, WritesTheForcesAndGradientsOfTheCpuOver50Steps) {
  const TemporaryFolder folder;
  put(folder / "small.toml", small_case(2, 50));
  for (const std::string verb : {"run", "gradient"}) {
    for (const std::string where : {"cpu", "cuda:0"}) {
      const std::string out = (folder / (where == "cpu" ? "on_cpu" : "on_cuda")).string();
      printed(folder, verb + " " + (folder / "small.toml").string() + " --precision double" +
                          " --device " + where + " -o " + out);
    }
  }
  expect_close(folder, "forces.csv", 1e-10);
  expect_close(folder, "gradient.csv", 1e-10);
  EXPECT_EQ(read_csv(folder / "on_cuda" / "forces.csv").rows.size(), 50u);
}

TEST_F(ProgramOnCuda, TakesTheDeviceByItself) {
  const TemporaryFolder folder;
  put(folder / "small.toml", small_case(2, 1));
  const std::string text = printed(folder, "run " + (folder / "small.toml").string() + " -o " +
                                               (folder / "out").string());
  EXPECT_NE(text.find("on cuda:0"), std::string::npos) << text;
}

TEST_F(ProgramOnCuda, ListsTheDevice) {
  const TemporaryFolder folder;
  const std::string text = printed(folder, "info");
  EXPECT_NE(text.find("cuda:0: "), std::string::npos) << text;
  EXPECT_NE(text.find(cuda_device_info(0).name), std::string::npos) << text;
}

} // namespace
} // namespace contraflow::test
