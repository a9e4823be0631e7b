#!/usr/bin/env bash
# Compares the program found in build/*/bin with what is published, and writes docs/validation.md.
#
#   bash tests/validation/run.sh                    everything: 40 minutes on two cores; goes on where it was stopped
#   bash tests/validation/run.sh --quick            16 cells to the diameter, in minutes
#   bash tests/validation/run.sh --only cylinder    one group; --help says more
#
# Fails where a value is not as declared for its resolution.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=/usr/bin/python3 # Debian's, which has the two packages that others may lack
if ! "$python" -c 'import h5py, numpy, tomllib' 2>/dev/null; then
  echo "SKIPPED: needs Python 3.11 with numpy and h5py; bash apps/install_dependencies.sh --tests" >&2
  exit 77
fi
exec "$python" tests/validation/validate.py "$@"
