"""Backbones the package has never heard of get the loss by config alone."""

import pytest
import torch
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS
from mmpretrain.structures import DataSample

VIT = dict(
    arch=dict(
        embed_dims=16, num_layers=2, num_heads=2, feedforward_channels=32
    ),
    img_size=64,
    patch_size=16,
)


@pytest.fixture(autouse=True)
def mmpretrain_scope():
    init_default_scope('mmpretrain')


BACKBONES = {
    'swin': (
        dict(
            type='SwinTransformer',
            arch=dict(
                embed_dims=8, depths=[1, 1, 1, 1], num_heads=[1, 2, 4, 8]
            ),
            img_size=64,
            pad_small_map=True,
        ),
        'stages.3',
        64,
        (2, 2),
    ),
    'vit, before the norm': (
        dict(VIT, type='VisionTransformer'),
        'layers.1',
        16,
        (4, 4),
    ),
    'vit, after the norm': (
        dict(VIT, type='VisionTransformer', out_type='raw'),
        'ln1',
        16,
        (4, 4),
    ),
    'deit with its distillation token': (
        dict(VIT, type='DistilledVisionTransformer'),
        'layers.1',
        16,
        (4, 4),
    ),
    't2t': (
        dict(
            type='T2T_ViT',
            img_size=64,
            embed_dims=16,
            t2t_cfg=dict(token_dims=8, use_performer=False),
            num_layers=1,
            layer_cfgs=dict(num_heads=2, feedforward_channels=16),
        ),
        'norm',
        16,
        (4, 4),
    ),
    'resnet': (dict(type='ResNet', depth=18), 'layer4', 512, (2, 2)),
    'convnext': (
        dict(
            type='ConvNeXt',
            arch=dict(depths=[1, 1, 1, 1], channels=[8, 16, 24, 32]),
        ),
        'stages.3',
        32,
        (2, 2),
    ),
    'timm, features': (
        dict(
            type='TIMMBackbone',
            model_name='pvt_v2_b0',
            pretrained=False,
            features_only=True,
        ),
        'timm_model.stages_3',
        256,
        (2, 2),
    ),
}


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
