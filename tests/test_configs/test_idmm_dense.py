"""PVTv2 trained by IDMM in Mask R-CNN and UperNet: carried, and trained."""

import re
import runpy
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from command_line import TOOLS
from golden import random_weights
from mmdet.testing import demo_mm_inputs
from mmengine.config import Config
from mmengine.logging import MMLogger
from mmengine.model import revert_sync_batchnorm
from mmengine.optim import build_optim_wrapper
from mmengine.registry import HOOKS, MODELS, init_default_scope
from mmengine.structures import PixelData
from mmseg.structures import SegDataSample
from tiny_run import BuiltLoop

CONFIGS = Path(__file__).parents[2] / 'configs'
RANDOM = ('mask-rcnn_pvtv2-b0_1x_coco', 'upernet_pvtv2-b0_160k_ade20k')
SIZE = (64, 64)
every_host = pytest.mark.parametrize('name', RANDOM)


def load(name):
    return Config.fromfile(CONFIGS / f'idmm/{name}.py')


def carried(name):
    return name.replace('pvtv2-b0', 'pvtv2-b0_idmm-sin-10k')


def narrow(cfg):
    """For two images of 64 pixels in one process."""
    if cfg.default_scope == 'mmseg':
        cfg.model.data_preprocessor.size = SIZE
        cfg.model.decode_head.channels = 16
        cfg.model.auxiliary_head.channels = 16
    return cfg


def build(cfg):
    init_default_scope(cfg.default_scope)
    return revert_sync_batchnorm(MODELS.build(cfg.model))


def batch(scope):
    if scope == 'mmdet':
        return demo_mm_inputs(
            2,
            [(3, *SIZE)] * 2,
            num_items=[1, 1],
            num_classes=80,
            with_mask=True,
        )
    label_map = PixelData(data=torch.randint(0, 150, (1, *SIZE)))
    image = torch.randint(0, 256, (3, *SIZE), dtype=torch.uint8)
    sample = SegDataSample(gt_sem_seg=label_map)
    return dict(inputs=[image] * 2, data_samples=[sample] * 2)


@every_host
def test_twins_differ_in_the_weights_alone(name):
    random, from_idmm = load(name).to_dict(), load(carried(name)).to_dict()
    checkpoint = from_idmm.pop('checkpoint_file')
    random.pop('checkpoint_file', None)
    (hook,) = from_idmm.pop('custom_hooks')
    assert 'custom_hooks' not in random
    assert from_idmm['model']['backbone'].pop('init_cfg') == dict(
        type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
    )
    assert from_idmm == random
    # The header, the hook and the pre-training name the same files.
    *_, source, target, _, _ = shlex.split(hook['made_by'])
    pretraining, epoch = source.split('/')[1:]
    before = Config.fromfile(CONFIGS / f'idmm_pretrain/{pretraining}.py')
    assert epoch == f'epoch_{before.train_cfg.max_epochs}.pth'
    assert target == checkpoint
    header = (CONFIGS / f'idmm/{carried(name)}.py').read_text()
    assert hook['made_by'] in re.sub(r'[ \\]*\n# +', ' ', header)


@every_host
def test_the_headers_command_carries_and_the_run_proves_it(
    name, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    cfg = narrow(load(carried(name)))
    (hook,) = cfg.custom_hooks
    _, _, *line = shlex.split(hook.made_by)
    pretrained = Config.fromfile(
        CONFIGS / f'idmm_pretrain/{Path(line[0]).parent.name}.py'
    )
    Path(line[0]).parent.mkdir(parents=True)
    weights = random_weights(build(pretrained))
    torch.save(dict(state_dict=weights), line[0])
    monkeypatch.setattr(sys, 'argv', ['transfer.py', *line])
    runpy.run_path(str(TOOLS / 'transfer.py'), run_name='__main__')

    model = build(cfg)
    runner = SimpleNamespace(
        model=model,
        iter=0,
        logger=MMLogger.get_current_instance(),
        _train_loop=BuiltLoop(),
    )
    check = HOOKS.build(hook)
    check.before_run(runner)
    model.init_weights()
    check.before_train(runner)
    arrived = {
        f'backbone.{name.replace("stages_", "stages.")}': tensor
        for name, tensor in model.backbone.state_dict().items()
    }
    assert arrived
    for key, tensor in arrived.items():
        assert tensor.equal(weights[key]), key


@every_host
def test_it_trains_a_step(name):
    torch.manual_seed(0)
    cfg = narrow(load(name))
    model = build(cfg)
    model.init_weights()
    optimizer = build_optim_wrapper(model, cfg.optim_wrapper)
    first = next(model.backbone.parameters())
    before = first.clone()
    log = model.train_step(batch(cfg.default_scope), optimizer)
    assert torch.isfinite(log['loss'])
    assert not first.equal(before)
