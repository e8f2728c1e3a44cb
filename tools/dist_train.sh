#!/usr/bin/env bash
# Train on several processes; dist_run.sh says how on several machines.
#
#   bash tools/dist_train.sh CONFIG PROCESSES [flags of tools/train.py]
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: bash tools/dist_train.sh CONFIG PROCESSES [flags]" >&2
    exit 2
fi
exec bash "$(dirname "$0")/dist_run.sh" train.py "$2" "$1" "${@:3}"
