#include "src/io/publish.hpp"

#include "contraflow/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace contraflow {

namespace fs = std::filesystem;

void throw_file_error(std::string_view verb, const fs::path& file, int code) {
  throw FileError(
      fmt::format("cannot {} {}: {}", verb, file.string(), std::generic_category().message(code)));
}

int write_fully(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

PendingFile::PendingFile(fs::path file) : file_(std::move(file)), temporary_(file_) {
  temporary_ += ".tmp";
}

PendingFile::~PendingFile() {
  if (!published_) ::unlink(temporary_.c_str());
}

void PendingFile::publish() {
  const int descriptor = ::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_file_error("write", file_, errno);
  const int code = ::fsync(descriptor) < 0 ? errno : 0;
  ::close(descriptor);
  // EINVAL: a file system that cannot flush, which is no reason to refuse the file.
  if (code != 0 && code != EINVAL) throw_file_error("write", file_, code);
  if (::rename(temporary_.c_str(), file_.c_str()) < 0) throw_file_error("write", file_, errno);
  published_ = true;
}

void publish_text(const fs::path& file, std::string_view text) {
  PendingFile pending(file);
  const int descriptor =
      ::open(pending.temporary().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_file_error("write", file, errno);
  int code = write_fully(descriptor, text);
  if (::close(descriptor) < 0 && code == 0) code = errno;
  if (code != 0) throw_file_error("write", file, code);
  pending.publish();
}

std::string read_text(const fs::path& file) {
  if (fs::is_directory(file)) throw_file_error("read", file, EISDIR);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw_file_error("read", file, errno);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw_file_error("read", file, EIO);
  return text;
}

void create_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw_file_error("create", folder, failure.value());
  if (!fs::is_directory(folder)) throw_file_error("create", folder, ENOTDIR);
}

} // namespace contraflow
