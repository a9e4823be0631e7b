#pragma once

#include "tests/io/temporary_folder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <map>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace contraflow::test {

using Arguments = std::vector<std::string>;

/// How a call of the program ended.
struct Outcome {
  int code = -1;  ///< exit code, -1 where a signal ended it
  int signal = 0; ///< that signal
  std::string out, err;
};

/// The program under test, running in a folder of the test; the two streams go to files elsewhere.
class Program {
public:
  /// `before` is called in the child, before the program starts.
  Program(const TemporaryFolder& folder, const Arguments& arguments,
          const std::function<void()>& before = {}) {
    child_ = ::fork();
    if (child_ != 0) return;
    if (before) before();
    become(folder, arguments);
  }
  ~Program() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void send(int signal) const { ::kill(child_, signal); }

  Outcome wait() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    Outcome outcome{.out = contents(streams_ / "out"), .err = contents(streams_ / "err")};
    if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    return outcome;
  }

private:
  [[noreturn]] void become(const TemporaryFolder& folder, const Arguments& arguments) const {
    std::vector<std::string> words{CONTRAFLOW_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    redirect(STDOUT_FILENO, streams_ / "out");
    redirect(STDERR_FILENO, streams_ / "err");
    ::setenv("OMP_WAIT_POLICY", "passive", 1);
    if (::chdir(folder.path().c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(99);
  }
  static void redirect(int descriptor, const std::filesystem::path& file) {
    ::dup2(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), descriptor);
  }

  TemporaryFolder streams_;
  pid_t child_ = -1;
};

inline Outcome contraflow(const TemporaryFolder& folder, const Arguments& arguments) {
  return Program(folder, arguments).wait();
}

/// Waits until `condition` holds, at most 60 s.
inline bool wait_until(const std::function<bool()>& condition) {
  for (int tries = 0; tries < 6000; ++tries) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

inline std::ptrdiff_t lines_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

/// Every file under `folder` with its bytes.
inline std::map<std::string, std::string> all_files(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder)) {
    if (!item.is_regular_file()) continue;
    files[std::filesystem::relative(item.path(), folder).string()] = contents(item.path());
  }
  return files;
}

} // namespace contraflow::test
