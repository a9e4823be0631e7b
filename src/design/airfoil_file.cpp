#include "src/design/airfoil_file.hpp"

#include "contraflow/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>

namespace contraflow {
namespace {

struct Table {
  std::vector<Vec2> rows;
  std::vector<long> lines; ///< where each stands in the file
};

/// The two numbers of a line; nothing if it holds anything else.
std::optional<Vec2> pair_of_numbers(std::string_view line) {
  constexpr std::string_view blank = " \t\r,;";
  Vec2 pair{};
  for (double& number : pair) {
    line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
    if (line.starts_with('+')) line.remove_prefix(1);
    const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (failure != std::errc() || !std::isfinite(number)) return {};
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (!line.empty() && blank.find(line.front()) == std::string_view::npos) return {};
  }
  if (line.find_first_not_of(blank) != std::string_view::npos) return {};
  return pair;
}

Table read_table(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw CaseError(fmt::format("{}: cannot open this airfoil file", path));
  constexpr long header_lines = 20;
  Table table;
  std::string line;
  for (long number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (const auto pair = pair_of_numbers(line)) {
      table.rows.push_back(*pair);
      table.lines.push_back(number);
    } else if (!table.rows.empty() || number > header_lines) {
      throw CaseError(fmt::format("{}:{}: '{}' is not a point: two numbers, x and y, are allowed",
                                  path, number, line.substr(0, 40)));
    }
  }
  return table;
}

bool is_count(double value) { return value >= 2 && value == std::floor(value); }

/// Number of points of the upper surface where the table is in Lednicer order, 0 in Selig order.
std::size_t upper_points(Table& table, const std::string& path) {
  auto& rows = table.rows;
  if (rows.size() > 1 && is_count(rows[0][0]) && is_count(rows[0][1])) {
    const Vec2 counts = rows[0];
    if (counts[0] + counts[1] != static_cast<double>(rows.size() - 1)) {
      throw CaseError(fmt::format("{}:{}: says {} + {} points, but {} follow", path, table.lines[0],
                                  counts[0], counts[1], rows.size() - 1));
    }
    rows.erase(rows.begin());
    table.lines.erase(table.lines.begin());
    return static_cast<std::size_t>(counts[0]);
  }
  if (rows.empty()) return 0;
  const auto [low, high] = std::minmax_element(rows.begin(), rows.end());
  const double middle = ((*low)[0] + (*high)[0]) / 2, chord = (*high)[0] - (*low)[0];
  if (rows[0][0] > middle) return 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i - 1][0] - rows[i][0] > chord / 2) return i;
  }
  throw CaseError(fmt::format("{}:{}: starts at the leading edge, but no second surface follows "
                              "(allowed: Selig or Lednicer order)",
                              path, table.lines[0]));
}

std::vector<Vec2> one_loop(std::vector<Vec2> rows, std::size_t upper) {
  std::reverse(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(upper));
  const double chord = (*std::max_element(rows.begin(), rows.end()))[0] -
                       (*std::min_element(rows.begin(), rows.end()))[0];
  std::vector<Vec2> loop;
  for (const Vec2& p : rows) {
    if (loop.empty() || norm(p - loop.back()) > 1e-9 * chord) loop.push_back(p);
  }
  double twice_area = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    twice_area += cross(loop[i], loop[(i + 1) % loop.size()]);
  }
  if (twice_area < 0) std::reverse(loop.begin(), loop.end());
  return loop;
}

void close_trailing_edge(std::vector<Vec2>& loop, std::size_t leading_edge) {
  const Vec2 middle = 0.5 * (loop.front() + loop.back());
  const double nose = loop[leading_edge][0];
  const Vec2 above = middle - loop.front(), below = middle - loop.back();
  const double upper_chord = loop.front()[0] - nose, lower_chord = loop.back()[0] - nose;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const bool upper = i < leading_edge;
    const double share = (loop[i][0] - nose) / (upper ? upper_chord : lower_chord);
    loop[i] = loop[i] + share * (upper ? above : below);
  }
  loop.front() = loop.back() = middle;
}

} // namespace

AirfoilPoints read_airfoil(const std::string& path) {
  Table table = read_table(path);
  const std::size_t upper = upper_points(table, path);
  if (table.rows.size() < 10) {
    throw CaseError(fmt::format("{}: {} points, at least 10 are needed", path, table.rows.size()));
  }
  std::vector<Vec2> loop = one_loop(std::move(table.rows), upper);
  const auto nose = std::min_element(loop.begin(), loop.end(),
                                     [](const Vec2& a, const Vec2& b) { return a[0] < b[0]; });
  const auto leading_edge = static_cast<std::size_t>(nose - loop.begin());
  const double chord = (loop.front()[0] + loop.back()[0]) / 2 - (*nose)[0];
  if (leading_edge < 3 || leading_edge + 4 > loop.size() || !(chord > 0) ||
      norm(loop.front() - loop.back()) > 0.1 * chord) {
    throw CaseError(fmt::format("{}:{}: the points do not start and end at one trailing edge "
                                "(allowed: Selig or Lednicer order, a gap of at most 0.1 chords)",
                                path, table.lines[0]));
  }
  close_trailing_edge(loop, leading_edge);
  const Vec2 origin{loop[leading_edge][0], loop.front()[1]};
  for (Vec2& p : loop) p = 1 / chord * (p - origin);
  return {std::move(loop), leading_edge};
}

} // namespace contraflow
