#include <contraflow/exec.hpp>
#include <contraflow/version.hpp>

#include <cstdio>

int main() {
  std::printf("contraflow %s (%s), %s CUDA\n", contraflow::version(), contraflow::commit(),
              contraflow::built_with_cuda() ? "with" : "without");
}
