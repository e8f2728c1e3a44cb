#!/usr/bin/env bash
# Replay the installation of the Dockerfiles without a container engine: the
# COPY lines of the stage `build` and its last RUN line, in an empty folder
# with an empty home. Takes as long as `make env` without pip's cache.
#
#   bash docker/replay.sh [docker/cpu.Dockerfile]
set -euo pipefail
cd "$(dirname "$0")/.."

DOCKERFILE=${1:-docker/cpu.Dockerfile}
ROOT=$(mktemp -d)
trap 'rm -rf "$ROOT"' EXIT
mkdir "$ROOT/home" "$ROOT/tree"

# Between the two stages; what comes from another stage is not ours to copy.
sed -n '/ AS build$/,/^FROM \${PYTHON}$/p' "$DOCKERFILE" \
    | sed -n '/--from=/d; s/^COPY //p' \
    | while read -r -a words; do
        target=${words[-1]}
        unset 'words[-1]'
        cp -r "${words[@]}" "$ROOT/tree/$target"
    done
COMMAND=$(sed -n 's/^ *\(python requirements\/setup_env.py .*\)/\1/p' \
    "$DOCKERFILE")

cd "$ROOT/tree"
env -i PATH="$PATH" HOME="$ROOT/home" \
    ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} \
    bash -c "${COMMAND/#python/${PYTHON:-python3.11}}"
.venv/bin/mmdrloc doctor
