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
from interrupted import assert_equal

LINE = ('killed.py', '--work-dir', 'w')
LAST = Path('w/epoch_3.pth')
# Everything that draws: crops, flips, colours, drop path, Mixup, pairs.
RECIPE = """
_base_ = './classifier_drloc.py'
model = dict(train_cfg=dict(augments=[dict(type='Mixup', alpha=0.8)]))
train_cfg = dict(by_epoch=True, max_epochs=3)
param_scheduler = [dict(type='CosineAnnealingLR', T_max=3)]
custom_hooks = [dict(type='EMAHook', momentum=0.1)]
load_from = None
resume = False
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
    """Note how many times the process touches its work directory."""
    watch(lambda number: Path('events.txt').write_text(str(number)))


def watch(each):
    """Call something before each change in the work directory."""
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


def kill_in_the_second_epoch(first_checkpoint):
    """Kill this process when it reads images and that file is there."""

    def hear(event, arguments):
        if event == 'open' and 'insects/train' in str(arguments[0]):
            if Path(first_checkpoint).exists():
                os.kill(os.getpid(), signal.SIGKILL)

    return lambda: sys.addaudithook(hear)


def assert_same(expected, last=LAST):
    """The weights, their average, the optimizer's state and the rates."""
    found = torch.load(last, weights_only=False)
    for name in ('state_dict', 'ema_state_dict', 'optimizer'):
        assert_equal(found[name], expected[name])
    result = json.loads(Path('w/result.json').read_text())
    assert result['finished']
    assert [v['epoch'] for v in result['validations']] == [1, 2, 3]


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
    assert 'test.py run\n' in tool('train.py', *line).succeeds()
    assert (folder / 'run/epoch_1.pth').read_bytes() == weights
    wrong = ('--cfg-options', 'model.head.num_classes=2')
    assert tool('train.py', *line, '--overwrite', *wrong).status == 1
    assert (folder / 'run/epoch_1.pth').read_bytes() == weights
    other = ('--cfg-options', 'randomness.seed=1')
    tool('train.py', *line, '--overwrite', *other).succeeds()
    assert (folder / 'run/epoch_1.pth').read_bytes() != weights


OPTIONS = {
    'out_dir=ckpts': ('ckpts/w/epoch_1.pth', 'ckpts/w/epoch_3.pth'),
    'filename_tmpl=step-{}.pth': ('w/step-1.pth', 'w/step-3.pth'),
    'max_keep_ckpts=1': ('w/epoch_1.pth', 'w/epoch_3.pth'),
}


@pytest.mark.parametrize('option', OPTIONS)
def test_checkpoints_elsewhere_and_otherwise_called(
    tool, recipe, whole, option
):
    kept = whole(tool)
    line = (*LINE, '--cfg-options', f'default_hooks.checkpoint.{option}')
    first, last = OPTIONS[option]
    kill = kill_in_the_second_epoch(first)
    assert tool('train.py', *line, first=kill).status == -signal.SIGKILL
    said = tool('train.py', *line).succeeds()
    assert 'from iteration 3' in said and last in said
    assert_same(kept['state'], last)
    assert 'finished' in tool('train.py', *line).succeeds()


def test_with_workers(tool, recipe, whole):
    kept = whole(tool)
    line = (*LINE, '--cfg-options', 'train_dataloader.num_workers=2')
    line += ('val_dataloader.num_workers=2',)
    for moment in (2, kept['events'] // 2):
        outcome = tool('train.py', *line, first=kill_at(moment))
        assert outcome.status == -signal.SIGKILL, outcome.said
    tool('train.py', *line).succeeds()
    assert_same(kept['state'])


def test_a_checkpoint_of_ones_choice_counts_once(tool, recipe, whole):
    """The same command goes on from there, and then is finished."""
    kept = whole(tool)
    tool('train.py', *LINE).succeeds()
    line = ('killed.py', '--work-dir', 'b', '--resume', 'w/epoch_2.pth')
    longer = ('--cfg-options', 'train_cfg.max_epochs=4')
    kill = kill_in_the_second_epoch('b/epoch_3.pth')
    outcome = tool('train.py', *line, *longer, first=kill)
    assert outcome.status == -signal.SIGKILL
    assert 'from iteration 9' in tool('train.py', *line, *longer).succeeds()
    assert_same_weights('b/epoch_3.pth', kept['state'])
    again = tool('train.py', *line, *longer)
    assert 'finished' in again.succeeds()
    weights = Path('b/epoch_4.pth')
    assert again.after[weights.absolute()] == weights.read_bytes()
    # Not another one's, and not back, unless it is said.
    back = ('killed.py', '--work-dir', 'b', '--resume', 'b/epoch_3.pth')
    longer = ('--cfg-options', 'train_cfg.max_epochs=5')
    tool('train.py', *back, *longer).refuses('--resume', '--overwrite')
    said = tool('train.py', *back, *longer, '--overwrite').succeeds()
    assert 'from iteration 9' in said and Path('b/epoch_5.pth').exists()


def assert_same_weights(path, expected):
    found = torch.load(path, weights_only=False)
    assert_equal(found['state_dict'], expected['state_dict'])


def test_a_config_that_resumes_if_it_can(tool, recipe, whole):
    """As MMEngine means it: ``resume = True``."""
    kept = whole(tool)
    with open('killed.py', 'a') as file:
        file.write('resume = True')
    kill = kill_in_the_second_epoch('w/epoch_1.pth')
    assert tool('train.py', *LINE, first=kill).status == -signal.SIGKILL
    assert 'from iteration 3' in tool('train.py', *LINE).succeeds()
    assert_same(kept['state'])


def test_the_config_of_a_resumed_run_trains_once_more(tool, recipe, whole):
    """The whole one, in its folder."""
    kept = whole(tool)
    kill = kill_in_the_second_epoch('w/epoch_1.pth')
    assert tool('train.py', *LINE, first=kill).status == -signal.SIGKILL
    tool('train.py', *LINE).succeeds()
    again = ('train.py', 'w/killed.py', '--work-dir', 'again')
    assert 'from iteration' not in tool(*again).succeeds()
    assert_same_weights('again/epoch_3.pth', kept['state'])


def test_another_length_or_seed_is_called_as_it_was_typed(tool, recipe, run):
    tool('train.py', *LINE, '--epochs', '2').succeeds()
    for option, *words in (
        ('--epochs=1', '(epochs 2, not 1)', '--work-dir'),
        ('--epochs=3', '(epochs 2, not 3)', '--overwrite'),
        ('--seed=1', '(seed 0, not 1)'),
    ):
        tool('train.py', *LINE, option).refuses(*words)
    line = (*LINE, '--epochs=2', '--seed=1')
    tool('train.py', *line).refuses('(seed 0, not 1)')


def test_variables_of_a_launcher_that_was_not_used(
    tool, recipe, whole, monkeypatch
):
    """Such as in the shell of an allocation of several tasks."""
    kept = whole(tool)
    with monkeypatch.context() as inside:
        for name in ('SLURM_NTASKS', 'OMPI_COMM_WORLD_SIZE', 'WORLD_SIZE'):
            inside.setenv(name, '8')
        for name in ('SLURM_PROCID', 'OMPI_COMM_WORLD_RANK', 'RANK'):
            inside.setenv(name, '3')
        kill = kill_in_the_second_epoch('w/epoch_1.pth')
        outcome = tool('train.py', *LINE, first=kill)
        assert outcome.status == -signal.SIGKILL
        assert Path('w/.lock').exists()
    assert 'from iteration 3' in tool('train.py', *LINE).succeeds()
    assert_same(kept['state'])


def test_files_of_the_user_stay(tool, folder, run):
    """Whatever they are called: the run has not written them."""
    own = ['swin_tiny_patch4_window7_224.pth', 'epoch_7.pth', 'best_5.pth']
    for name in own:
        (run / name).write_bytes(b'mine')
    (run / 'best_top1_epoch_1.txt').touch()
    line = ('classifier_drloc.py', '--work-dir', 'run')
    assert 'finished' in tool('train.py', *line).succeeds()
    tool('train.py', *line, '--overwrite', '--seed', '1').succeeds()
    assert all((run / name).read_bytes() == b'mine' for name in own)
    assert len([*run.glob('*/vis_data/scalars.json')]) == 1
    # A folder that holds no run, but a file.
    Path('new').mkdir()
    shutil.copy(run / own[0], 'new')
    line = ('classifier_drloc.py', '--work-dir', 'new')
    tool('train.py', *line).succeeds()
    assert Path('new', own[0]).exists()


def test_a_config_in_the_work_dir_is_not_replaced(tool, folder):
    line = ('classifier.py', '--work-dir', '.')
    tool('train.py', *line).refuses('classifier.py', '--work-dir')
    # A copy that somebody works on.
    Path('w').mkdir()
    Path('w/classifier.py').write_text('mine')
    line = ('classifier.py', '--work-dir', 'w')
    for more in ((), ('--overwrite',)):
        tool('train.py', *line, *more).refuses('w/classifier.py', '--work-dir')
    assert Path('w/classifier.py').read_text() == 'mine'


def test_a_refused_training_leaves_nothing(tool, folder):
    for wrong in (
        'model.head.num_classes=2',
        'default_hooks.checkpoint.save_optimizer=False',
        'default_hooks.checkpoint.save_param_scheduler=False',
        'default_hooks.checkpoint.out_dir=s3://bucket/runs',
    ):
        line = ('classifier.py', '--cfg-options', wrong)
        outcome = tool('train.py', *line)
        outcome.refuses(wrong.partition('=')[0].split('.')[-1])
        assert not Path('work_dirs').exists(), outcome.said


def test_another_run_is_refused(tool, run):
    tool('train.py', 'classifier.py', '--work-dir', 'run').refuses('run')


def test_a_check_leaves_nothing(tool, recipe):
    """And takes nothing from the run that is there."""
    assert tool('train.py', *LINE, '--check').status == 0
    assert not Path('w').exists()
