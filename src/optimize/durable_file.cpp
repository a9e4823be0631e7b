#include "src/optimize/durable_file.hpp"

#include "contraflow/error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace contraflow {
namespace {

[[noreturn]] void throw_file_error(const std::filesystem::path& file, const char* what) {
  const std::string words = std::generic_category().message(errno);
  throw FileError(file.string() + ": " + what + ": " + words);
}

// A name is on the disk when its folder is. Some file systems cannot sync folders: no error.
void sync_folder_of(const std::filesystem::path& file) {
  const auto folder = std::filesystem::absolute(file).parent_path();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

} // namespace

void DurableFile::publish(const std::filesystem::path& file, std::string_view bytes) {
  const std::filesystem::path unfinished = file.string() + ".part";
  DurableFile(unfinished, O_CREAT | O_TRUNC).append(bytes);
  std::error_code error;
  std::filesystem::rename(unfinished, file, error);
  if (error) throw FileError(file.string() + ": cannot be created: " + error.message());
  sync_folder_of(file);
}

DurableFile::DurableFile(const std::filesystem::path& file) : DurableFile(file, 0) {}

DurableFile::DurableFile(const std::filesystem::path& file, int flags)
    : file_(file),
      descriptor_(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0666)) {
  if (descriptor_ < 0) throw_file_error(file, "cannot be opened for writing");
}

DurableFile::~DurableFile() { ::close(descriptor_); }

void DurableFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_file_error(file_, "cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  // EINVAL: a file that cannot be synced, such as a pipe; nothing more can be done for it.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) throw_file_error(file_, "cannot be flushed");
}

} // namespace contraflow
