"""Features of a classifier's and of a detector's Swin."""

import pytest
import torch
from mmengine.config import Config
from mmpretrain.models import SwinTransformer

from mmdrloc.checkpoints.transfer import compare_features
from mmdrloc.utils.errors import UsageError

ARCH = dict(embed_dims=8, depths=[1, 1, 1, 2], num_heads=[1, 1, 2, 2])


def config(scope, **backbone):
    return Config(
        dict(
            default_scope=scope,
            model=dict(backbone=dict(type='SwinTransformer', **backbone)),
        )
    )


def classifier(**options):
    return config('mmpretrain', arch=ARCH, **options)


DETECTOR = config(
    'mmdet',
    embed_dims=8,
    depths=[1, 1, 1, 2],
    num_heads=[1, 1, 2, 2],
    convert_weights=False,
)
SEGMENTOR = config(
    'mmseg', embed_dims=8, depths=[1, 1, 1, 2], num_heads=[1, 1, 2, 2]
)


@pytest.fixture(scope='module')
def weights():
    torch.manual_seed(0)
    network = SwinTransformer(arch=ARCH, pad_small_map=True)
    network.init_weights()
    for tensor in network.parameters():
        torch.nn.init.normal_(tensor, std=0.2)
    return {f'backbone.{n}': t for n, t in network.state_dict().items()}


@pytest.mark.parametrize('target', [DETECTOR, SEGMENTOR])
def test_the_libraries_agree_to_the_bit(weights, target):
    source = classifier(pad_small_map=True)
    found = compare_features(weights, source, target)
    assert [d.image_size for d in found] == [
        (224, 224),
        (512, 512),
        (250, 333),
    ]
    assert [d.greatest for d in found] == [0.0, 0.0, 0.0]
    assert found[2].shape == (1, 64, 8, 11)


def test_a_shift_that_is_left_out_shows(weights):
    """At 224 px the last grid is one window: the default does not shift."""
    found = compare_features(weights, classifier(), DETECTOR)
    assert found[0].greatest > 1e-3


def test_another_network_is_refused(weights):
    with pytest.raises(UsageError, match='has no place for|does not take'):
        compare_features(
            weights, classifier(pad_small_map=True), config('mmpretrain')
        )
