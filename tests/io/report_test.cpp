#include "contraflow/error.hpp"
#include "src/io/encode.hpp"
#include "src/io/plot.hpp"
#include "src/io/png.hpp"
#include "src/io/report.hpp"
#include "src/io/svg_axes.hpp"
#include "tests/io/grids.hpp"
#include "tests/io/markup_check.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <regex>

namespace contraflow::test {

namespace {

std::string from_base64(const std::string& text) {
  static const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255u);
  }
  return bytes;
}

std::size_t big_endian(const std::string& bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

struct Decoded {
  std::size_t width = 0, height = 0;
  std::vector<int> rgb;
  std::array<int, 3> at(std::size_t x, std::size_t y) const {
    const std::size_t i = 3 * (y * width + x);
    return {rgb[i], rgb[i + 1], rgb[i + 2]};
  }
};

/// A PNG of 8-bit RGB whose rows use filters 0 and 1, as the standard reads it.
Decoded decode_png(const std::string& png) {
  Decoded image;
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string packed;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t size = big_endian(png, at);
    const std::string type = png.substr(at + 4, 4), data = png.substr(at + 8, size);
    const std::string covered = type + data;
    EXPECT_EQ(big_endian(png, at + 8 + size),
              crc32(0, reinterpret_cast<const Bytef*>(covered.data()), uInt(covered.size())));
    if (type == "IHDR") {
      image.width = big_endian(data, 0);
      image.height = big_endian(data, 4);
      EXPECT_EQ(data.substr(8), std::string("\x08\x02\0\0\0", 5));
    }
    if (type == "IDAT") packed += data;
    at += 12 + size;
  }
  std::vector<Bytef> raw((3 * image.width + 1) * image.height);
  uLongf size = raw.size();
  EXPECT_EQ(uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(packed.data()),
                       uLong(packed.size())),
            Z_OK);
  for (std::size_t y = 0, at = 0; y < image.height; ++y) {
    const int filter = raw[at++];
    EXPECT_LE(filter, 1);
    for (std::size_t i = 0; i < 3 * image.width; ++i) {
      const int left = i < 3 || filter == 0 ? 0 : image.rgb[image.rgb.size() - 3];
      image.rgb.push_back((raw[at++] + left) % 256);
    }
  }
  return image;
}

/// All pieces of text between `start` and the next quote.
std::vector<std::string> quoted_after(const std::string& text, const std::string& start) {
  std::vector<std::string> pieces;
  for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
    at += start.size();
    pieces.push_back(text.substr(at, text.find('"', at) - at));
  }
  return pieces;
}

std::vector<Decoded> pictures_in(const std::string& html) {
  std::vector<Decoded> images;
  for (const std::string& text : quoted_after(html, "data:image/png;base64,")) {
    images.push_back(decode_png(from_base64(text)));
  }
  return images;
}

bool reddish(const std::array<int, 3>& c) { return c[0] > c[2] + 50; }
bool bluish(const std::array<int, 3>& c) { return c[2] > c[0] + 50; }

/// 4x2 cells, stretched in x; red in the cells of the right half of the upper row, blue elsewhere.
ReportPicture make_picture(Grid& grid) {
  grid.faces = {std::vector<double>{0, 1, 2, 4, 8}, {0, 2, 4}, {0, 1}};
  ReportPicture picture;
  picture.title = "Vorticity";
  picture.window = {0, 8, 0, 4};
  picture.range = 2;
  picture.cells = {-5, -5, -5, -5, -5, -5, 5, 5};
  picture.outline = {{3, 1, 0}, {5, 1, 0}, {4, 3, 0}};
  return picture;
}

Report make_report(Grid& grid) {
  Report report;
  report.title = "Cylinder <Re 100>";
  report.facts = {{"Cd", "1.35 & more"}};
  report.warnings = {"forces differ by 2 %"};
  report.plots = {{.title = "Drag",
                   .x_label = "time",
                   .y_label = "Cd",
                   .lines = {{"Cd", {0, 1, 2}, {1, 3, 2}}, {"Cl", {0, 1, 2}, {0, 1, 0}}}}};
  report.pictures = {make_picture(grid)};
  report.provenance = "contraflow 1.0 abc\n[flow]\n# see http://example.org\n";
  return report;
}

/// Where the first line of a plot goes.
std::string path_data(const std::string& svg) {
  const std::size_t line = svg.find("class=\"line\"");
  return quoted_after(svg.substr(line), " d=\"").at(0);
}

} // namespace

TEST(Report, IsOneWellFormedFileThatNeedsNothingElse) {
  const TemporaryFolder folder;
  Grid grid;
  Report report = make_report(grid);
  report.provenance.clear();
  write_report(folder / "report.html", grid, report);
  const std::string html = contents(folder / "report.html");
  EXPECT_EQ(markup_fault(html.substr(html.find('\n'))), "");
  EXPECT_EQ(html.find("http://"), std::string::npos);
  EXPECT_EQ(html.find("https://"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("url("), std::string::npos);
  for (std::size_t at = html.find("href="); at != std::string::npos;
       at = html.find("href=", at + 1)) {
    EXPECT_EQ(html.substr(at, 28), "href=\"data:image/png;base64,");
  }
  EXPECT_EQ(folder.names(), std::set<std::string>{"report.html"});
}

TEST(Report, HoldsFactsWarningsPlotsPicturesAndProvenance) {
  const TemporaryFolder folder;
  Grid grid;
  write_report(folder / "report.html", grid, make_report(grid));
  const std::string html = contents(folder / "report.html");
  EXPECT_EQ(markup_fault(html.substr(html.find('\n'))), "");
  EXPECT_NE(html.find("<h1>Cylinder &lt;Re 100&gt;</h1>"), std::string::npos);
  EXPECT_NE(html.find("<tr><th>Cd</th><td>1.35 &amp; more</td></tr>"), std::string::npos);
  EXPECT_NE(html.find("forces differ by 2 %"), std::string::npos);
  EXPECT_NE(html.find("<h2>Drag</h2>"), std::string::npos);
  EXPECT_NE(html.find("<h2>Vorticity</h2>"), std::string::npos);
  EXPECT_EQ(occurrences(html, "class=\"line\""), 2);
  EXPECT_EQ(occurrences(html, "class=\"body\""), 1);
  EXPECT_EQ(occurrences(html, "data:image/png;base64,"), 2); // field and colour bar
  EXPECT_NE(html.find("<pre>contraflow 1.0 abc\n"), std::string::npos);
}

TEST(Picture, ShowsTheFieldWithTheFirstRowAtTheBottom) {
  Grid grid;
  const ReportPicture picture = make_picture(grid);
  const auto images = pictures_in(svg_picture(grid, picture));
  ASSERT_EQ(images.size(), 2u);
  const Decoded& field = images[0];
  EXPECT_EQ(field.width, 2 * field.height);
  EXPECT_TRUE(reddish(field.at(field.width - 1, 0)));
  EXPECT_TRUE(bluish(field.at(field.width - 1, field.height - 1)));
  EXPECT_TRUE(bluish(field.at(0, 0)));
  EXPECT_TRUE(bluish(field.at(field.width / 8, 0))); // x = 1, in the left half of the cells
  EXPECT_TRUE(
      reddish(field.at(field.width * 7 / 16, 0))); // x = 3.5: the third cell, not the second
  EXPECT_TRUE(reddish(images[1].at(0, 0))) << "the colour bar has +range on top";
}

TEST(Picture, InterpolatesBetweenCellCentres) {
  Grid grid;
  ReportPicture picture = make_picture(grid);
  picture.cells = {-2, -2, -2, -2, 2, 2, 2, 2};
  const Decoded field = pictures_in(svg_picture(grid, picture))[0];
  const auto middle = field.at(5, field.height / 2); // zero, half-way between the rows: white
  for (const int channel : middle) EXPECT_GT(channel, 240);
  EXPECT_EQ(field.at(5, 0), field.at(5, field.height / 4 - 1)); // above the upper centres: constant
}

TEST(Picture, ShowsWhatIsNotANumberInGrey) {
  Grid grid;
  ReportPicture picture = make_picture(grid);
  picture.cells[4] = std::nanf("");
  const Decoded field = pictures_in(svg_picture(grid, picture))[0];
  EXPECT_EQ(field.at(0, 0), (std::array<int, 3>{150, 150, 150}));
}

TEST(Picture, DrawsTheOutlineWhereTheBodyIs) {
  Grid grid;
  const std::string svg = svg_picture(grid, make_picture(grid));
  // 8 units are 820 pixels wide after a margin of 76; y counts from the top, after 12.
  EXPECT_NE(svg.find("d=\"M383.50 319.50L588.50 319.50L486.00 114.50Z\""), std::string::npos)
      << svg.substr(svg.find("class=\"body\""), 100);
}

TEST(Picture, RefusesAFieldOfAnotherGrid) {
  Grid grid;
  ReportPicture picture = make_picture(grid);
  picture.cells.pop_back();
  EXPECT_THROW(svg_picture(grid, picture), Error);
}

TEST(Plot, DrawsEachLineThroughItsPoints) {
  ReportPlot plot{
      .title = "t", .x_label = "x", .y_label = "y", .lines = {{"a", {0, 1, 2}, {1, 3, 2}}}};
  // x: 76 to 744; y: 1 at 5/110 of the height above the bottom, 3 as far below the top.
  EXPECT_EQ(path_data(svg_plot(plot)), "M76.00 301.09L410.00 42.91L744.00 172.00");
}

TEST(Plot, LeavesAGapWhereAValueIsNotFinite) {
  ReportPlot plot;
  plot.lines = {{"a", {0, 1, 2, 3, 4}, {1, 2, std::nan(""), 2, 1}}};
  const std::string path = path_data(svg_plot(plot));
  EXPECT_EQ(occurrences(path, "M"), 2);
  EXPECT_EQ(occurrences(path, "L"), 2);
  EXPECT_EQ(path.find("nan"), std::string::npos);
}

TEST(Plot, KeepsTheExtremesOfALongLineInAFewThousandPoints) {
  ReportPlot plot;
  ReportPlot::Line line{.name = "a", .x = {}, .y = {}};
  for (int i = 0; i < 1'000'000; ++i) {
    line.x.push_back(i);
    line.y.push_back(i == 123'457 ? 5 : std::sin(i));
  }
  plot.lines = {line};
  const std::string path = path_data(svg_plot(plot));
  EXPECT_LE(occurrences(path, "L"), 4100);
  EXPECT_NE(path.find(" 42.9"), std::string::npos) << "the peak, 5/110 below the top";
}

TEST(Plot, HasALogarithmicAxisThatHidesWhatIsNotPositive) {
  ReportPlot plot;
  plot.logarithmic_y = true;
  plot.lines = {{"a", {0, 1, 2, 3}, {1, 0, 0.1, 0.01}}};
  const std::string svg = svg_plot(plot);
  EXPECT_EQ(occurrences(path_data(svg), "M"), 2);
  for (const char* tick : {">1</text>", ">0.1</text>", ">0.01</text>"}) {
    EXPECT_NE(svg.find(tick), std::string::npos) << tick;
  }
}

TEST(Plot, GivesShapesTheSameScaleOnBothAxes) {
  ReportPlot plot;
  plot.equal_axes = true;
  plot.lines = {{"square", {0, 1, 1, 0, 0}, {0, 0, 1, 1, 0}}};
  const std::regex number("[-0-9.]+");
  const std::string path = path_data(svg_plot(plot));
  std::vector<double> at;
  for (std::sregex_iterator i(path.begin(), path.end(), number), end; i != end; ++i) {
    at.push_back(std::stod(i->str()));
  }
  EXPECT_NEAR(at[2] - at[0], at[3] - at[5], 0.02);
}

TEST(Plot, CopesWithNothingAndWithOneConstant) {
  ReportPlot plot;
  EXPECT_EQ(markup_fault(svg_plot(plot)), "");
  plot.lines = {{"a", {1, 1}, {1e300, 1e300}}, {"b", {}, {}}};
  const std::string svg = svg_plot(plot);
  EXPECT_EQ(markup_fault(svg), "");
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(PlotAxis, PutsTicksAtRoundValues) {
  const PlotAxis axis{.from = -0.13, .to = 0.52};
  const auto ticks = axis.ticks(7);
  ASSERT_EQ(ticks.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_NEAR(ticks[i], -0.1 + 0.1 * static_cast<double>(i), 1e-12);
  EXPECT_EQ(axis.tick_text(ticks[0], 7), "-0.1");
  EXPECT_EQ(axis.tick_text(ticks[1], 7), "0.0");
}

TEST(Png, HoldsEveryPixel) {
  std::vector<std::uint8_t> rgb;
  for (int i = 0; i < 5 * 3 * 3; ++i) rgb.push_back(static_cast<std::uint8_t>(i * 89));
  const Decoded image = decode_png(encode_png(5, 3, rgb));
  EXPECT_EQ(image.width, 5u);
  EXPECT_EQ(image.height, 3u);
  EXPECT_EQ(image.rgb, std::vector<int>(rgb.begin(), rgb.end()));
  EXPECT_THROW(encode_png(5, 4, rgb), Error);
}

TEST(Base64, MatchesTheExamplesOfItsStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

} // namespace contraflow::test
