"""Backbones the package has never heard of get the loss by config alone."""

import pytest
import torch
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS
from mmpretrain.structures import DataSample
from tiny_run import build_runner, write_twin

from mmdrloc.models import GridTap
from mmdrloc.utils.errors import UsageError

VIT = dict(
    type='VisionTransformer',
    arch=dict(
        embed_dims=16, num_layers=2, num_heads=2, feedforward_channels=32
    ),
    img_size=64,
    patch_size=16,
)


@pytest.fixture(autouse=True)
def mmpretrain_scope():
    init_default_scope('mmpretrain')


T2T = dict(
    type='T2T_ViT',
    img_size=64,
    embed_dims=16,
    t2t_cfg=dict(token_dims=8, use_performer=False),
    num_layers=1,
    layer_cfgs=dict(num_heads=2, feedforward_channels=16),
)
CONVNEXT = dict(
    type='ConvNeXt', arch=dict(depths=[1] * 4, channels=[8, 16, 24, 32])
)
BACKBONES = {
    'vit, before the norm': (VIT, 'layers.1', 16, (4, 4)),
    'vit, after the norm': (dict(VIT, out_type='raw'), 'ln1', 16, (4, 4)),
    'deit with its distillation token': (
        dict(VIT, type='DistilledVisionTransformer'),
        'layers.1',
        16,
        (4, 4),
    ),
    't2t': (T2T, 'norm', 16, (4, 4)),
    'resnet': (dict(type='ResNet', depth=18), 'layer4', 512, (2, 2)),
    'convnext': (CONVNEXT, 'stages.3', 32, (2, 2)),
}


SWIN = dict(
    type='SwinTransformer',
    arch=dict(embed_dims=8, depths=[1, 1], num_heads=[1, 2]),
    img_size=64,
    pad_small_map=True,
    out_indices=(1,),
)


def timm(name, **kwargs):
    return dict(type='TIMMBackbone', model_name=name, **kwargs)


def mmseg(name, **kwargs):
    return dict(
        type=f'mmseg.{name}',
        img_size=(64, 112),
        patch_size=16,
        embed_dims=16,
        num_layers=2,
        num_heads=2,
        **kwargs,
    )


TIMM_SWIN = dict(depths=(1, 1), num_heads=(1, 2), embed_dim=24, img_size=96)
TIMM_SWIN['window_size'] = 4
OBLONG = [
    (dict(VIT, img_size=(32, 128)), 'layers.1', 16, (32, 128), (2, 8)),
    (dict(VIT, img_size=(16, 256)), 'layers.1', 16, (16, 256), (1, 16)),
    (dict(VIT, img_size=(64, 112)), 'layers.1', 16, (64, 112), (4, 7)),
    # The positions of 14 x 14 cells are stretched over as many.
    (dict(VIT, img_size=224), 'layers.1', 16, (112, 448), (7, 28)),
    (SWIN, 'stages.0.blocks.0.norm2', 8, (32, 128), (8, 32)),
    (SWIN, 'stages.1.blocks.0.norm2', 16, (32, 128), (4, 16)),
    (
        timm('vit_tiny_patch16_224', img_size=(32, 128), depth=1),
        'timm_model.blocks.0',
        192,
        (32, 128),
        (2, 8),
    ),
    (
        timm('vit_tiny_patch16_224', dynamic_img_size=True, depth=1),
        'timm_model.blocks.0',
        192,
        (112, 448),
        (7, 28),
    ),
    (
        timm('swin_tiny_patch4_window7_224', **TIMM_SWIN),
        'timm_model.layers.0',
        24,
        (96, 96),
        (24, 24),
    ),
    (
        timm('swin_tiny_patch4_window7_224', features_only=True, **TIMM_SWIN),
        'timm_model.layers_0',
        24,
        (96, 96),
        (24, 24),
    ),
    # mmseg's have a class token and do not say so.
    (mmseg('VisionTransformer'), 'layers.1', 16, (64, 112), (4, 7)),
    (
        mmseg('VisionTransformer', with_cls_token=False),
        'layers.1',
        16,
        (64, 112),
        (4, 7),
    ),
    (mmseg('BEiT'), 'layers.1', 16, (64, 112), (4, 7)),
    (mmseg('MAE'), 'layers.1', 16, (64, 112), (4, 7)),
]


@pytest.mark.parametrize('backbone, source, channels, image, size', OBLONG)
def test_cells_lie_where_they_do_in_the_image(
    backbone, source, channels, image, size
):
    """Changed pixels change the cells at their place the most."""
    if backbone['type'].startswith('mmseg.'):
        pytest.importorskip('mmseg', reason='`make env` installs it')
    backbone = MODELS.build(backbone)
    backbone.eval()
    images = torch.randn(2, 3, *image)
    images[1] = images[0]
    row, col = size[0] - 1, size[1] // 2
    high, wide = image[0] // size[0], image[1] // size[1]
    images[1, :, -high:, col * wide : (col + 1) * wide] += 9
    with torch.no_grad(), GridTap(backbone, [source], [channels]) as tap:
        backbone(images)
    (grid,) = tap.grids()
    assert grid.shape == (2, channels, *size)
    changes = (grid[1] - grid[0]).norm(dim=0)
    assert changes.argmax() == row * size[1] + col


CUT_OFF = [
    (dict(SWIN, with_cp=True), 'stages.1.blocks.0.norm2'),
    (dict(SWIN, frozen_stages=1), 'stages.1'),
]


@pytest.mark.parametrize('backbone, source', CUT_OFF)
def test_a_source_without_gradient_is_refused_before_training(
    tmp_path, backbone, source
):
    config = write_twin(tmp_path)
    runner = build_runner(
        config,
        model__backbone=dict(backbone, _delete_=True),
        model__auxiliary_head__source=source,
        default_hooks__preflight=dict(type='mmdrloc.PreflightHook'),
    )
    with pytest.raises(UsageError, match=f'{source}.*no gradient.*with_cp'):
        runner.train()
    assert runner.iter == 0


@pytest.mark.parametrize('name', BACKBONES)
def test_backbone_gets_the_loss(name):
    backbone, source, channels, size = BACKBONES[name]
    torch.manual_seed(0)
    model = MODELS.build(
        dict(
            type='mmdrloc.DRLocClassifier',
            backbone=backbone,
            head=dict(
                type='LinearClsHead', num_classes=3, in_channels=channels
            ),
            auxiliary_head=dict(
                type='mmdrloc.DRLocHead',
                source=source,
                in_channels=channels,
                hidden_channels=64,
            ),
        )
    )
    grids = []
    loss = model.auxiliary_head.loss
    model.auxiliary_head.loss = lambda g: grids.extend(g) or loss(g)
    # What the backbones give the classification head is not asked here.
    model.head.loss = lambda feats, samples: dict(loss=torch.zeros(()))
    losses = model.loss(
        torch.randn(2, 3, 64, 64), [DataSample().set_gt_label(0)] * 2
    )
    assert grids[0].shape == (2, channels, *size)
    losses['loss_drloc'].backward()
    gradients = [
        parameter.grad
        for parameter in model.backbone.parameters()
        if parameter.grad is not None
    ]
    assert any(gradient.any() for gradient in gradients)
