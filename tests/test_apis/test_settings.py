"""Wishes into a config: each does its one thing or says why it cannot."""

import pytest
import torch
from mmengine.config import Config

from mmdrloc.apis import running
from mmdrloc.utils.errors import UsageError


def test_options_that_tell_trainings_apart_are_recorded(tmp_path):
    config = tmp_path / 'small.py'
    config.write_text('a = 1')
    told = {'optim_wrapper.optimizer.lr': 0.1}
    # A length is told in the notes, beside what is published of the whole.
    others = {'randomness.seed': 1, 'train_cfg.max_iters': 2250}
    cfg = running.load_config(str(config), options={**told, **others})
    assert cfg.run.options == ['optim_wrapper.optimizer.lr=0.1']


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


def test_a_check_leaves_out_what_writes():
    kinds = ['LocalVisBackend', 'WandbVisBackend', 'WandVisBackend']
    backends = [dict(type=kind) for kind in kinds]
    cfg = Config(dict(visualizer=dict(type='V', vis_backends=backends)))
    running.set_hooks(cfg, check=True)
    # What is misspelt is refused when it is built.
    assert cfg.visualizer.vis_backends == [dict(type='WandVisBackend')]


@pytest.mark.parametrize(
    'cuda, bfloat16, kind, more',
    [
        (True, False, 'AmpOptimWrapper', dict(loss_scale='dynamic')),
        (False, True, 'mmdrloc.CPUAmpOptimWrapper', {}),
        (False, False, None, {}),
    ],
)
def test_amp(monkeypatch, cuda, bfloat16, kind, more):
    device = 'cuda' if cuda else 'cpu'
    monkeypatch.setattr(torch.cuda, 'is_available', lambda: cuda)
    monkeypatch.setattr(running, 'get_device', lambda: device)
    monkeypatch.setattr(running, 'cpu_has_bfloat16', lambda: bfloat16)
    wrapper = dict(optimizer={}, clip_grad=dict(max_norm=1))
    cfg = Config(dict(optim_wrapper=dict(wrapper, type='mmseg.OptimWrapper')))
    if kind is None:
        with pytest.raises(UsageError, match='train without --amp'):
            running.set_amp(cfg)
        return
    running.set_amp(cfg)
    assert cfg.optim_wrapper == dict(wrapper, type=kind, **more)
    cfg.optim_wrapper.type = 'MyWrapper'
    with pytest.raises(UsageError, match='optim_wrapper.type=MyWrapper'):
        running.set_amp(cfg)
