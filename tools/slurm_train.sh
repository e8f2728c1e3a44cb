#!/usr/bin/env bash
# Train on a Slurm cluster, on one or more machines.
#
#   bash tools/slurm_train.sh PARTITION JOB_NAME CONFIG WORK_DIR [flags]
#
# The flags are those of tools/train.py. GPUS (8), GPUS_PER_NODE (8) and
# CPUS_PER_TASK (5) may be set, and more options of srun in SRUN_ARGS.
#
# REQUEUE=SECONDS submits a batch job in place of waiting for it: so long
# before its time is over the training ends with a checkpoint, the job goes
# back into the queue, and the training goes on in its next turn, until it is
# finished. SRUN_ARGS are then options of sbatch too.
set -euo pipefail

if [ $# -lt 4 ]; then
    echo "usage: bash tools/slurm_train.sh PARTITION JOB_NAME CONFIG" \
        "WORK_DIR [flags]" >&2
    exit 2
fi
TOOLS=$(dirname "$0")
GPUS=${GPUS:-8}
GPUS_PER_NODE=${GPUS_PER_NODE:-$((GPUS < 8 ? GPUS : 8))}
ASKED=(--partition="$1" --job-name="$2" --ntasks="$GPUS"
       --cpus-per-task="${CPUS_PER_TASK:-5}"
       --gres=gpu:"$GPUS_PER_NODE" --ntasks-per-node="$GPUS_PER_NODE")
# They are split into words on purpose.
# shellcheck disable=SC2206
ASKED+=(${SRUN_ARGS:-})

if [ -n "${REQUEUE:-}" ] && [ -z "${SLURM_JOB_ID:-}" ]; then
    mkdir -p "$4"
    exec sbatch "${ASKED[@]}" --requeue --signal="B:USR1@$REQUEUE" \
        --open-mode=append --output="$4/slurm-%j.log" <<EOF
#!/usr/bin/env bash
exec bash $(printf '%q ' "$0" "$@")
EOF
fi

export PYTHONPATH="$TOOLS/..:${PYTHONPATH:-}"
TRAIN=(srun "${ASKED[@]}" --kill-on-bad-exit=1
       python -u "$TOOLS/train.py" "$3" --work-dir "$4" --launcher slurm
       "${@:5}")
if [ -z "${REQUEUE:-}" ]; then
    exec "${TRAIN[@]}"
fi
"${TRAIN[@]}" &
short=0
trap 'short=1; kill -USR1 $!' USR1  # srun passes it on
status=0
# A signal ends the wait, not what is waited for.
while wait $! && status=0 || status=$?; kill -0 $! 2>/dev/null; do :; done
if [ "$short" = 1 ] && [ "$status" != 0 ]; then
    exec scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
