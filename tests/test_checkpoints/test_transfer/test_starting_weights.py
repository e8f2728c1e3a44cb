"""``--weights``: files of five origins into three tasks, and mistakes."""

import logging
from pathlib import Path
from types import SimpleNamespace

import pytest
import timm
import torch
from mmengine.config import Config
from mmengine.model import BaseModule
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.models import ImageClassifier
from tiny_run import BuiltLoop

from mmdrloc.checkpoints.transfer import ORIGINS, write_checkpoint
from mmdrloc.checkpoints.transfer.starting_weights import (
    COPY,
    require_weights,
    set_weights,
)
from mmdrloc.engine.hooks import WeightsCheckHook
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import sha256_of

SWIN = dict(embed_dims=8, depths=[1, 1, 2, 1], num_heads=[1, 1, 2, 2])
VIT = dict(embed_dims=16, num_layers=2, num_heads=2, feedforward_channels=64)
T2T = dict(
    type='mmdrloc.PerformerT2TViT',
    img_size=32,
    t2t_cfg=dict(token_dims=16, use_performer=True),
    num_layers=1,
    layer_cfgs=dict(
        num_heads=2,
        feedforward_channels=32,
        embed_dims=16,
    ),
)


def timm_pvt():
    torch.manual_seed(0)
    return timm.create_model('pvt_v2_b0', depths=(1, 1, 1, 1), num_classes=3)


def classifier(backbone, head=None):
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    model = ImageClassifier(
        backbone=backbone,
        head=head or dict(type='LinearClsHead', num_classes=3, in_channels=64),
    )
    model.init_weights()
    return {
        name: tensor
        for name, tensor in model.state_dict().items()
        if 'relative_position_index' not in name
        and not name.startswith('data_preprocessor')
    }


def swin(**changes):
    backbone = dict(type='SwinTransformer', arch=SWIN, img_size=64)
    return classifier({**backbone, **changes})


def vit(img_size=32):
    return classifier(
        dict(
            type='VisionTransformer', arch=VIT, img_size=img_size, patch_size=8
        ),
        dict(type='VisionTransformerClsHead', num_classes=3, in_channels=16),
    )


def theirs(origin, weights):
    return ORIGINS[origin].to_theirs(weights).weights


def resnet():
    return theirs(
        'resnet-torchvision',
        classifier(
            dict(type='ResNet', depth=18, stem_channels=8, base_channels=8)
        ),
    )


# What a file holds, and the backbones that it is for, by task.
DENSE = dict(out_indices=(0, 1, 2, 3))
SWINS = dict(
    mmpretrain=dict(type='SwinTransformer', arch=SWIN, img_size=64),
    mmdet=dict(type='SwinTransformer', convert_weights=True, **SWIN),
    mmseg=dict(type='SwinTransformer', **SWIN),
)
VITS = dict(
    mmpretrain=dict(
        type='VisionTransformer', arch=VIT, img_size=64, patch_size=8
    ),
    mmdet=dict(
        type='mmpretrain.VisionTransformer',
        arch=VIT,
        img_size=64,
        patch_size=8,
        out_type='featmap',
    ),
    mmseg=dict(
        type='VisionTransformer',
        img_size=(64, 64),
        patch_size=8,
        embed_dims=16,
        num_layers=2,
        num_heads=2,
        patch_bias=True,
        final_norm=False,
    ),
)
PVTS = dict(
    mmpretrain=dict(
        type='TIMMBackbone', model_name='pvt_v2_b0', depths=(1, 1, 1, 1)
    ),
    mmdet=dict(
        type='mmpretrain.TIMMBackbone',
        model_name='pvt_v2_b0',
        depths=(1, 1, 1, 1),
        features_only=True,
    ),
)
RESNETS = dict(
    mmpretrain=dict(type='ResNet', depth=18, stem_channels=8, base_channels=8),
    mmdet=dict(
        type='ResNet',
        depth=18,
        stem_channels=8,
        base_channels=8,
        init_cfg=dict(type='Pretrained', checkpoint='torchvision://resnet18'),
    ),
    mmseg=dict(
        type='ResNet',
        depth=18,
        stem_channels=8,
        base_channels=8,
        pretrained='open-mmlab://resnet18_v1c',
    ),
)
FILES = {
    'swin-microsoft': (
        lambda: dict(model=theirs('swin-microsoft', swin())),
        SWINS,
    ),
    'openmmlab': (
        lambda: dict(meta=dict(epoch=3), state_dict=swin()),
        SWINS,
    ),
    'vit-timm': (lambda: theirs('vit-timm', vit()), VITS),
    'pvtv2-timm': (lambda: timm_pvt().state_dict(), PVTS),
    'resnet-torchvision': (resnet, RESNETS),
}
CASES = [(name, task) for name in FILES for task in FILES[name][1]]


def config(backbone, scope, folder):
    return Config(
        dict(
            default_scope=scope,
            model=dict(type='X', backbone=dict(backbone)),
            work_dir=str(folder / 'work'),
            run=dict(recipe='x', dataset=None, weights=None, baseline=None),
        )
    )


def begin(cfg):
    """Do what a training does before its first iteration."""
    init_default_scope(cfg.default_scope)
    torch.manual_seed(1)
    model = BaseModule()
    model.backbone = MODELS.build(cfg.model.backbone)
    runner = SimpleNamespace(
        model=model,
        iter=0,
        logger=logging.getLogger('weights'),
        _train_loop=BuiltLoop(),
    )
    hook = WeightsCheckHook()
    hook.before_run(runner)
    model.init_weights()
    hook.before_train(runner)
    return model.backbone.state_dict()


def first_convolution(state):
    return next(t for t in state.values() if t.dim() == 4)


@pytest.mark.parametrize(('origin', 'task'), CASES)
def test_origins_into_tasks(origin, task, tmp_path):
    if task != 'mmpretrain':
        pytest.importorskip('mmcv.ops')
    make, backbones = FILES[origin]
    path = tmp_path / 'given.pth'
    torch.save(make(), path)
    before = sha256_of(path)
    cfg = config(backbones[task], task, tmp_path)
    audit = set_weights(cfg, str(path))
    assert not audit.faults and audit.loaded
    state = begin(cfg)
    given = make()
    given = given.get('state_dict', given.get('model', given))
    found = first_convolution(given)
    assert first_convolution(state).equal(found)
    assert sha256_of(path) == before
    assert cfg.run.weights == dict(
        file=str(path), origin=origin, sha256=before
    )
    assert Path(cfg.work_dir, COPY).is_file()


@pytest.mark.parametrize('suffix', ['.pth', '.tar', '.safetensors', ''])
def test_suffixes(suffix, tmp_path):
    path = tmp_path / f'given{suffix}'
    write_checkpoint(dict(state_dict=swin()), tmp_path / 'a.pth')
    write_checkpoint(dict(state_dict=swin()), tmp_path / 'a.safetensors')
    source = 'a.safetensors' if suffix == '.safetensors' else 'a.pth'
    (tmp_path / source).rename(path)
    cfg = config(SWINS['mmpretrain'], 'mmpretrain', tmp_path)
    set_weights(cfg, str(path))
    assert begin(cfg)


def test_positions_are_resized(tmp_path):
    write_checkpoint(dict(state_dict=vit(img_size=32)), tmp_path / 'a.pth')
    cfg = config(VITS['mmpretrain'], 'mmpretrain', tmp_path)
    audit = set_weights(cfg, str(tmp_path / 'a.pth'))
    assert audit.resized == ['pos_embed']
    assert begin(cfg)['pos_embed'].shape == (1, 65, 16)


def test_the_head_comes_where_the_recipe_says_so(tmp_path):
    write_checkpoint(dict(state_dict=swin()), tmp_path / 'a.pth')
    cfg = config(SWINS['mmpretrain'], 'mmpretrain', tmp_path)
    cfg.model.backbone.init_cfg = dict(type='Pretrained', prefix='backbone.')
    cfg.model.head = dict(init_cfg=dict(type='Pretrained', prefix='head.'))
    with pytest.raises(UsageError, match='model.backbone starts from weights'):
        require_weights(cfg, None)
    set_weights(cfg, str(tmp_path / 'a.pth'))
    copy = torch.load(Path(cfg.work_dir, COPY), weights_only=True)
    assert cfg.model.head.init_cfg.checkpoint == str(Path(cfg.work_dir, COPY))
    assert 'head.fc.weight' in copy['state_dict']


def drop_tensor(weights):
    del weights['backbone.stages.0.blocks.0.attn.w_msa.qkv.bias']


def drop_stage(weights):
    for name in [n for n in weights if n.startswith('backbone.stages.3.')]:
        del weights[name]


def add_block(weights):
    for name in [n for n in weights if 'stages.2.blocks.1' in n]:
        weights[name.replace('blocks.1', 'blocks.2')] = weights[name]


def widen(weights):
    weights['backbone.patch_embed.projection.weight'] = torch.ones(9, 3, 4, 4)


def spoil(weights):
    weights['backbone.norm3.weight'] = torch.full((64,), torch.nan)


def forget_names(weights):
    for number, name in enumerate(list(weights)):
        weights[f'x{number}'] = weights.pop(name)


MISTAKES = {
    drop_tensor: '1 missing in the checkpoint',
    drop_stage: 'missing in the checkpoint: stages.3.blocks.0',
    add_block: 'unexpected in the checkpoint: stages.2.blocks.2',
    widen: '1 of another shape: patch_embed.projection.weight',
    spoil: 'NaN or infinity in backbone.norm3.weight',
    forget_names: 'is not known; known are',
}


@pytest.mark.parametrize('mistake', MISTAKES, ids=lambda m: m.__name__)
@pytest.mark.parametrize('task', SWINS)
def test_mistakes(mistake, task, tmp_path):
    weights = swin()
    mistake(weights)
    path = tmp_path / 'given.pth'
    write_checkpoint(dict(state_dict=weights), path)
    cfg = config(SWINS[task], task, tmp_path)
    with pytest.raises(UsageError) as caught:
        set_weights(cfg, str(path))
    assert MISTAKES[mistake] in str(caught.value)
    assert str(path) in str(caught.value)
    assert not Path(cfg.work_dir).exists()


def test_no_backbone(tmp_path):
    write_checkpoint(dict(state_dict=swin()), tmp_path / 'a.pth')
    cfg = config(SWINS['mmpretrain'], 'mmpretrain', tmp_path)
    cfg.model = dict(type='X')
    with pytest.raises(UsageError, match='has no backbone'):
        set_weights(cfg, str(tmp_path / 'a.pth'))
