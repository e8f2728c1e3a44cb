"""The command lines, as a user meets them."""

import json

import pytest
from command_line import run
from in_process import main
from mmengine.config import Config
from tiny_run import write_config


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


@pytest.mark.slow
def test_two_processes(config, tmp_path):
    place = dict(cwd=tmp_path, command=['bash'])
    option = ('--cfg-options', 'train_cfg.max_epochs=1')
    outcome = run('dist_train.sh', config, 2, *option, **place)
    assert outcome.returncode == 0, outcome.stderr
    result = json.loads((tmp_path / 'work_dirs/tiny/result.json').read_text())
    assert result['global_batch'] == 8
    checkpoint = 'work_dirs/tiny/epoch_1.pth'
    outcome = run('dist_test.sh', config, checkpoint, 2, **place)
    assert outcome.returncode == 0, outcome.stderr


def test_tta_of_a_classifier(config, tmp_path, monkeypatch):
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
    place = dict(monkeypatch=monkeypatch, cwd=tmp_path)
    main('train.py', config, **place)
    checkpoint = 'work_dirs/tiny/epoch_2.pth'
    main('test.py', 'tta.py', checkpoint, '--tta', **place)
