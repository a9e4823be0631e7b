#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace contraflow {

/// NAME.tmp on its way to becoming NAME. Unless published, the destructor removes it, so that no
/// half-written file is left behind.
class PendingFile {
public:
  explicit PendingFile(std::filesystem::path file);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; } ///< NAME.tmp

  /// Flushes NAME.tmp, which must be closed, to the disk and renames it to NAME. Throws FileError.
  void publish();

private:
  std::filesystem::path file_, temporary_;
  bool published_ = false;
};

/// Writes `text` (or any bytes) to a file by NAME.tmp, flush and rename. Throws FileError.
void publish_text(const std::filesystem::path& file, std::string_view text);

/// All bytes of a file. Throws FileError.
std::string read_text(const std::filesystem::path& file);

/// Creates a folder and those above it where they are missing. Throws FileError.
void create_folder(const std::filesystem::path& folder);

/// Writes all of `bytes` to a file descriptor. Returns 0, or the errno of what failed.
int write_fully(int descriptor, std::string_view bytes);

/// Throws FileError "cannot VERB FILE: the system's words for `code`".
[[noreturn]] void throw_file_error(std::string_view verb, const std::filesystem::path& file,
                                   int code);

} // namespace contraflow
