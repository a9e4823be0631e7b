#!/usr/bin/env bash
# Installs what is missing, checks the format, builds every preset and runs its tests.
#
#   bash tests/run.sh            everything this machine can build
#   bash tests/run.sh --quick    the CPU preset alone
#
# Tests of the CUDA back end run on the GPU if there is one, and under a CUDA emulator if
# CONTRAFLOW_EMULATOR names one. The last line says how many tests passed and failed.
set -uo pipefail
cd "$(dirname "$0")/.."

quick=false
case ${1:-} in
  --quick) quick=true ;;
  '') ;;
  *)
    echo "usage: tests/run.sh [--quick]" >&2
    exit 2
    ;;
esac

bash apps/install_dependencies.sh --tests || exit 1
source apps/toolchain.sh
emulator=${CONTRAFLOW_EMULATOR:-../shared/cuda-emulator/emugpu-run}
# Tests run side by side, so threads that wait must not hold a core.
export OMP_WAIT_POLICY=passive CTEST_PARALLEL_LEVEL=$jobs
passed=0
failed=0
skipped=0
failures=()

fail() {
  ((failed += 1))
  failures+=("$1")
  echo "FAILED: $1"
}

headline() { printf '\n== %s\n' "$1"; }

check_format() {
  headline "format"
  local files
  mapfile -t files < <(git ls-files '*.cpp' '*.hpp' '*.cu' '*.h')
  if clang-format --dry-run -Werror "${files[@]}"; then ((passed += 1)); else fail "format"; fi
}

# build PRESET: configures and builds; a failure counts as a failed test.
build() {
  headline "build $1"
  cmake --preset "$1" "${configure_options[@]}" >/dev/null &&
    cmake --build --preset "$1" --parallel "$jobs" && return
  fail "build $1"
  return 1
}

# count_tests TITLE COMMAND...: runs ctest and adds up what it says.
count_tests() {
  local title=$1 log bad total left_out
  shift
  headline "test $title"
  log=$(mktemp)
  "$@" 2>&1 | tee "$log"
  bad=$(sed -n 's/.* \([0-9]*\) tests\? failed out of [0-9]*$/\1/p' "$log")
  total=$(sed -n 's/.* tests\? failed out of \([0-9]*\)$/\1/p' "$log")
  left_out=$(grep -c '^[[:space:]]*[0-9]* - .* (Skipped)$' "$log")
  mapfile -t -O "${#failures[@]}" failures < <(awk -v title="$title" \
    '/^The following tests FAILED:/ { listed = 1 } listed && $2 == "-" { print title ": " $3 }' "$log")
  rm -f "$log"
  if [[ -z $total ]]; then
    fail "$title: ctest ran no tests"
    return
  fi
  ((failed += bad, skipped += left_out, passed += total - bad - left_out))
}

test_cuda_back_end() {
  local order only
  if $has_gpu; then
    count_tests "cuda on the GPU" ctest --preset cuda -L '^cuda$'
  fi
  if [[ ! -x $emulator ]]; then
    $has_gpu || headline "SKIPPED: tests of the CUDA back end. There is no GPU here, nor an emulator."
    return
  fi
  for order in forward reverse shuffle; do
    only=()
    [[ $order == forward ]] || only=(-E ForwardOrderOnly)
    EMUGPU_ORDER=$order EMUGPU_LEAKS=2 count_tests "cuda under the emulator, $order" \
      "$emulator" ctest --preset cuda -L '^cuda$' "${only[@]}"
  done
}

check_format
build cpu && count_tests cpu ctest --preset cpu
if ! $quick; then
  build asan && count_tests asan ctest --preset asan
  if ! $has_nvcc; then
    headline "SKIPPED: the CUDA build. There is no nvcc here."
  elif build cuda; then
    count_tests "cuda on the CPU" ctest --preset cuda -LE '^cuda$'
    test_cuda_back_end
  fi
fi

printf '\n'
((${#failures[@]} == 0)) || printf 'failed: %s\n' "${failures[@]}"
((skipped == 0)) || echo "$skipped skipped"
echo "$passed passed, $failed failed"
((failed == 0))
