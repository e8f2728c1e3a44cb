"""timm's ViT and DeiT, the same function in both directions."""

import pytest
import timm
import torch
from golden import assert_loads, assert_round_trip
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS

from mmdrloc.checkpoints.origins import ORIGINS, detect_origin

PLAIN, DISTILLED = ORIGINS['vit-timm'], ORIGINS['deit-distilled-timm']
IMAGES = torch.randn(2, 3, 32, 32, generator=torch.Generator().manual_seed(1))


def timm_network(origin, qkv_bias=True, seed=0):
    """A small network of timm's whose every weight counts."""
    torch.manual_seed(seed)
    network = (
        timm.models.deit.VisionTransformerDistilled
        if origin is DISTILLED
        else timm.models.vision_transformer.VisionTransformer
    )(
        img_size=32,
        patch_size=8,
        embed_dim=30,
        depth=3,
        num_heads=5,
        mlp_ratio=2,
        num_classes=7,
        qkv_bias=qkv_bias,
    ).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return network


def classifier(origin, qkv_bias=True, img_size=32):
    init_default_scope('mmpretrain')
    head = 'DeiTClsHead' if origin is DISTILLED else 'VisionTransformerClsHead'
    return MODELS.build(
        dict(
            type='ImageClassifier',
            backbone=dict(
                type=origin.network,
                arch=dict(
                    embed_dims=30,
                    num_layers=3,
                    num_heads=5,
                    feedforward_channels=60,
                ),
                img_size=img_size,
                patch_size=8,
                qkv_bias=qkv_bias,
            ),
            head=dict(type=head, num_classes=7, in_channels=30),
        )
    ).eval()


def logits(model):
    with torch.no_grad():
        return model(IMAGES)


CASES = pytest.mark.parametrize(
    'origin,qkv_bias',
    [(PLAIN, True), (PLAIN, False), (DISTILLED, True)],
    ids=['qkv bias', 'no qkv bias', 'distilled'],
)


@CASES
def test_from_timm(origin, qkv_bias):
    theirs = timm_network(origin, qkv_bias)
    weights = theirs.state_dict()
    assert detect_origin(weights) is origin
    assert_round_trip(origin, weights)
    ours = classifier(origin, qkv_bias)
    assert_loads(ours, origin.to_ours(weights).weights)
    torch.testing.assert_close(logits(ours), logits(theirs))


@CASES
def test_to_timm(origin, qkv_bias):
    ours = classifier(origin, qkv_bias)
    source = timm_network(origin, qkv_bias, seed=2).state_dict()
    ours.load_state_dict(origin.to_ours(source).weights)
    theirs = timm_network(origin, qkv_bias)
    assert_loads(theirs, origin.to_theirs(ours.state_dict()).weights)
    torch.testing.assert_close(logits(theirs), logits(ours))


@pytest.mark.parametrize('origin', [PLAIN, DISTILLED])
def test_positions_fit_a_larger_image(origin):
    weights = timm_network(origin).state_dict()
    extra = 2 if origin is DISTILLED else 1
    model = classifier(origin, img_size=48)
    assert_loads(model, origin.to_ours(weights).weights)
    positions = model.backbone.pos_embed
    assert positions.shape == (1, extra + 36, 30)
    assert positions[:, :extra].equal(weights['pos_embed'][:, :extra])


def test_what_our_network_lacks_is_named():
    weights = dict(timm_network(PLAIN).state_dict())
    weights['blocks.0.ls1.gamma'] = torch.ones(30)
    assert PLAIN.to_ours(weights).unknown == ['blocks.0.ls1.gamma']
