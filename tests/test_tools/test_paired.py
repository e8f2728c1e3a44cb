"""A baseline and its twin over seeds: planned, trained, resumed, compared."""

import importlib.util
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

from mmdrloc.errors import UsageError

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
OPTIONS = ['--cfg-options', 'train_cfg.max_epochs=2']


@pytest.fixture
def paired(tmp_path, monkeypatch):
    """The module, working in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location('paired', SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def test_a_run_is_a_command_of_its_own(paired):
    step = paired.train_step('a/net.py', 3, Path('runs'), OPTIONS)
    assert Path(step.command[0]).resolve() == SOURCE.with_name('train.py')
    assert step.command[1:] == [
        'a/net.py',
        '--work-dir',
        'runs/net_seed3',
        *OPTIONS,
        '--cfg-options',
        'randomness.seed=3',
    ]
    assert step.work_dir == Path('runs/net_seed3')
    assert step.log == Path('runs/logs/net_seed3.txt')


def test_begun_runs_are_resumed_from_their_checkpoint(paired):
    def plan():
        return paired.train_step('net.py', 0, Path('runs'), OPTIONS)

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


def test_runs_of_another_command_are_refused(paired):
    step = paired.train_step('net.py', 0, Path('runs'), OPTIONS)
    leave_run(step, finished=True)
    with pytest.raises(UsageError, match='another command.*--work-dir'):
        paired.train_step('net.py', 0, Path('runs'), [*OPTIONS, 'a=1'])


def test_faults_of_all_configs_are_found_before_training(paired, configs):
    paired.check(configs, OPTIONS)
    with pytest.raises(UsageError, match='there is no config none.py'):
        paired.check([*configs, 'none.py'], OPTIONS)
    with pytest.raises(UsageError, match='two configs have the name tiny,'):
        paired.check([*configs, 'elsewhere/tiny.py'], OPTIONS)
    data_root = 'train_dataloader.dataset.data_root=nowhere'
    with pytest.raises(UsageError, match='nowhere/train'):
        paired.check(configs, ['--cfg-options', data_root])


def begin(configs, jobs, cwd):
    environ = dict(os.environ, OMP_NUM_THREADS='1', CUDA_VISIBLE_DEVICES='')
    line = shlex.split(f'--seeds 0 1 --jobs {jobs} --work-dir runs')
    return subprocess.Popen(
        [sys.executable, str(SOURCE), *configs, *line, *OPTIONS],
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
    (row,) = [row for row in cells(output) if row[0] == '`tiny_drloc`']
    assert row[1] == '0, 1' and row[3].endswith(']')
    assert '## Paired differences' in (runs / 'report.md').read_text()
