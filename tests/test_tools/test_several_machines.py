"""Two machines train as one; what happens when one of them vanishes."""

import json

import pytest
import several_processes
from several_processes import GLOBAL_BATCH, assert_close
from tiny_run import write_config
from two_machines import PATIENCE_S, TwoMachines

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
    """The work directory of one process without a launcher."""
    work_dir = config.parent / 'one'
    several_processes.train(config, 1, work_dir)
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
        assert program.wait(PATIENCE_S) == 0, program.output()


def assert_equal(work_dir, other):
    """The same weights, of as many images an update."""
    last = f'epoch_{EPOCHS}.pth'
    assert_close(work_dir / last, other / last)
    result = json.loads((work_dir / 'result.json').read_text())
    assert result['finished'] and result['global_batch'] == GLOBAL_BATCH


@pytest.mark.parametrize('how', ['first', 'second'])
def test_one_vanishes(machines, config, one, how):
    """The other one ends; both come back, twice as many."""
    work_dir = config.parent / how
    flags = ('--work-dir', work_dir.name)
    programs = machines.train(
        *(config, 1, *flags, *images(2)), TEST_WAIT_AFTER=VANISHES_AFTER
    )
    reached = [work_dir / f'reached_{rank}' for rank in range(2)]
    for path, program in zip(reached, programs):
        program.wait_for(path.exists)
    left = list(programs)
    left.pop(0 if how == 'first' else 1).kill()
    (work_dir / 'go').touch()
    for program in left:
        assert program.wait(3 * TIMEOUT_S) != 0, program.output()
        # Nor does any process stay behind.
        assert not program.left_behind()
    finish(*machines.train(config, 2, *flags, '--resume', *images(4)))
    assert_equal(work_dir, one)
