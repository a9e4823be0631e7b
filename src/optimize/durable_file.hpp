#pragma once

#include <filesystem>
#include <string_view>

namespace contraflow {

/// A file that only grows, and whose bytes outlive a kill or a power cut once `append` returns.
/// Throws FileError throughout, with the system's words.
class DurableFile {
public:
  /// Puts a file with `bytes` at `file` in one step: a reader finds the old one or the new one
  /// whole.
  static void publish(const std::filesystem::path& file, std::string_view bytes);

  /// Opens `file`, which exists, to append.
  explicit DurableFile(const std::filesystem::path& file);
  ~DurableFile();
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  /// Returns when the bytes are on the disk.
  void append(std::string_view bytes);

private:
  DurableFile(const std::filesystem::path& file, int flags);

  std::filesystem::path file_;
  int descriptor_;
};

} // namespace contraflow
