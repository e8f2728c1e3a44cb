"""Twins and their baseline over seeds: planned, trained, resumed, compared."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from made_up_run import cells
from tiny_run import write_config

from mmdrloc.apis import arms as planned
from mmdrloc.apis import compare
from mmdrloc.apis.arms import Arm
from mmdrloc.utils.errors import UsageError

SOURCE = Path(__file__).parents[2] / 'tools/paired.py'
TWIN = """
_base_ = 'tiny.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=16,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5)))
"""
TRAINING = dict(options={'train_cfg.max_epochs': 2})


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """Each test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def configs(tmp_path):
    baseline = write_config(tmp_path)
    twin = tmp_path / 'tiny_drloc.py'
    twin.write_text(TWIN)
    return [str(baseline), str(twin)]


def leave_run(step, finished):
    """What a training of this step leaves in its folder."""
    step.work_dir.mkdir(parents=True)
    result = dict(command=shlex.join(step.command), finished=finished)
    (step.work_dir / 'result.json').write_text(json.dumps(result))


def test_a_run_is_a_command_of_its_own():
    arm = Arm('a/net.py')
    step = planned.train_step(arm, 3, Path('runs'), TRAINING)
    assert Path(step.command[0]).resolve() == SOURCE.with_name('train.py')
    assert step.command[1:] == [
        'a/net.py',
        '--work-dir',
        'runs/net_seed3',
        '--seed',
        '3',
        '--cfg-options',
        'train_cfg.max_epochs=2',
    ]
    assert step.work_dir == Path('runs/net_seed3')
    assert step.log == Path('runs/logs/net_seed3.txt')
    carried = Arm('a/net.py', 'b/run/epoch_1.pth')
    step = planned.train_step(carried, 3, Path('runs'), TRAINING)
    assert step.command[2:4] == ['--weights', 'b/run/epoch_1.pth']
    assert step.work_dir == Path('runs/net_from_run_epoch_1_seed3')


def test_begun_runs_are_resumed_from_their_checkpoint():
    def plan():
        arm = Arm('net.py')
        return planned.train_step(arm, 0, Path('runs'), TRAINING)

    fresh = plan()
    assert fresh.going_on() == []
    leave_run(fresh, finished=False)
    assert plan().going_on() == ['--overwrite']
    pointer = fresh.work_dir / 'last_checkpoint'
    pointer.write_text('epoch_1.pth')
    assert plan().going_on() == ['--overwrite']
    torch.save({}, fresh.work_dir / 'epoch_1.pth')
    assert plan().going_on() == ['--resume']
    # A run that was itself resumed is still the same run.
    command = shlex.join([*fresh.command, '--resume'])
    result = dict(command=command, finished=False)
    (fresh.work_dir / 'result.json').write_text(json.dumps(result))
    assert plan().command == fresh.command


def test_runs_of_another_command_are_refused():
    arm = Arm('net.py')
    step = planned.train_step(arm, 0, Path('runs'), TRAINING)
    leave_run(step, finished=True)
    with pytest.raises(UsageError, match='another command.*--work-dir'):
        planned.train_step(arm, 0, Path('runs'), {})


def test_words_of_a_run_may_have_been_in_another_order():
    arm = Arm('net.py', 'b/a.pth')
    step = planned.train_step(arm, 0, Path('runs'), dict(amp=True))
    leave_run(step, finished=False)
    earlier = (
        'tools/train.py net.py --seed 0 --amp '
        '--work-dir runs/net_from_b_a_seed0 --weights b/a.pth --resume'
    )
    result = json.dumps(dict(command=earlier, finished=False))
    (step.work_dir / 'result.json').write_text(result)
    planned.train_step(arm, 0, Path('runs'), dict(amp=True))
    with pytest.raises(UsageError, match='another command'):
        planned.train_step(arm, 0, Path('runs'), {})


def test_faults_of_all_configs_are_found_before_training(configs):
    arms = [Arm(config) for config in configs]
    planned.check(arms, TRAINING)
    with pytest.raises(UsageError, match='there is no config none.py'):
        planned.check([*arms, Arm('none.py')], TRAINING)
    with pytest.raises(UsageError, match='have the name tiny,'):
        planned.check([*arms, Arm('elsewhere/tiny.py')], TRAINING)
    with pytest.raises(UsageError, match='none.pth is not there'):
        planned.check([Arm(configs[0], 'none.pth')], TRAINING)
    options = {'train_dataloader.dataset.data_root': 'nowhere'}
    with pytest.raises(UsageError, match='nowhere/train'):
        planned.check(arms, dict(options=options))


def test_no_runs_at_a_time_train_nothing(configs):
    with pytest.raises(UsageError, match='give 1 or more'):
        compare(configs[1], [0], jobs=0)


def arms_of(*twins, baseline=None, weights=()):
    return planned.arms_of(twins, baseline, weights, {})


def test_the_baseline_of_a_twin_is_found(configs):
    plain, twin = (Path(config).name for config in configs)
    other = Path(configs[1]).with_name('other_drloc.py')
    other.write_text("_base_ = 'tiny_drloc.py'")
    assert arms_of(twin, other.name) == [
        (plain, None),
        (twin, None),
        ('other_drloc.py', None),
    ]
    assert arms_of(twin, weights=['a.pth']) == [
        (plain, 'a.pth'),
        (twin, 'a.pth'),
    ]
    with pytest.raises(UsageError, match='is no twin .* --baseline CONFIG'):
        arms_of(plain)
    assert arms_of(plain, baseline=twin) == [(twin, None), (plain, None)]
    other.write_text(Path(configs[0]).read_text())
    second = other.with_name('second.py')
    second.write_text(TWIN.replace('tiny', 'other_drloc'))
    with pytest.raises(UsageError, match='several baselines, tiny.py, other'):
        arms_of(twin, 'second.py')


def test_several_weights_are_compared_in_one_config(configs):
    plain = Path(configs[0]).name
    weights = ['none', 'a.pth']
    assert arms_of(plain, weights=weights) == [(plain, None), (plain, 'a.pth')]
    with pytest.raises(UsageError, match='several --weights'):
        arms_of(*configs, weights=weights)


def begin(configs, jobs, cwd):
    environ = dict(os.environ, OMP_NUM_THREADS='1', CUDA_VISIBLE_DEVICES='')
    line = shlex.split(
        f'--seeds 0 1 --jobs {jobs} --work-dir runs '
        '--cfg-options train_cfg.max_epochs=2'
    )
    return subprocess.Popen(
        [sys.executable, str(SOURCE), configs[1], *line],
        cwd=cwd,
        env=environ,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.slow
def test_twins_are_trained_resumed_and_compared(configs, tmp_path):
    runs = tmp_path / 'runs'
    process = begin(configs, 1, tmp_path)
    while not (runs / 'logs/tiny_drloc_seed0.txt').exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate()
    assert process.returncode == 143
    assert errors.endswith('the same command goes on where it stopped\n')

    # As if the first run had been stopped after its first epoch.
    first = runs / 'tiny_seed0'
    result = json.loads((first / 'result.json').read_text())
    assert result['finished']
    result['finished'] = False
    (first / 'result.json').write_text(json.dumps(result))
    (first / 'epoch_2.pth').unlink()
    (first / 'last_checkpoint').write_text('runs/tiny_seed0/epoch_1.pth')

    process = begin(configs, 2, tmp_path)
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    lines = [line for line in output.splitlines() if line[0:1] == '$']
    # How far the second came before it was stopped is chance.
    first, _, *others = [line.split()[-1] for line in lines]
    assert first == '--resume'
    assert others == ['randomness.seed=1'] * 2
    for path in runs.glob('*/result.json'):
        result = json.loads(path.read_text())
        assert result['finished']
        assert [entry['epoch'] for entry in result['validations']] == [1, 2]
    name = configs[1].removesuffix('.py')
    (row,) = [row for row in cells(output) if row[0] == f'`{name}`']
    assert row[1] == '0, 1' and row[3].endswith(']')
    assert '## Paired differences' in (runs / 'report.md').read_text()
