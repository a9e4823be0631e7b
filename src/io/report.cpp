#include "src/io/report.hpp"

#include "src/io/encode.hpp"
#include "src/io/plot.hpp"
#include "src/io/publish.hpp"

#include <fmt/format.h>

namespace contraflow {

namespace {

constexpr std::string_view style = R"(
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff;
       max-width: 1000px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.15em; margin-top: 2em; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: .25em 1.5em .25em 0; border-bottom: 1px solid #ddd; }
th { font-weight: normal; color: #666; }
.warning { background: #fff3d6; border-left: 4px solid #d99a00; padding: .5em 1em; margin: .5em 0; }
svg { width: 100%; height: auto; font-size: 12px; }
svg text { fill: #333; } .grid { stroke: #e4e4e4; } .frame { fill: none; stroke: #888; }
.line { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.body { fill: #9a9a9a; stroke: #222; stroke-width: 1; }
pre { overflow-x: auto; background: #f6f6f6; padding: 1em; font-size: 13px; }
)";

std::string head(const Report& report) {
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                     "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
                     "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
                     escaped(report.title), style);
}

std::string facts_and_warnings(const Report& report) {
  std::string html;
  for (const std::string& warning : report.warnings) {
    html += fmt::format("<p class=\"warning\">{}</p>\n", escaped(warning));
  }
  if (report.facts.empty()) return html;
  html += "<table>\n";
  for (const auto& [name, value] : report.facts) {
    html += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(name), escaped(value));
  }
  return html + "</table>\n";
}

std::string figure(const std::string& title, const std::string& svg) {
  return fmt::format("<h2>{}</h2>\n{}", escaped(title), svg);
}

} // namespace

void write_report(const std::filesystem::path& file, const Grid& grid, const Report& report) {
  std::string html = head(report) + facts_and_warnings(report);
  for (const ReportPicture& picture : report.pictures) {
    html += figure(picture.title, svg_picture(grid, picture));
  }
  for (const ReportPlot& plot : report.plots) html += figure(plot.title, svg_plot(plot));
  if (!report.provenance.empty()) {
    html += fmt::format("<h2>Where this comes from</h2>\n<details><summary>version, commit and "
                        "case</summary>\n<pre>{}</pre></details>\n",
                        escaped(report.provenance));
  }
  publish_text(file, html + "</body>\n</html>\n");
}

} // namespace contraflow
