import pytest
import torch
from benchmarking import options, step
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc.apis import settings
from mmdrloc.engine import CompileHook
from mmdrloc.errors import UsageError

CPU = torch.device('cpu')


@pytest.fixture
def cfg(tmp_path, monkeypatch):
    monkeypatch.setattr(step, 'IMAGE_SIZE', 24)
    return Config.fromfile(write_config(tmp_path))


def test_an_option_is_its_lines(cfg):
    option = options.OPTIONS['swin']
    assert option.lines() == "`model.backbone.type='mmdrloc.SwinTransformer'`"
    changed = option.applied_to(cfg)
    assert changed.model.backbone.type == 'mmdrloc.SwinTransformer'
    assert cfg.model.backbone.type == 'SwinTransformer'


def test_hooks_are_added(cfg):
    cfg.custom_hooks = [dict(type='EMAHook')]
    changed = options.OPTIONS['compile'].applied_to(cfg)
    kinds = [hook.type for hook in changed.custom_hooks]
    assert kinds == ['EMAHook', 'mmdrloc.CompileHook']
    assert len(cfg.custom_hooks) == 1


def test_several_options(cfg):
    changed = options.with_options(cfg, ['swin', 'fused', 'compile'])
    assert changed.model.backbone.type == 'mmdrloc.SwinTransformer'
    assert changed.optim_wrapper.optimizer.fused
    assert len(changed.custom_hooks) == 1


def test_what_suits(cfg):
    assert options.OPTIONS['swin'].suits(cfg)
    cfg.model.backbone.type = 'mmpretrain.SwinTransformer'
    assert options.OPTIONS['swin'].suits(cfg)
    cfg.model.backbone.type = 'ResNet'
    assert not options.OPTIONS['swin'].suits(cfg)
    assert options.OPTIONS['fused'].suits(cfg)


def test_the_yardstick(cfg):
    cfg.model.head.loss = dict(type='LabelSmoothLoss', label_smooth_val=0.1)
    model = options.timm_swin_tiny(cfg).model
    assert model.model_name == options.TIMM_SWIN_TINY
    assert model.drop_path_rate == cfg.model.backbone.drop_path_rate
    assert model.num_classes == 3 and model.loss == cfg.model.head.loss


def test_table_and_what_is_missing(cfg, monkeypatch):
    def refuse(self, model):
        raise UsageError('no compiler: get one')

    monkeypatch.setattr(CompileHook, 'prepare', refuse)
    monkeypatch.setattr(settings, 'cpu_has_bfloat16', lambda: True)
    monkeypatch.setattr(torch.cuda, 'is_available', lambda: False)
    names = ['swin', 'channels-last', 'compile']
    outcome = options.compare_options('tiny', cfg, names, 2, 2, CPU, True)
    (table,) = outcome.tables
    assert [row[0] for row in table.rows] == [
        'stock, float32',
        options.STOCK,
        'swin',
        'channels-last',
        options.ALL,
        'compile',
    ]
    assert table.rows[1][3] == '1.000 (1.000 to 1.000)'
    assert table.rows[-1][2] == 'not here: no compiler: get one'
    assert [len(s) for s in table.seconds.values()] == [2] * 5
