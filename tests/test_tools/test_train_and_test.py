"""Test-time augmentation, through the command lines."""

import pytest
from in_process import main
from mmengine.config import Config
from tiny_run import write_config


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


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
