#!/usr/bin/env bash
# Builds contraflow and optimises an airfoil: less drag at the same area and lift.
set -euo pipefail
cd "$(dirname "$0")/.."

bash apps/install_dependencies.sh
source apps/toolchain.sh

echo "Building (preset $preset)"
cmake --preset "$preset" "${configure_options[@]}" >/dev/null
cmake --build --preset "$preset" --target contraflow_cli --parallel "$jobs"

rm -rf build/demo
"build/$preset/bin/contraflow" optimize data/cases/airfoil_re1000.toml -o build/demo
