#!/usr/bin/env bash
# cases.sh PROGRAM ROOT: certifies every shipped case over a few steps.
set -uo pipefail
failed=0
for case in "$2"/data/cases/*.toml; do
  echo "== ${case##*/}"
  "$1" check "$case" --set check.steps=24 </dev/null || failed=1
done
exit "$failed"
