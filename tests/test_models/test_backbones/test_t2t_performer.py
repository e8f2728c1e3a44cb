"""T2T-ViT with Performer tokens, as its authors count and compute it."""

import math

import pytest
import torch
from model_configs import build, build_shapes, size

from mmdrloc.models.backbones.t2t_performer import TokenPerformer

TINY = {
    'backbone.img_size': 64,
    'backbone.embed_dims': 24,
    'backbone.num_layers': 2,
    'backbone.t2t_cfg': dict(token_dims=8),
    'backbone.layer_cfgs': dict(num_heads=3, feedforward_channels=72),
    'head.in_channels': 24,
}


def build_tiny(name='t2t-vit-14', **changes):
    return build(name, num_classes=5, **TINY, **changes)


@pytest.mark.parametrize(
    'name,trained,fixed',
    # Positions (197 x width) and two times 32 x 64 random features are fixed.
    [('t2t-vit-14', 21_465_806, 79_744), ('t2t-vit-7', 4_255_694, 54_528)],
)
def test_number_of_parameters(name, trained, fixed):
    model = build_shapes(name)
    assert size(p for p in model.parameters() if p.requires_grad) == trained
    total = size(model.state_dict().values())
    assert total == trained + fixed
    published = {'t2t-vit-14': '21.546 M', 't2t-vit-7': '4.310 M'}
    assert f'{total / 1e6:.3f} M' == published[name]


def test_attention_equals_its_quadratic_form():
    torch.manual_seed(0)
    layer = TokenPerformer(input_dims=10, token_dims=6).double()
    query, key, value = torch.randn(3, 2, 7, 6, dtype=torch.float64)
    assert layer.w.shape == (3, 6)
    expected = torch.zeros_like(value)
    for image in range(2):
        for i in range(7):
            scores = [
                sum(
                    math.exp(w @ q - q @ q / 2) * math.exp(w @ k - k @ k / 2)
                    for w in layer.w
                )
                / 3
                for q, k in ((query[image, i], k) for k in key[image])
            ]
            expected[image, i] = sum(
                score * v for score, v in zip(scores, value[image])
            ) / (sum(scores) + 1e-8)
    torch.testing.assert_close(layer.attention(query, key, value), expected)


def test_random_features_are_orthogonal_and_not_trained():
    model = build_tiny()
    model.init_weights()
    tokens = model.backbone.tokens_to_token
    for layer in (tokens.attention1, tokens.attention2):
        assert not layer.w.requires_grad
        torch.testing.assert_close(layer.w @ layer.w.t(), 4 * torch.eye(4))


def test_attention_keeps_its_precision_under_autocast():
    torch.manual_seed(0)
    layer = TokenPerformer(input_dims=10, token_dims=32)
    query, key, value = 2 * torch.randn(3, 2, 50, 32)
    expected = layer.attention(query, key, value)
    with torch.autocast('cpu', dtype=torch.bfloat16):
        assert layer.attention(query, key, value).equal(expected)
        assert torch.isfinite(layer(torch.randn(2, 50, 10))).all()


def test_scores_are_divided_by_the_root_of_the_head_width():
    """mmpretrain multiplies them instead."""
    model = build_tiny()
    attn = model.backbone.encoder[0].attn
    x = torch.randn(1, 6, 24)
    query, key, value = (
        attn.qkv(x).view(6, 3, 3, 8).permute(1, 2, 0, 3).unbind()
    )
    weights = (query @ key.transpose(1, 2) / math.sqrt(8)).softmax(-1)
    expected = attn.proj((weights @ value).transpose(0, 1).reshape(1, 6, 24))
    torch.testing.assert_close(attn(x), expected)
