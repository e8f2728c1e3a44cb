#!/usr/bin/env bash
# Everything worth knowing of a machine with a GPU, in one call.
#
#   bash tools/gpu_page.sh MINUTES FOLDER
#
# 1. The benchmark: a step with and without the loss (the supplement's Table 14,
#    with the paper's 128 images a GPU), the loss alone, the data, the options.
# 2. The evidence at 32 pixels (docs/when_it_helps.md): signed offsets, as in
#    the paper, and the placebo beside the plain ViT, with as many seeds as fit.
# 3. Swin-T and its DRLoc twin on CIFAR-10 (main paper, Table 4), for as many of
#    the 100 epochs as the time allows.
#
# All findings lie in FOLDER from the moment they are known. Called again with
# the same FOLDER it goes on where it stopped: what was measured is not measured
# again, and the trainings, in work_dirs/gpu_page, are resumed. So three calls
# of ten minutes do what one of thirty does.
#
# Needs the photos of CIFAR-10 in data/cifar10_photos/{train,test}/<class>.
# PYTHON (python) may name another interpreter, BATCH (256) other images an
# iteration of Swin-T: a divisor of the 1,024 an update. REHEARSAL=1 goes through
# everything on the CPU with tiny batches: its figures mean nothing.
#
# Not run on a GPU yet.
set -uo pipefail

if [ $# -ne 2 ] || ! [[ $1 =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: bash tools/gpu_page.sh MINUTES FOLDER" >&2
    exit 2
fi
TOOLS=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
OUT=$(cd "$2" && pwd)
cd "$TOOLS/.." || exit 1
PYTHON=${PYTHON:-python}
REHEARSAL=${REHEARSAL:-}
RUNS=work_dirs/gpu_page${REHEARSAL:+_rehearsal}
TWINS=(swin-tiny swin-tiny_drloc)
TOTAL=$((60 * $1))
END=$((SECONDS + TOTAL))
# Small networks wait for the host: several side by side fill a GPU.
CORES=$(env -u OMP_NUM_THREADS nproc)
JOBS=$((CORES > 8 ? 8 : CORES))
BATCH=${BATCH:-256}
UPDATE=1024
BENCHMARK=(--amp --batch-size 128)
ROUNDS=(--rounds 10)
SEEDS=(0 1 2 3 4 5 6 7 8 9)
EVIDENCE=()
if [ -n "$REHEARSAL" ]; then
    BATCH=2
    UPDATE=2 # a training ends after an update
    BENCHMARK=(--batch-size 2)
    ROUNDS=(--rounds 1)
    SEEDS=(0 1)
    EVIDENCE=(--cfg-options train_cfg.max_iters=210 train_cfg.val_interval=210)
elif ! "$PYTHON" -c 'import torch; assert torch.cuda.is_available()'; then
    echo "error: PyTorch sees no GPU here (PYTHON=$PYTHON)" >&2
    exit 1
fi
if [ ! -d data/cifar10_photos/train ]; then
    echo "error: data/cifar10_photos/train is missing: configs/mae/README.md" \
        "says how to make it of CIFAR-10's archives" >&2
    exit 1
fi

# Told to end, all of it ends: a training with a checkpoint.
trap 'kill $RUNNING 2>/dev/null; wait $RUNNING; exit 130' INT TERM
RUNNING=

# part NAME SECONDS COMMAND...: what it says goes to FOLDER/NAME.log. A part
# that fails or runs out of time does not keep the others from running.
part() {
    local name=$1 limit=$2 status
    shift 2
    if [ "$limit" -gt $((END - SECONDS)) ]; then
        limit=$((END - SECONDS))
    fi
    if [ "$limit" -le 0 ]; then # no limit at all, for timeout
        echo "$name: no time left"
        return
    fi
    echo "$name: at most $limit s"
    timeout --foreground --kill-after=60 "$limit" "$@" >"$OUT/$name.log" 2>&1 &
    RUNNING=$!
    wait $RUNNING
    status=$?
    echo "$name: exit status $status (124: out of time)" | tee -a "$OUT/parts.log"
}

benchmark() {
    local mode=$1 limit=$2
    shift 2
    if [ -e "$OUT/$mode.json" ]; then
        echo "benchmark_$mode: done already"
        return
    fi
    part "benchmark_$mode" "$limit" "$PYTHON" \
        tools/analysis_tools/benchmark.py "$mode" --out "$OUT" "${ROUNDS[@]}" "$@"
}

# Copies of what the trainings have found so far.
collect() {
    local twin file
    for twin in "${TWINS[@]}"; do
        cp "$RUNS/$twin/result.json" "$OUT/$twin.json"
        for file in "$RUNS/$twin"/*/vis_data/scalars.json; do
            cat "$file"
        done >"$OUT/$twin.scalars.jsonl"
    done 2>/dev/null
}

benchmark step $((TOTAL / 8)) "${BENCHMARK[@]}"
benchmark branch $((TOTAL / 10)) "${BENCHMARK[@]}"

arms=()
for arm in signed placebo; do
    arms+=("configs/evidence/vit-4layers_drloc-$arm.py")
done
part evidence $(((END - SECONDS) / 3)) \
    "$PYTHON" tools/paired.py "${arms[@]}" configs/evidence/vit-4layers_drloc.py \
    --seeds "${SEEDS[@]}" --jobs "$JOBS" --work-dir "$RUNS/evidence" "${EVIDENCE[@]}"
finished=$(grep -l '"finished": true' "$RUNS"/evidence/*_seed*/result.json)
# shellcheck disable=SC2086
part evidence_report 60 \
    "$PYTHON" tools/report.py ${finished//\/result.json/} --out "$OUT/evidence.json"

benchmark data $((TOTAL / 20))
benchmark options $((TOTAL / 8)) "${BENCHMARK[@]}" # it compiles

(while sleep 30; do collect; done) >/dev/null 2>&1 &
COLLECTOR=$!
trap 'kill $COLLECTOR; collect' EXIT

left=${#TWINS[@]}
for twin in "${TWINS[@]}"; do
    go_on=()
    [ -e "$RUNS/$twin/result.json" ] && go_on=(--overwrite)
    [ -e "$RUNS/$twin/last_checkpoint" ] && go_on=(--resume)
    part "train_$twin" $(((END - SECONDS) / left)) \
        "$PYTHON" tools/train.py "configs/scratch_100e/$twin.py" \
        --dataset cifar10_photos --work-dir "$RUNS/$twin" --amp \
        "${go_on[@]}" --cfg-options train_dataloader.batch_size="$BATCH" \
        optim_wrapper.accumulative_counts=$((UPDATE / BATCH))
    left=$((left - 1))
done
