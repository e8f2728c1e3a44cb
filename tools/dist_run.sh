#!/usr/bin/env bash
# Run a tool on several processes: the shared part of dist_train.sh and
# dist_test.sh.
#
#   bash tools/dist_run.sh TOOL PROCESSES [arguments of the tool]
#
# PROCESSES is the number of GPUs of this machine, or of CPU processes where
# there is none. For several machines, set NNODES, NODE_RANK, MASTER_ADDR and
# PORT on each of them (the same PORT), and use a work directory that all see.
set -euo pipefail

TOOLS=$(dirname "$0")

if ! [[ "${2:-}" =~ ^[1-9][0-9]*$ ]]; then
    echo "error: PROCESSES is a number from 1, and not ${2:-none}: bash" \
        "tools/dist_train.sh CONFIG PROCESSES [flags], or" \
        "tools/dist_test.sh CONFIG CHECKPOINT PROCESSES [flags]" >&2
    exit 2
fi

if [ -z "${PORT:-}" ] && [ "${NNODES:-1}" = 1 ]; then
    RENDEZVOUS=(--standalone)  # takes a free port
else
    RENDEZVOUS=(--nnodes="${NNODES:-1}" --node_rank="${NODE_RANK:-0}"
                --master_addr="${MASTER_ADDR:-127.0.0.1}"
                --master_port="${PORT:-29500}")
fi

# More than one thread per process is slower where processes share the cores.
OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} \
PYTHONPATH="$TOOLS/..:${PYTHONPATH:-}" \
exec python "$TOOLS/dist_run.py" "${RENDEZVOUS[@]}" --nproc_per_node="$2" \
    "$TOOLS/$1" "${@:3}" --launcher pytorch
