#!/usr/bin/env bash
# Installs what contraflow is built on, from Debian's packages, and only what is missing.
#
#   bash apps/install_dependencies.sh            to build and run the program
#   bash apps/install_dependencies.sh --tests    and what its tests use
set -euo pipefail

needed=(cmake ninja-build g++ git libhdf5-dev libtomlplusplus-dev libcli11-dev libnlopt-dev
  libnlopt-cxx-dev libfmt-dev libopenblas-pthread-dev libeigen3-dev zlib1g-dev libgtest-dev
  libbenchmark-dev)
wanted=() # tests that use these skip without them
if [[ ${1:-} == --tests ]]; then
  needed+=(clang-format python3-numpy python3-h5py)
  wanted+=(paraview python3-paraview)
fi

missing() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "To install these packages, run as root: $*" >&2
    return 1
  fi
}

install_packages() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "This is no Debian system, so nothing was installed. Debian's names of what is needed:" >&2
  echo "  ${needed[*]}" >&2
  exit 0 # the build says what it cannot find
fi

mapfile -t to_install < <(missing "${needed[@]}")
mapfile -t to_try < <(missing "${wanted[@]}")
if ((${#to_install[@]} + ${#to_try[@]})); then
  echo "Installing ${to_install[*]} ${to_try[*]}"
  as_root apt-get update -qq || echo "apt-get update failed; trying with the package lists at hand" >&2
fi
if ((${#to_install[@]})); then
  install_packages "${to_install[@]}"
fi
if ((${#to_try[@]})) && ! install_packages "${to_try[@]}"; then
  echo "Could not install ${to_try[*]}: the tests that use them will be skipped." >&2
fi
