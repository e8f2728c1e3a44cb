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
from made_up_run import cells
from tiny_run import write_config

from mmdrloc.apis import compare
from mmdrloc.apis.comparison import arms_of
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


def test_no_runs_at_a_time_train_nothing(configs):
    with pytest.raises(UsageError, match='give 1 or more'):
        compare(configs[1], [0], jobs=0)


def test_the_baseline_of_a_twin_is_found(configs):
    plain, twin = (Path(config).name for config in configs)
    other = Path(configs[1]).with_name('other_drloc.py')
    other.write_text("_base_ = 'tiny_drloc.py'")
    assert arms_of([twin, other.name]) == [
        (plain, None),
        (twin, None),
        ('other_drloc.py', None),
    ]
    assert arms_of(twin, weights=['a.pth']) == [
        (plain, 'a.pth'),
        (twin, 'a.pth'),
    ]
    with pytest.raises(UsageError, match='--baseline'):
        arms_of(plain)
    assert arms_of(plain, baseline=twin) == [(twin, None), (plain, None)]
    other.write_text(Path(configs[0]).read_text())
    second = other.with_name('second.py')
    second.write_text(TWIN.replace('tiny', 'other_drloc'))
    with pytest.raises(UsageError, match='several'):
        arms_of([twin, 'second.py'])


def test_several_weights_are_compared_in_one_config(configs):
    plain = Path(configs[0]).name
    weights = ['none', 'a.pth']
    assert arms_of(plain, weights=weights) == [(plain, None), (plain, 'a.pth')]
    with pytest.raises(UsageError, match='several --weights'):
        arms_of(configs, weights=weights)


def test_names_that_runs_would_share(configs):
    with pytest.raises(UsageError, match='have the name tiny'):
        arms_of(['elsewhere/tiny.py'], configs[0])


def test_faults_are_found_before_training(configs):
    options = {'train_dataloader.dataset.data_root': 'nowhere'}
    with pytest.raises(UsageError, match='nowhere'):
        compare(configs[1], [0], options=options)
    with pytest.raises(UsageError, match='none.pth'):
        compare(configs[1], [0], weights='none.pth')
    assert not Path('work_dirs').exists()


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
    assert 'the same command goes on' in errors

    # As if the first run had been stopped after its first epoch.
    first = runs / 'tiny_seed0'
    result = json.loads((first / 'result.json').read_text())
    assert result['finished']
    result['finished'] = False
    (first / 'result.json').write_text(json.dumps(result))
    (first / 'epoch_2.pth').unlink()
    (first / 'last_checkpoint').write_text('epoch_1.pth')

    process = begin(configs, 2, tmp_path)
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    for path in runs.glob('*/result.json'):
        result = json.loads(path.read_text())
        assert result['finished']
        assert [entry['epoch'] for entry in result['validations']] == [1, 2]
    name = configs[1].removesuffix('.py')
    (row,) = [row for row in cells(output) if row[0] == f'`{name}`']
    assert row[1] == '0, 1' and row[3].endswith(']')
    assert '## Paired differences' in (runs / 'report.md').read_text()
