#!/usr/bin/env bash
# check.sh WRITE_SERIES: writes fields with that program and reads every value back with ParaView.
# Exit code 77, which CTest takes for skipped, where pvpython is not installed
# (Debian: apt-get install --no-install-recommends paraview python3-paraview).
set -euo pipefail

write_series=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if ! command -v pvpython > /dev/null; then
  echo "SKIPPED: pvpython is not installed"
  exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$write_series" "$folder"
pvpython "$here/check_fields.py" "$folder"
