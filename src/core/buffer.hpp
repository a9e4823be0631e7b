#pragma once

#include "src/core/memory.hpp"

#include <utility>
#include <vector>

namespace contraflow {

/// Owns `size` elements in the memory of one back end, zero at first. Moves, does not copy.
template <class T> class Buffer {
public:
  Buffer() = default;
  Buffer(const Exec& exec, std::size_t size)
      : exec_{exec}, size_{size}, data_{size == 0 ? nullptr
                                                  : static_cast<T*>(
                                                        allocate_bytes(exec, size * sizeof(T)))} {}
  Buffer(const Exec& exec, const std::vector<T>& host) : Buffer(exec, host.size()) { upload(host); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (data_ != nullptr) free_bytes(exec_, data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  const Exec& exec() const { return exec_; }

  void upload(const std::vector<T>& host) {
    if (size_ > 0) copy_to_device(exec_, data_, host.data(), size_ * sizeof(T));
  }
  std::vector<T> download() const {
    std::vector<T> host(size_);
    if (size_ > 0) copy_to_host(exec_, host.data(), data_, size_ * sizeof(T));
    return host;
  }
  void copy_from(const Buffer& other) {
    if (size_ > 0) copy_on_device(exec_, data_, other.data_, size_ * sizeof(T));
  }
  void zero() {
    if (size_ > 0) zero_bytes(exec_, data_, size_ * sizeof(T));
  }

  void swap(Buffer& other) noexcept {
    std::swap(exec_, other.exec_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }

private:
  Exec exec_;
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

} // namespace contraflow
