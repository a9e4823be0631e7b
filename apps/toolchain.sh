# Sourced by demo.sh and tests/run.sh: what this machine can compile for, and how.
#
#   has_nvcc, has_gpu     true or false
#   preset                cuda where there is an nvcc, else cpu
#   configure_options     to pass to `cmake --preset`
#   jobs                  number of processors

[[ -x /usr/local/cuda/bin/nvcc ]] && PATH=$PATH:/usr/local/cuda/bin
has_nvcc=false
has_gpu=false
preset=cpu
configure_options=()
jobs=$(nproc)

if command -v ccache >/dev/null; then
  configure_options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
fi
if command -v nvcc >/dev/null; then
  has_nvcc=true
  preset=cuda
fi
if command -v nvidia-smi >/dev/null && nvidia-smi >/dev/null 2>&1; then
  has_gpu=true
  compute_capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1)
  configure_options+=("-DCMAKE_CUDA_ARCHITECTURES=${compute_capability/./}")
fi
