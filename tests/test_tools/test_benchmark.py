import json

import command_line
import pytest
from tiny_run import write_config

HEAD = dict(
    type='mmdrloc.DRLocHead',
    source='stages.1',
    in_channels=16,
    hidden_channels=8,
)


def benchmark(*line, cwd):
    return command_line.run('analysis_tools/benchmark.py', *line, cwd=cwd)


@pytest.fixture
def twins(tmp_path):
    baseline = write_config(tmp_path)
    twin = tmp_path / 'twin.py'
    model = dict(type='mmdrloc.DRLocClassifier', auxiliary_head=HEAD)
    twin.write_text(f"_base_ = './{baseline.name}'\nmodel = {model}\n")
    return baseline, twin


def test_step(twins, tmp_path):
    line = ('--rounds', 2, '--batch-size', 1, '--device', 'cpu')
    outcome = benchmark('step', twins[1], *line, cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    name = str(twins[1].with_suffix(''))
    assert f'| {name} |' in outcome.stdout
    found = json.loads(
        (tmp_path / 'work_dirs/benchmark/step.json').read_text()
    )
    assert found['settings']['batch_size'] == 1
    assert set(found['tables'][0]['seconds']) == {
        f'{name}, without',
        f'{name}, with',
    }


@pytest.mark.slow
def test_options(twins, tmp_path):
    line = ('--rounds', 1, '--batch-size', 1, '--device', 'cpu', '--out', '.')
    outcome = benchmark(
        *('options', twins[0], '--options', 'fused', *line),
        *('--cfg-options', 'model.backbone.window_size=6'),
        cwd=tmp_path,
    )
    assert outcome.returncode == 0, outcome.stderr
    text = (tmp_path / 'options.md').read_text()
    assert '`optim_wrapper.optimizer.fused=True`' in text


@pytest.mark.slow
def test_branch(tmp_path):
    outcome = benchmark(
        *('branch', '--rounds', 1, '--batch-size', 1, '--device', 'cpu'),
        *('--swept-pairs', 4, 8, '--swept-batches', 1, '--out', 'found'),
        cwd=tmp_path,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert '| Swin-T step |' in outcome.stdout
    assert {path.name for path in (tmp_path / 'found').iterdir()} == {
        'branch.json',
        'branch.md',
        'branch.png',
    }


@pytest.mark.slow
def test_data(tmp_path):
    outcome = benchmark(
        'data', '--rounds', 1, '--images', 2, '--out', '.', cwd=tmp_path
    )
    assert outcome.returncode == 0, outcome.stderr
    assert '| ours |' in (tmp_path / 'data.md').read_text()


@pytest.mark.slow
def test_epoch(twins, tmp_path):
    outcome = benchmark('epoch', *twins, '--rounds', 1, cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    for config in twins:
        assert f'| {config.with_suffix("")} |' in outcome.stdout
    assert '- images: 12' in outcome.stdout


def test_a_baseline_has_no_loss_to_time(twins, tmp_path):
    outcome = benchmark('step', twins[0], cwd=tmp_path)
    command_line.assert_refused(outcome, 'is a baseline: give its DRLoc twin')


def test_device_that_is_not_there(twins, tmp_path):
    outcome = benchmark('step', twins[1], '--device', 'cuda', cwd=tmp_path)
    command_line.assert_refused(outcome, '--device cuda cannot be used here')


def test_flags_of_training_are_for_epochs_alone(tmp_path):
    outcome = benchmark('data', '--resume', cwd=tmp_path)
    assert outcome.returncode == 2
    assert 'unrecognized arguments: --resume' in outcome.stderr
