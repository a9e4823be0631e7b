#pragma once

#include "src/core/memory.hpp"

#include <gtest/gtest.h>

namespace contraflow::test {

/// A test of the CUDA back end, skipped where there is no device. What takes long under an emulator
/// is a test of a fixture whose name ends in ForwardOrderOnly: tests/run.sh repeats the others with
/// blocks and threads in other orders.
class OnCuda : public ::testing::Test {
protected:
  void SetUp() override {
    if (cuda_devices() == 0) GTEST_SKIP() << "no CUDA device";
    device = open_cuda_device(0);
  }

  Exec device;
};

} // namespace contraflow::test
