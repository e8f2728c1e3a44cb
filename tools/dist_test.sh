#!/usr/bin/env bash
# Evaluate on several processes; dist_run.sh says how on several machines.
#
#   bash tools/dist_test.sh CONFIG CHECKPOINT PROCESSES [flags of test.py]
set -euo pipefail

if [ $# -lt 3 ]; then
    echo "usage: bash tools/dist_test.sh CONFIG CHECKPOINT PROCESSES [flags]" >&2
    exit 2
fi
exec bash "$(dirname "$0")/dist_run.sh" test.py "$3" "$1" "$2" "${@:4}"
