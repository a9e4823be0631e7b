#include "apps/contraflow/common.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace contraflow::app {

namespace {

volatile std::sig_atomic_t interrupts = 0;
const char* first_message = "";
std::size_t first_length = 0;

// Only what a signal handler may call.
extern "C" void on_interrupt(int) {
  interrupts = interrupts + 1;
  if (interrupts > 1) std::_Exit(interrupted_by_user);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, first_message, first_length);
}

} // namespace

void watch_for_interrupt(const char* message) {
  first_message = message;
  first_length = std::strlen(message);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupted() { return interrupts > 0; }

} // namespace contraflow::app
