#!/usr/bin/env bash
# Run a tool on several processes of one or more machines: what dist_train.sh
# and dist_test.sh share.
#
#   bash tools/dist_run.sh TOOL PROCESSES [arguments of the tool]
#
# PROCESSES is the number of GPUs of this machine, or of CPU processes where
# there is none. On several machines set NNODES, NODE_RANK, MASTER_ADDR and
# PORT, the same PORT everywhere, and a work folder that all of them see.
# MAX_RESTARTS (0) is how often the processes of one machine are started anew
# where one of them dies; a training goes on from its last checkpoint.
set -euo pipefail

TOOLS=$(dirname "$0")

if [ -z "${PORT:-}" ] && [ "${NNODES:-1}" = 1 ]; then
    RENDEZVOUS=(--standalone)  # takes a free port
    # Or processes that are started anew find addresses of those that died.
    export TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1
elif [ "${MAX_RESTARTS:-0}" != 0 ]; then
    echo "error: MAX_RESTARTS is for one machine, without PORT: on several," \
        "start them again" >&2
    exit 2
else
    RENDEZVOUS=(--nnodes="${NNODES:-1}" --node_rank="${NODE_RANK:-0}"
                --master_addr="${MASTER_ADDR:-127.0.0.1}"
                --master_port="${PORT:-29500}")
fi

# More than one thread a process is slower where processes share the cores.
OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} \
PYTHONPATH="$TOOLS/..:${PYTHONPATH:-}" \
exec python "$TOOLS/dist_run.py" "${RENDEZVOUS[@]}" \
    --max-restarts="${MAX_RESTARTS:-0}" --nproc_per_node="$2" \
    "$TOOLS/$1" "${@:3}" --launcher pytorch
