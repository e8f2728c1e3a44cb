"""Wishes into a config: each does its one thing or says why it cannot."""

from contextlib import suppress

import pytest
import torch
from mmengine.config import Config
from mmengine.optim import OptimWrapper

from mmdrloc.apis import running
from mmdrloc.datasets.recipes import write_resolved
from mmdrloc.engine.optimizers import cpu_has_bfloat16
from mmdrloc.utils.errors import UsageError


def test_options_that_tell_trainings_apart_are_recorded(tmp_path):
    config = tmp_path / 'small.py'
    config.write_text('a = 1')
    told = {
        'optim_wrapper.optimizer.lr': 0.1,
        'train_dataloader.dataset.seed': 1,  # another draw of the images
    }
    others = {
        'randomness.seed': 1,
        'auto_scale_lr.enable': True,
        'train_cfg.max_iters': 2250,
        'train_dataloader.num_workers': 2,
        'val_dataloader.batch_size': 8,
        'model_wrapper_cfg.type': 'Any',
    }
    cfg = running.load_config(
        str(config), options={**told, **others}, partial=True
    )
    assert cfg.run.options == [
        'optim_wrapper.optimizer.lr=0.1',
        'train_dataloader.dataset.seed=1',
    ]
    # Two runs of one name are told apart by these.
    assert cfg.run.how == ['part of the weights', 'auto_scale_lr.enable=True']
    # Told in the notes, beside what is published of the whole.
    assert cfg.run.length == ['train_cfg.max_iters=2250']
    resolved = tmp_path / 'resolved.py'
    write_resolved(cfg, resolved)
    again = running.load_config(str(resolved))
    for kept in ('options', 'how', 'length'):
        assert again.run[kept] == cfg.run[kept]


def test_two_checkpoints_are_kept_at_least():
    hooks = dict(checkpoint=dict(type='CheckpointHook', max_keep_ckpts=1))
    cfg = Config(dict(default_hooks=hooks))
    running.set_hooks(cfg)
    assert cfg.default_hooks.checkpoint.max_keep_ckpts == 2


def test_something_saves_unless_the_config_says_no():
    usual = dict(type='CheckpointHook', interval=1)
    nothing = dict(default_hooks=dict(checkpoint=None))
    for given, expected in (({}, usual), (nothing, None)):
        cfg = Config(given)
        running.set_hooks(cfg)
        assert cfg.default_hooks.checkpoint == expected


def test_iterations_have_checkpoints_before_the_last():
    """In a loop of iterations an epoch is the whole training."""
    loop = dict(type='IterBasedTrainLoop', max_iters=60, val_interval=20)
    often = dict(by_epoch=False, interval=20)
    for given, expected in (
        ({}, often),
        (dict(interval=1), often),  # that of the libraries' default_runtime
        (dict(interval=5), dict(by_epoch=False, interval=5)),
        (dict(by_epoch=True), dict(by_epoch=True, interval=1)),
    ):
        hooks = dict(checkpoint=dict(type='CheckpointHook', **given))
        cfg = Config(dict(train_cfg=loop, default_hooks=hooks))
        running.set_hooks(cfg)
        expected = dict(type='CheckpointHook', **expected)
        assert cfg.default_hooks.checkpoint == expected


def test_a_check_leaves_out_what_writes():
    kinds = ['LocalVisBackend', 'WandbVisBackend', 'WandVisBackend']
    backends = [dict(type=kind) for kind in kinds]
    cfg = Config(dict(visualizer=dict(type='V', vis_backends=backends)))
    running.set_hooks(cfg, check=True)
    # What is misspelt is refused when it is built.
    assert cfg.visualizer.vis_backends == [dict(type='WandVisBackend')]


def amp_config(**wrapper):
    return Config(dict(optim_wrapper=dict(optimizer=dict(), **wrapper)))


def test_amp_as_this_machine_can():
    for kind in ('mmseg.OptimWrapper', OptimWrapper):
        check_amp(amp_config(type=kind, clip_grad=dict(max_norm=1)))


def test_amp_without_a_wrapper():
    """What is missing beside it is told by the checks."""
    cfg = Config({})
    with suppress(UsageError):  # where the machine cannot
        running.set_amp(cfg)


def check_amp(cfg):
    if not torch.cuda.is_available() and not cpu_has_bfloat16():
        with pytest.raises(UsageError, match='train without --amp'):
            running.set_amp(cfg)
        return
    running.set_amp(cfg)
    wrapper = cfg.optim_wrapper
    on_gpu = dict(type='AmpOptimWrapper', loss_scale='dynamic')
    on_cpu = dict(type='mmdrloc.CPUAmpOptimWrapper')
    expected = on_gpu if torch.cuda.is_available() else on_cpu
    assert wrapper == dict(expected, optimizer={}, clip_grad=dict(max_norm=1))


def test_amp_on_a_cpu_with_bfloat16(monkeypatch):
    """All but what detectors add."""
    monkeypatch.setattr(torch.cuda, 'is_available', lambda: False)
    monkeypatch.setattr(running, 'get_device', lambda: 'cpu')
    monkeypatch.setattr(running, 'cpu_has_bfloat16', lambda: True)
    old = dict(type='AmpOptimWrapper', loss_scale='dynamic', dtype='float16')
    cfg = amp_config(**old)
    running.set_amp(cfg)
    expected = dict(type='mmdrloc.CPUAmpOptimWrapper', optimizer={})
    assert cfg.optim_wrapper == expected
    cfg = Config(dict(amp_config(type='OptimWrapper'), default_scope='mmdet'))
    with pytest.raises(UsageError, match='operators of detectors'):
        running.set_amp(cfg)


def test_amp_does_not_replace_other_wrappers():
    with pytest.raises(UsageError, match='optim_wrapper.type=MyWrapper'):
        running.set_amp(amp_config(type='MyWrapper'))
