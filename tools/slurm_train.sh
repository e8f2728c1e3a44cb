#!/usr/bin/env bash
# Train on a Slurm cluster, on one or more machines.
#
#   bash tools/slurm_train.sh PARTITION JOB_NAME CONFIG WORK_DIR [flags]
#
# The flags are those of tools/train.py. GPUS (8), GPUS_PER_NODE (8) and
# CPUS_PER_TASK (5) may be set, and more options of srun in SRUN_ARGS.
set -euo pipefail

if [ $# -lt 4 ]; then
    echo "usage: bash tools/slurm_train.sh PARTITION JOB_NAME CONFIG" \
        "WORK_DIR [flags]" >&2
    exit 2
fi
TOOLS=$(dirname "$0")
GPUS=${GPUS:-8}
GPUS_PER_NODE=${GPUS_PER_NODE:-$((GPUS < 8 ? GPUS : 8))}

export PYTHONPATH="$TOOLS/..:${PYTHONPATH:-}"
# SRUN_ARGS is split into words on purpose.
# shellcheck disable=SC2086
exec srun --partition="$1" --job-name="$2" --ntasks="$GPUS" \
    --cpus-per-task="${CPUS_PER_TASK:-5}" --gres=gpu:"$GPUS_PER_NODE" \
    --ntasks-per-node="$GPUS_PER_NODE" ${SRUN_ARGS:-} --kill-on-bad-exit=1 \
    python -u "$TOOLS/train.py" "$3" --work-dir "$4" --launcher slurm "${@:5}"
