"""Two machines train as one; what happens when one of them vanishes."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
import several_processes
import torch
from several_processes import GLOBAL_BATCH
from tiny_run import write_config
from two_machines import (
    PATIENCE_S,
    TwoMachines,
    said_by,
    wait_for,
)

from mmdrloc.checkpoints.saved import last_checkpoint

pytestmark = pytest.mark.slow
EPOCHS = 4
# How long a process waits for another one.
TIMEOUT_S = 20
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
env_cfg = dict(dist_cfg=dict(timeout={TIMEOUT_S}))
train_cfg = dict(max_epochs={EPOCHS})
"""


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    folder = tmp_path_factory.mktemp('machines')
    write_config(folder)
    (folder / 'deep.py').write_text(CONFIG)
    return folder / 'deep.py'


@pytest.fixture(scope='module')
def one(config):
    """The work folder of one process without a launcher."""
    work_dir = config.parent / 'one'
    several_processes.train(config, 1, EPOCHS, work_dir)
    return work_dir


@pytest.fixture(scope='module')
def machines(config):
    with TwoMachines(config.parent) as machines:
        yield machines


def images(processes):
    """Options with which an update has as many images as ever."""
    return (
        '--cfg-options',
        f'train_dataloader.batch_size={GLOBAL_BATCH // processes}',
    )


def finish(*programs):
    for program in programs:
        assert program.wait(PATIENCE_S) == 0, said_by(program)


def assert_equal(work_dir, other):
    """The same weights, but for the order of sums."""
    weights = [
        torch.load(folder / f'epoch_{EPOCHS}.pth', weights_only=False)
        for folder in (work_dir, other)
    ]
    for name, tensor in weights[0]['state_dict'].items():
        theirs = weights[1]['state_dict'][name]
        torch.testing.assert_close(tensor, theirs, atol=1e-5, rtol=1e-4)
    result = json.loads((work_dir / 'result.json').read_text())
    assert result['finished'] and result['global_batch'] == GLOBAL_BATCH


def test_two_are_one(machines, config, one):
    work_dir = config.parent / 'two'
    finish(*machines.train(config, 1, '--work-dir', work_dir.name, *images(2)))
    assert_equal(work_dir, one)


@pytest.mark.parametrize('how', ['first', 'second'])
def test_one_vanishes(machines, config, one, how):
    """The other one ends; both come back, twice as many."""
    work_dir = config.parent / how
    flags = ('--work-dir', work_dir.name)
    programs = machines.train(
        *(config, 1, *flags, *images(2)), TEST_WAIT_AFTER=VANISHES_AFTER
    )
    reached = [work_dir / f'reached_{rank}' for rank in range(2)]
    for path in reached:
        wait_for(path, *programs)
    left = list(programs)
    gone = left.pop(0 if how == 'first' else 1)
    os.killpg(gone.pid, signal.SIGKILL)
    worker = reached[programs.index(gone)]
    os.kill(int(worker.read_text()), signal.SIGKILL)
    gone.wait()
    (work_dir / 'go').touch()
    for program in left:
        try:
            assert program.wait(3 * TIMEOUT_S) != 0
        except subprocess.TimeoutExpired:
            pytest.fail(f'still there: {said_by(program)}')
    for path in reached:  # nor does any process stay behind
        assert not lives(path.read_text())
    finish(*machines.train(config, 2, *flags, '--resume', *images(4)))
    assert_equal(work_dir, one)


def lives(pid):
    """Whether a process has not ended; who ended may wait to be collected."""
    try:
        stat = Path(f'/proc/{pid}/stat').read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(')')[2].split()[0] != 'Z'


@pytest.mark.parametrize('rank', [0, 1])
def test_a_process_is_killed(machines, config, rank):
    """The other one ends with a sentence, and a checkpoint is kept."""
    work_dir = config.parent / f'killed_{rank}'
    line = ('dist_train.sh', config, 2, '--work-dir', work_dir.name)
    program = machines.start(*line, TEST_WAIT_AFTER=VANISHES_AFTER)
    reached = [work_dir / f'reached_{n}' for n in range(2)]
    for path in reached:
        wait_for(path, program)
    os.kill(int(reached[rank].read_text()), signal.SIGKILL)
    (work_dir / 'go').touch()
    assert program.wait(PATIENCE_S) == 128 + signal.SIGKILL
    said = said_by(program)
    assert f'process {rank} was ended by SIGKILL' in said
    assert 'Traceback' not in said
    assert last_checkpoint(work_dir)
    assert not any(lives(path.read_text()) for path in reached)
