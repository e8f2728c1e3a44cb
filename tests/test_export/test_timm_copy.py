"""A published classifier, opened by timm."""

import json

import numpy as np
import pytest
import timm
import torch
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from PIL import Image

from mmdrloc.export.timm_copy import write_timm
from mmdrloc.utils.errors import UsageError

# Of the networks of the experiments, the smallest of each family.
NETWORKS = {
    'swin_tiny_patch4_window7_224': (
        dict(type='SwinTransformer', arch='tiny', img_size=224),
        dict(type='LinearClsHead', in_channels=768),
    ),
    'deit_tiny_patch16_224': (
        dict(type='VisionTransformer', arch='deit-tiny', img_size=64),
        dict(type='VisionTransformerClsHead', in_channels=192),
    ),
    'vit_tiny_patch16_224': (  # with the head of photos/dinov2-small_126px
        dict(type='VisionTransformer', arch='deit-tiny', img_size=64),
        dict(type='LinearClsHead', in_channels=192),
    ),
    'resnet18': (
        dict(type='ResNet', depth=18),
        dict(type='LinearClsHead', in_channels=512),
    ),
    'pvt_v2_b0': (
        dict(type='TIMMBackbone', model_name='pvt_v2_b0'),
        dict(type='LinearClsHead', in_channels=256),
    ),
    'resnet10t': (  # its last layer is called `fc`
        dict(type='mmdrloc.TIMMBackbone', model_name='resnet10t'),
        dict(type='LinearClsHead', in_channels=512),
    ),
    'resnet14t': (
        dict(
            type='mmdrloc.TIMMBackbone',
            model_name='resnet14t',
            features_only=True,
        ),
        dict(type='LinearClsHead', in_channels=2048),
    ),
    'tiny_vit_5m_224': (  # timm's takes no size
        dict(
            type='TinyViT',
            arch='5m',
            img_size=(224, 224),
            window_size=[7, 7, 14, 7],
            gap_before_final_norm=True,
        ),
        dict(type='LinearClsHead', in_channels=320),
    ),
    'tiny_vit_11m_224': (
        dict(type='mmdrloc.TIMMBackbone', model_name='tiny_vit_11m_224'),
        dict(type='LinearClsHead', in_channels=448),
    ),
}
# timm's classifier averages before its norm, ours after it.
OTHER = 'tiny_vit_11m_224'


def build(name, **preprocessor):
    backbone, head = NETWORKS[name]
    tokens = backbone['type'] in ('VisionTransformer', 'TinyViT')
    cfg = Config(
        dict(
            dataset_meta=dict(classes=['cat', 'dog', 'hen']),
            test_pipeline=[
                dict(type='LoadImageFromFile'),
                dict(type='mmpretrain.ResizeEdge', scale=256),
                dict(type='mmpretrain.CenterCrop', crop_size=224),
                dict(type='mmpretrain.PackInputs'),
            ],
            model=dict(
                type='ImageClassifier',
                backbone=backbone,
                neck=None if tokens else dict(type='GlobalAveragePooling'),
                head=dict(head, num_classes=3),
                data_preprocessor=dict(
                    dict(
                        mean=[127.5, 127.5, 127.5],
                        std=[51.0, 51.0, 51.0],
                        to_rgb=True,
                    ),
                    **preprocessor,
                ),
            ),
        )
    )
    init_default_scope('mmpretrain')
    torch.manual_seed(1)
    model = MODELS.build(cfg.model)
    if name != OTHER:
        for parameter in model.parameters():  # no layer starts as zeros
            torch.nn.init.normal_(parameter, std=0.05)
    model.eval()
    return model, cfg


@pytest.mark.parametrize('name', [n for n in NETWORKS if n != OTHER])
def test_the_same_from_timm(name, tmp_path):
    model, cfg = build(name)
    write_timm(model, cfg, name, tmp_path / 'timm')
    theirs = timm.create_model(
        f'local-dir:{tmp_path / "timm"}', pretrained=True
    ).eval()
    size = theirs.pretrained_cfg['input_size'][-1]
    asked = NETWORKS[name][0].get('img_size', 224)
    assert asked in (size, (size, size))
    images = torch.randn(2, 3, size, size)
    with torch.no_grad():
        expected = model(images, mode='tensor')
        assert theirs(images).allclose(expected, rtol=1e-3, atol=1e-4)
        assert expected.std() > 0.01
    assert theirs.pretrained_cfg['mean'] == pytest.approx((0.5, 0.5, 0.5))
    assert theirs.pretrained_cfg['std'] == pytest.approx((0.2, 0.2, 0.2))
    for use_test_size in (False, True):
        steps = timm.data.resolve_model_data_config(
            theirs, use_test_size=use_test_size
        )
        assert steps['input_size'] == (3, size, size)
        if size == 224:
            assert steps['crop_pct'] == 224 / 256
            assert steps['interpolation'] == 'bilinear'  # mmpretrain's
    described = json.loads((tmp_path / 'timm/config.json').read_text())
    assert described['label_names'] == ['cat', 'dog', 'hen']


def test_images_as_they_are(tmp_path):
    """Ours are from 0 to 255, timm's from 0 to 1."""
    model, cfg = build('resnet18', mean=None, std=None)
    write_timm(model, cfg, 'resnet18', tmp_path / 'timm')
    path = f'local-dir:{tmp_path / "timm"}'
    theirs = timm.create_model(path, pretrained=True).eval()
    steps = timm.data.resolve_model_data_config(theirs)
    prepare = timm.data.create_transform(**steps)
    photo = np.random.default_rng(0).integers(0, 256, (224, 224, 3), np.uint8)
    pixels = torch.from_numpy(photo).permute(2, 0, 1)[None].float()
    # timm resizes to 256 before it cuts 224 out.
    steps['crop_pct'] = 1.0
    prepare = timm.data.create_transform(**steps)
    with torch.no_grad():
        seen = theirs(prepare(Image.fromarray(photo))[None])
        assert seen.allclose(model(pixels, mode='tensor'), rtol=1e-3)


def test_a_part_that_is_no_binary_fraction(tmp_path):
    """56 / 0.56 is less than 100 by rounding, and timm takes the floor."""
    model, cfg = build('resnet18', mean=None, std=None)
    cfg.test_pipeline[1].scale, cfg.test_pipeline[2].crop_size = 100, 56
    write_timm(model, cfg, 'resnet18', tmp_path / 'timm')
    path = f'local-dir:{tmp_path / "timm"}'
    theirs = timm.create_model(path, pretrained=True)
    steps = timm.data.resolve_model_data_config(theirs)
    photo = np.random.default_rng(0).integers(0, 256, (100, 100, 3), np.uint8)
    seen = timm.data.create_transform(**steps)(Image.fromarray(photo))
    expected = torch.from_numpy(photo[22:78, 22:78]).permute(2, 0, 1)
    assert seen.round().equal(expected.float())


@pytest.mark.parametrize(
    'steps',
    [
        [dict(type='Resize', scale=(224, 224), keep_ratio=True)],
        [
            dict(type='ResizeEdge', scale=224, edge='long'),
            dict(type='CenterCrop', crop_size=224),
        ],
        [
            dict(type='ResizeEdge', scale=224),
            dict(type='CenterCrop', crop_size=256, auto_pad=True),
        ],
        [
            dict(type='ResizeEdge', scale=224),
            dict(type='CenterCrop', crop_size=(160, 224)),
        ],
    ],
)
def test_steps_that_timm_has_no_words_for(steps, tmp_path):
    model, cfg = build('resnet18')
    cfg.test_pipeline[1:3] = steps
    write_timm(model, cfg, 'resnet18', tmp_path / 'timm')
    described = json.loads((tmp_path / 'timm/config.json').read_text())
    assert not described['pretrained_cfg'].get('test_crop_pct')


@pytest.mark.parametrize(
    'network,name,words',
    [
        ('resnet18', 'resnet10t', 'is another network'),
        ('resnet18', 'rsenet18', 'builds no rsenet18'),
        (OTHER, OTHER, 'other logits with the same weights'),
        ('swin_tiny_patch4_window7_224', None, 'of .49, 24., not .169, 24.'),
    ],
)
def test_another_network(network, name, words, tmp_path, monkeypatch):
    """As of 112 px, where the last grid of a Swin is 4 x 4."""
    if name is None:
        name = network
        backbone, head = NETWORKS[name]
        small = dict(backbone, img_size=112), head
        monkeypatch.setitem(NETWORKS, name, small)
    model, cfg = build(network)
    with pytest.raises(UsageError, match=words):
        write_timm(model, cfg, name, tmp_path / 'timm')


def test_images_that_are_padded(tmp_path):
    """timm's networks do not do it."""
    model, cfg = build('resnet18')
    model.data_preprocessor.pad_size_divisor = 48
    with pytest.raises(UsageError, match='multiples of 48 px'):
        write_timm(model, cfg, 'resnet18', tmp_path / 'timm')


def test_a_detector_is_none_of_timm_s(tmp_path):
    model, cfg = build('resnet18')
    cfg.default_scope = 'mmdet'
    with pytest.raises(UsageError, match='timm has classifiers alone'):
        write_timm(model, cfg, 'resnet18', tmp_path / 'timm')
