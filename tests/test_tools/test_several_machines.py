"""Two machines train as one; what happens when one of them vanishes."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
import several_processes
from several_processes import GLOBAL_BATCH
from tiny_run import write_config
from two_machines import (
    PATIENCE_S,
    TwoMachines,
    can_be_apart,
    free_port,
    said_by,
    wait_for,
)

pytestmark = pytest.mark.slow
LOSSES = ('loss', 'loss_cls', 'loss_drloc')
EPOCHS = 4
STEPS_AN_EPOCH = 3
# In the third epoch, between two checkpoints.
VANISHES_AFTER = 7
# The pairs of an image do not depend on the process that it is on.
CONFIG = f"""
_base_ = 'tiny.py'
custom_imports = dict(imports=['several_processes', 'two_machines'])
custom_hooks = [dict(type='mmdrloc.WaitingHook')]
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.SamePairsHead',
        source='stages.1',
        in_channels=16,
        hidden_channels=12))
log_processor = dict(window_size=1)
train_cfg = dict(max_epochs={EPOCHS})
"""


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    folder = tmp_path_factory.mktemp('machines')
    write_config(folder)
    (folder / 'deep.py').write_text(CONFIG)
    return folder / 'deep.py'


@pytest.fixture(scope='module')
def losses_of_one(config):
    """Of one process without a launcher, step after step."""
    work_dir = config.parent / 'one'
    several_processes.train(config, 1, EPOCHS, work_dir)
    return losses(work_dir)


@pytest.fixture(scope='module')
def machines(config):
    with TwoMachines(config.parent, can_be_apart()) as machines:
        yield machines


def losses(work_dir):
    """Of the last program that trained there, by the number of the step."""
    log = sorted(work_dir.glob('*/vis_data/scalars.json'))[-1]
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    return {
        entry['step']: [entry[name] for name in LOSSES]
        for entry in entries
        if 'lr' in entry
    }


def images(processes):
    """Options with which an update has as many images as ever."""
    return (
        '--cfg-options',
        f'train_dataloader.batch_size={GLOBAL_BATCH // processes}',
    )


def finish(*programs):
    for program in programs:
        assert program.wait(PATIENCE_S) == 0, said_by(program)


def assert_equal(work_dir, ours, theirs):
    for step, values in ours.items():
        assert values == pytest.approx(theirs[step], abs=1e-5), step
    result = json.loads((work_dir / 'result.json').read_text())
    assert result['finished'] and result['global_batch'] == GLOBAL_BATCH


def test_two_are_one(machines, config, losses_of_one):
    work_dir = config.parent / 'two'
    finish(*machines.train(config, 1, '--work-dir', work_dir.name, *images(2)))
    ours = losses(work_dir)
    assert len(ours) == EPOCHS * STEPS_AN_EPOCH
    assert_equal(work_dir, ours, losses_of_one)


@pytest.mark.parametrize('how', ['link', 'first', 'second'])
def test_one_vanishes(machines, config, losses_of_one, how):
    """The other one ends in a minute; both come back, twice as many."""
    if how == 'link' and not machines.apart:
        pytest.skip('this user may make no networks: `ip netns add` failed')
    work_dir = config.parent / how
    flags = ('--work-dir', work_dir.name)
    programs = machines.train(
        *(config, 1, *flags, *images(2)), TEST_WAIT_AFTER=VANISHES_AFTER
    )
    reached = [work_dir / f'reached_{rank}' for rank in range(2)]
    for path in reached:
        wait_for(path, *programs)
    left = list(programs)
    if how == 'link':
        machines.set_link('down')
    else:
        gone = left.pop(0 if how == 'first' else 1)
        os.killpg(gone.pid, signal.SIGKILL)
        worker = reached[programs.index(gone)]
        os.kill(int(worker.read_text()), signal.SIGKILL)
        gone.wait()
    (work_dir / 'go').touch()
    for program in left:
        try:
            assert program.wait(60) == 1
        except subprocess.TimeoutExpired:
            pytest.fail(f'still there: {said_by(program)}')
        said = said_by(program)
        assert 'is gone or cannot be reached' in said
        assert '--resume goes on from it' in said
        assert 'Traceback' not in said
    if how == 'link':
        machines.set_link('up')
    for path in reached:  # nor does any process stay behind
        assert not lives(path.read_text())
    finish(*machines.train(config, 2, *flags, '--resume', *images(4)))
    ours = losses(work_dir)
    # From the checkpoint of the last whole epoch.
    begun = VANISHES_AFTER // STEPS_AN_EPOCH * STEPS_AN_EPOCH
    assert sorted(ours) == [*range(begun + 1, EPOCHS * STEPS_AN_EPOCH + 1)]
    assert_equal(work_dir, ours, losses_of_one)


def lives(pid):
    """Whether a process has not ended; who ended may wait to be collected."""
    try:
        stat = Path(f'/proc/{pid}/stat').read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(')')[2].split()[0] != 'Z'


# A batch system of one machine.
SLURM = dict(
    sbatch="""
cat > job.sh
export SLURM_JOB_ID=7
touch requeued
while [ -e requeued ]; do
    rm requeued
    bash job.sh &
    echo $! > job.tmp
    mv job.tmp job
    wait $!
done
""",
    scontrol="""
case "$*" in
    'requeue 7') touch requeued ;;
    'show hostnames here') echo 127.0.0.1 ;;
esac
""",
    srun="""
while [[ $1 == --* ]]; do
    [[ $1 == --ntasks=* ]] && tasks=${1#*=}
    shift
done
export SLURM_NTASKS=$tasks SLURM_NODELIST=here
started=()
for ((i = 0; i < tasks; i++)); do
    SLURM_PROCID=$i SLURM_LOCALID=$i "$@" &
    started+=($!)
done
trap 'kill -USR1 "${started[@]}"' USR1
worst=0
for task in "${started[@]}"; do
    while wait $task && status=0 || status=$?; kill -0 $task; do :; done
    ((status > worst)) && worst=$status
done 2>/dev/null
exit $worst
""",
)


def test_a_job_short_of_time_comes_again(machines, config, losses_of_one):
    work_dir = config.parent / 'slurm'
    for name, body in SLURM.items():
        path = config.parent / name
        path.write_text(f'#!/usr/bin/env bash\n{body}')
        path.chmod(0o755)
    program = machines.start(
        *('slurm_train.sh', 'partition', 'job', config, work_dir.name),
        *images(2),
        TEST_WAIT_AFTER=VANISHES_AFTER,
        REQUEUE=60,
        GPUS=2,
        GPUS_PER_NODE=0,
        MASTER_PORT=free_port(),
    )
    for rank in range(2):
        wait_for(work_dir / f'reached_{rank}', program)
    os.kill(int((config.parent / 'job').read_text()), signal.SIGUSR1)
    wait_for(program.said, program, words='ends after this step')
    (work_dir / 'go').touch()
    finish(program)
    assert f'after iteration {VANISHES_AFTER + 1}, saved' in said_by(program)
    ours = losses(work_dir)
    assert sorted(ours) == [
        *range(VANISHES_AFTER + 2, EPOCHS * STEPS_AN_EPOCH + 1)
    ]
    assert_equal(work_dir, ours, losses_of_one)


def test_a_process_that_dies_is_started_anew(machines, config, losses_of_one):
    work_dir = config.parent / 'anew'
    program = machines.start(
        *('dist_train.sh', config, 2, '--work-dir', work_dir.name),
        *images(2),
        TEST_WAIT_AFTER=VANISHES_AFTER,
        MAX_RESTARTS=1,
    )
    reached = [work_dir / f'reached_{rank}' for rank in range(2)]
    for path in reached:
        wait_for(path, program)
    (work_dir / 'go').touch()
    os.kill(int(reached[1].read_text()), signal.SIGKILL)
    finish(program)
    begun = VANISHES_AFTER // STEPS_AN_EPOCH * STEPS_AN_EPOCH
    ours = losses(work_dir)
    assert sorted(ours) == [*range(begun + 1, EPOCHS * STEPS_AN_EPOCH + 1)]
    assert_equal(work_dir, ours, losses_of_one)
