#!/usr/bin/env bash
# Evaluate a checkpoint on several processes of one or more machines.
#
#   bash tools/dist_test.sh CONFIG CHECKPOINT PROCESSES [flags of tools/test.py]
#
# PROCESSES is the number of GPUs of this machine, or of CPU processes where
# there is none. On several machines set NNODES, NODE_RANK, MASTER_ADDR and
# PORT, the same PORT everywhere.
set -euo pipefail

if [ $# -lt 3 ]; then
    echo "usage: bash tools/dist_test.sh CONFIG CHECKPOINT PROCESSES" \
        "[flags]" >&2
    exit 2
fi
CONFIG=$1
CHECKPOINT=$2
PROCESSES=$3
TOOLS=$(dirname "$0")

if [ -z "${PORT:-}" ] && [ "${NNODES:-1}" = 1 ]; then
    RENDEZVOUS=(--standalone)  # takes a free port
else
    RENDEZVOUS=(--nnodes="${NNODES:-1}" --node_rank="${NODE_RANK:-0}"
                --master_addr="${MASTER_ADDR:-127.0.0.1}"
                --master_port="${PORT:-29500}")
fi

# More than one thread a process is slower where processes share the cores.
OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} \
PYTHONPATH="$TOOLS/..:${PYTHONPATH:-}" \
python -m torch.distributed.run "${RENDEZVOUS[@]}" \
    --nproc_per_node="$PROCESSES" \
    "$TOOLS/test.py" "$CONFIG" "$CHECKPOINT" --launcher pytorch "${@:4}"
