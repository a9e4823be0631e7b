#include "src/io/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace contraflow {

namespace {

double steady_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::string duration(double seconds) {
  if (!(seconds < 1e8)) return "?";
  if (seconds < 60) return fmt::format("{:.0f} s", std::ceil(seconds));
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string rate_text(double rate) {
  return fmt::format(rate >= 100 ? fmt::runtime("{:.0f}/s") : fmt::runtime("{:.3g}/s"), rate);
}

std::size_t terminal_width(std::FILE* out) {
  winsize size{};
  const bool known = ::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }

/// The first `width` characters of UTF-8 text.
std::string_view cut(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    if (starts_character(text[end]) && characters++ == width) break;
  }
  return text.substr(0, end);
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

} // namespace

Progress::Progress(std::string label, long total, std::FILE* out, long first,
                   std::function<double()> clock)
    : label_(std::move(label)), total_(total), first_(first), done_(first), out_(out),
      clock_(clock ? std::move(clock) : steady_seconds), on_terminal_(::isatty(::fileno(out)) == 1),
      start_(clock_()) {}

Progress::~Progress() {
  if (on_terminal_ && shown_ && !finished_) {
    std::fputc('\n', out_);
    std::fflush(out_);
  }
}

void Progress::update(long done, std::string_view extra) {
  if (finished_) return;
  done_ = done;
  extra_ = extra;
  const double since = clock_() - shown_at_;
  const long tenth = total_ > 0 ? 10 * done / total_ : 0;
  const bool all = total_ > 0 && done >= total_; // finish() tells of that
  const bool due = on_terminal_ ? since >= 0.1 : !all && (since >= 10 || tenth > shown_tenth_);
  if (shown_ && !due) return;
  shown_tenth_ = tenth;
  show(false);
}

void Progress::finish() {
  if (std::exchange(finished_, true)) return;
  show(true);
}

std::string Progress::numbers(bool last) const {
  const double elapsed = clock_() - start_;
  const double rate = elapsed > 0 ? static_cast<double>(done_ - first_) / elapsed : 0;
  std::string text = std::to_string(done_);
  // Rounded down: 100 % means that all is done.
  if (total_ > 0) text = fmt::format("{:3} %  {}/{}", 100 * done_ / total_, done_, total_);
  if (rate > 0) text += "  " + rate_text(rate);
  if (last)
    text += "  took " + duration(elapsed);
  else if (rate > 0 && total_ > 0) {
    text += "  " + duration(static_cast<double>(std::max(total_ - done_, 0L)) / rate) + " left";
  }
  return extra_.empty() ? text : text + "  " + extra_;
}

/// The line of a terminal: the bar gets what the numbers leave of the width.
std::string Progress::drawn(const std::string& text) const {
  const std::size_t width = terminal_width(out_) - 1;
  const std::size_t used = characters_in(label_) + characters_in(text) + 4;
  std::string bar;
  if (total_ > 0 && used + 6 <= width) {
    const std::size_t length = std::min<std::size_t>(width - used, 30);
    const double part = static_cast<double>(done_) / static_cast<double>(total_);
    const auto filled =
        static_cast<std::size_t>(std::clamp(part, 0., 1.) * static_cast<double>(length));
    bar = " [" + std::string(filled, '#') + std::string(length - filled, '.') + "]";
  }
  return std::string(cut(label_ + bar + " " + text, width));
}

void Progress::show(bool last) {
  std::string text = on_terminal_ ? "\r" : label_ + " ";
  text += on_terminal_ ? drawn(numbers(last)) + "\x1b[K" : numbers(last);
  if (last || !on_terminal_) text += '\n';
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
  shown_at_ = clock_();
  shown_ = true;
}

} // namespace contraflow
