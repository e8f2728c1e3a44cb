"""Promise 2: a killed training goes on to the same weights, bit by bit.

By the same command: no flag, no question.
"""

import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest
import torch

LINE = ('killed.py', '--work-dir', 'w')
LAST = Path('w/epoch_3.pth')
# Everything that draws: crops, flips, colours, drop path, Mixup, pairs.
RECIPE = """
_base_ = './classifier_drloc.py'
model = dict(train_cfg=dict(augments=[dict(type='Mixup', alpha=0.8)]))
train_cfg = dict(by_epoch=True, max_epochs=3)
param_scheduler = [dict(type='CosineAnnealingLR', T_max=3)]
custom_hooks = [dict(type='EMAHook', momentum=0.1)]
"""


@pytest.fixture
def recipe(folder):
    """A training of nine updates in three epochs."""
    (folder / 'killed.py').write_text(RECIPE)
    return folder


@pytest.fixture(scope='module')
def whole():
    """What it comes to if nobody disturbs it, and how often it writes."""
    kept = {}

    def keep(tool):
        if not kept:
            tool('train.py', *LINE, first=count_events).succeeds()
            kept['state'] = torch.load(LAST, weights_only=False)
            kept['events'] = int(Path('events.txt').read_text())
            shutil.rmtree('w')
        return kept

    return keep


def count_events():
    """Note how many times the process touches its work folder."""
    watch(lambda number: Path('events.txt').write_text(str(number)))


def watch(each):
    """Call something before each change in the work folder."""
    number = 0
    busy = False

    def hear(event, arguments):
        nonlocal number, busy
        if busy or event not in CHANGES or not of_run(event, arguments):
            return
        busy = True
        number += 1
        each(number)
        busy = False

    sys.addaudithook(hear)


CHANGES = {'open', 'os.rename', 'os.remove', 'os.mkdir', 'os.truncate'}


def of_run(event, arguments):
    if event == 'open' and 'r' in str(arguments[1] or 'r'):
        return False
    parts = Path(str(arguments[0])).parts
    return 'w' in parts or str(arguments[0]) == 'w'


def kill_at(number):
    """Kill this process before it changes its folder so many times."""

    def kill(count):
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return lambda: watch(kill)


def assert_same(expected):
    """The weights, their average, the optimizer's state and the rates."""
    found = torch.load(LAST, weights_only=False)
    for name in ('state_dict', 'ema_state_dict', 'optimizer'):
        assert_equal(found[name], expected[name])
    result = json.loads(Path('w/result.json').read_text())
    assert result['finished']
    assert [v['epoch'] for v in result['validations']] == [1, 2, 3]


def assert_equal(one, other):
    if isinstance(one, torch.Tensor):
        assert torch.equal(one, other)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_equal(one[key], other[key])
    elif isinstance(one, (list, tuple)):
        for item, its_twin in zip(one, other, strict=True):
            assert_equal(item, its_twin)
    else:
        assert one == other


def test_killed_at_many_moments(tool, recipe, whole):
    """One training, killed again and again while it writes."""
    kept = whole(tool)
    chance = random.Random(0)
    moments = [1, *(chance.randint(2, kept['events']) for _ in range(7))]
    for number in moments:
        outcome = tool('train.py', *LINE, first=kill_at(number))
        assert 'Traceback' not in outcome.said
        if outcome.status == 0:
            break
        assert outcome.status == -signal.SIGKILL, outcome.said
    if outcome.status:
        tool('train.py', *LINE).succeeds()
    assert_same(kept['state'])


def read_slowly():
    """From the second epoch on, so that somebody can end it there."""

    def hear(event, arguments):
        if event == 'open' and 'insects/train' in str(arguments[0]):
            time.sleep(0.3 * Path('w/epoch_1.pth').exists())

    sys.addaudithook(hear)


@pytest.mark.parametrize('name', ['SIGTERM', 'SIGINT', 'SIGKILL'])
def test_ended_by_a_signal(tool, begin, recipe, whole, name):
    """In the middle of an epoch, after the first one."""
    kept = whole(tool)
    process = begin('train.py', *LINE, first=read_slowly)
    until(lambda: Path('w/epoch_1.pth').exists(), process)
    time.sleep(0.5)
    os.kill(process.pid, getattr(signal, name))
    process.join(60)
    said = Path('said.txt').read_text()
    assert process.exitcode not in (0, 1, None), said
    assert 'Traceback' not in said
    tool('train.py', *LINE).succeeds()
    assert_same(kept['state'])


def until(done, process, patience=60):
    end = time.monotonic() + patience
    while not done():
        assert process.is_alive(), Path('said.txt').read_text()
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_finished_run_stays(tool, folder, run):
    """Nothing overwrites it but --overwrite, and that only if it can."""
    line = ('classifier_drloc.py', '--work-dir', 'run')
    weights = (folder / 'run/epoch_1.pth').read_bytes()
    assert 'mmdrloc test' in tool('train.py', *line).succeeds()
    assert (folder / 'run/epoch_1.pth').read_bytes() == weights
    wrong = ('--cfg-options', 'model.head.num_classes=2')
    assert tool('train.py', *line, '--overwrite', *wrong).status == 1
    assert (folder / 'run/epoch_1.pth').read_bytes() == weights
    other = ('--cfg-options', 'randomness.seed=1')
    tool('train.py', *line, '--overwrite', *other).succeeds()
    assert (folder / 'run/epoch_1.pth').read_bytes() != weights


def test_another_run_is_refused(tool, run):
    tool('train.py', 'classifier.py', '--work-dir', 'run').refuses('run')


def test_a_check_leaves_nothing(tool, recipe):
    """And takes nothing from the run that is there."""
    assert tool('train.py', *LINE, '--check').status == 0
    assert not Path('w').exists()
