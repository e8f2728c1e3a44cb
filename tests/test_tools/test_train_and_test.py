"""The command lines, as a user meets them."""

import json

import pytest
from command_line import run
from mmengine.config import Config
from tiny_run import write_config


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


@pytest.mark.slow
def test_two_processes(config, tmp_path):
    outcome = run(
        'dist_train.sh',
        config,
        2,
        '--cfg-options',
        'train_cfg.max_epochs=1',
        cwd=tmp_path,
        command=['bash'],
    )
    assert outcome.returncode == 0, outcome.stderr
    result = json.loads((tmp_path / 'work_dirs/tiny/result.json').read_text())
    assert result['global_batch'] == 8
    checkpoint = 'work_dirs/tiny/epoch_1.pth'
    outcome = run(
        'dist_test.sh', config, checkpoint, 2, cwd=tmp_path, command=['bash']
    )
    assert outcome.returncode == 0, outcome.stderr


@pytest.mark.slow
def test_tta_of_a_classifier(config, tmp_path):
    cfg = Config.fromfile(config)
    transforms = [
        [dict(type='RandomFlip', prob=p) for p in (0.0, 1.0)],
        [dict(type='PackInputs')],
    ]
    cfg.tta_model = dict(type='AverageClsScoreTTA')
    cfg.tta_pipeline = [
        dict(type='LoadImageFromFile'),
        dict(type='TestTimeAug', transforms=transforms),
    ]
    cfg.dump(tmp_path / 'tta.py')
    assert run('train.py', config, cwd=tmp_path).returncode == 0
    outcome = run(
        'test.py',
        'tta.py',
        'work_dirs/tiny/epoch_2.pth',
        '--tta',
        cwd=tmp_path,
    )
    assert outcome.returncode == 0, outcome.stderr
