import pytest
import torch
from benchmarking import options, step
from benchmarking.timing import Setting
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc.apis import settings

MIXED = Setting(2, 2, torch.device('cpu'), amp=True)


@pytest.fixture
def cfg(tmp_path, monkeypatch):
    monkeypatch.setattr(step, 'IMAGE_SIZE', 24)
    return Config.fromfile(write_config(tmp_path))


def test_several_options(cfg):
    changed = options.with_options(cfg, ['fused', 'compile'])
    assert changed.optim_wrapper.optimizer.fused and changed.compile
    assert 'compile' not in cfg


def test_the_yardstick(cfg):
    cfg.model.head.loss = dict(type='LabelSmoothLoss', label_smooth_val=0.1)
    model = options.timm_swin_tiny(cfg).model
    assert model.model_name == options.TIMM_SWIN_TINY
    assert model.drop_path_rate == cfg.model.backbone.drop_path_rate
    assert model.num_classes == 3 and model.loss == cfg.model.head.loss


def test_table_and_what_is_missing(cfg, monkeypatch):
    asked = []

    def refuse(function, **options):
        asked.append(options)
        raise RuntimeError('no compiler: get one')

    monkeypatch.setattr(torch, 'compile', refuse)
    monkeypatch.setattr(settings, 'cpu_has_bfloat16', lambda: True)
    monkeypatch.setattr(torch.cuda, 'is_available', lambda: False)
    names = ['fused', 'compile', 'graphs']
    outcome = options.compare_options('tiny', cfg, names, MIXED)
    (table,) = outcome.tables
    assert [row[0] for row in table.rows] == [
        'stock, float32',
        options.STOCK,
        'fused',
        'compile',
        'graphs',
    ]
    assert asked == [{}, dict(mode='reduce-overhead')]
    assert table.rows[1][3] == '1.000 (1.000 to 1.000)'
    assert table.rows[-1][2] == 'not here: no compiler: get one'
    # PyTorch 2.1 has no fused optimizer for CPUs.
    there = [row for row in table.rows if 'not here' not in row[2]]
    assert [len(s) for s in table.seconds.values()] == [2] * len(there)
