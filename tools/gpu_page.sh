#!/usr/bin/env bash
# Everything worth knowing of a machine with a GPU, in one call: the benchmark,
# then Swin-T and its DRLoc twin on CIFAR-10 (main paper, Table 4), for as many
# of the 100 epochs as the time allows.
#
#   bash tools/gpu_page.sh MINUTES FOLDER
#
# Written without a GPU and not run on one yet.
#
# A quarter of the time goes to the benchmark, the rest to the twins in equal
# parts. All findings lie in FOLDER from the moment they are known, so being
# cut off loses no more than half a minute's. Checkpoints lie in
# work_dirs/gpu_page: called again, the trainings go on. BATCH (256) images
# enter an iteration, 1,024 an update, whatever BATCH is of its divisors.
# PYTHON (python) may name another interpreter.
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
BATCH=${BATCH:-256}
RUNS=work_dirs/gpu_page
TWINS=(swin-tiny swin-tiny_drloc)
END=$((SECONDS + 60 * $1))

if ! "$PYTHON" -c 'import torch; assert torch.cuda.is_available()'; then
    echo "error: PyTorch sees no GPU here (PYTHON=$PYTHON)" >&2
    exit 1
fi
if [ ! -d data/cifar10 ]; then
    echo "error: data/cifar10 is missing: $PYTHON" \
        "tools/dataset_converters/prepare.py cifar10" >&2
    exit 1
fi

# part NAME SECONDS COMMAND...: what it says goes to FOLDER/NAME.log. A part
# that fails or runs out of time does not keep the others from running.
part() {
    local name=$1 limit=$2 status
    shift 2
    if [ "$limit" -le 0 ]; then  # no limit at all, for timeout
        echo "$name: no time left"
        return
    fi
    echo "$name: at most $limit s"
    timeout --kill-after=20 "$limit" "$@" >"$OUT/$name.log" 2>&1
    status=$?
    echo "$name: exit status $status (124: out of time)" | tee -a "$OUT/parts.log"
}

collect() {
    local twin file
    for twin in "${TWINS[@]}"; do
        cp "$RUNS/$twin/result.json" "$OUT/$twin.json"
        for file in "$RUNS/$twin"/*/vis_data/scalars.json; do
            cat "$file"
        done >"$OUT/$twin.scalars.jsonl"
    done 2>/dev/null
}

for mode in branch step data options; do
    options=(--amp --batch-size 128)
    share=20
    case $mode in
        data) options=() ;;
        options) share=10 ;; # it compiles
    esac
    part "benchmark_$mode" $((60 * $1 / share)) \
        "$PYTHON" tools/analysis_tools/benchmark.py "$mode" \
        --out "$OUT" "${options[@]}"
done

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
        --dataset cifar10 --work-dir "$RUNS/$twin" --amp "${go_on[@]}" --cfg-options \
        train_dataloader.batch_size="$BATCH" \
        optim_wrapper.accumulative_counts=$((1024 / BATCH))
    left=$((left - 1))
done
