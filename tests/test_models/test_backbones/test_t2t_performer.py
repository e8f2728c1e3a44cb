"""T2T-ViT with Performer tokens, as its authors count and compute it."""

import math

import pytest
import torch
from mmpretrain.models import T2T_ViT
from model_configs import build, build_shapes, size, training_losses

from mmdrloc.models.backbones.t2t_performer import (
    PerformerT2TViT,
    TokenPerformer,
)

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
    [
        ('t2t-vit-14', 21_465_806, 79_744),
        ('t2t-vit-7', 4_255_694, 54_528),
    ],
)
def test_number_of_parameters(name, trained, fixed):
    model = build_shapes(name)
    assert size(p for p in model.parameters() if p.requires_grad) == trained
    total = size(model.state_dict().values())
    assert total == trained + fixed
    published = {'t2t-vit-14': '21.546 M', 't2t-vit-7': '4.310 M'}
    assert f'{total / 1e6:.3f} M' == published[name]


def test_drloc_mlp_adds_its_parameters():
    model = build_shapes('scratch_100e/t2t-vit-14_drloc')
    assert size(model.auxiliary_head.parameters()) == 657_410


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


def test_layers_keep_what_they_are_told():
    """Attention is built anew, with all that the config says."""
    stock, ours = (
        kind(
            embed_dims=24,
            num_layers=2,
            drop_path_rate=0.3,
            layer_cfgs=dict(
                num_heads=3,
                drop_rate=0.1,
                attn_drop_rate=0.2,
                qkv_bias=True,
            ),
        )
        .encoder[-1]
        .attn
        for kind in (T2T_ViT, PerformerT2TViT)
    )
    assert ours.attn_drop == stock.attn_drop == 0.2
    # Names, shapes and rates of all parts.
    assert repr(ours) == repr(stock)
    assert ours.out_drop.drop_prob == stock.out_drop.drop_prob == 0.3


def test_initialisation():
    model = build_tiny()
    model.init_weights()
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        if name.endswith('bias'):
            assert not parameter.any(), name
        elif 'norm' in name or '.ln' in name:
            assert (parameter == 1).all(), name
        else:
            assert parameter.std() < 0.03, name
            assert parameter.any(), name


def test_dropout_is_in_the_tokens_alone():
    model = build_tiny()
    rates = {
        module.p
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Dropout)
        and 'tokens_to_token' not in name
    }
    assert rates == {0.0}
    layer = model.backbone.tokens_to_token.attention1
    assert (layer.drop.p, layer.mlp[-1].p) == (0.1, 0.1)


def test_other_image_sizes():
    backbone = build_tiny().backbone
    assert isinstance(backbone, T2T_ViT)
    assert backbone(torch.randn(1, 3, 96, 64))[0].shape == (1, 24)


@pytest.mark.parametrize(
    'folder,pool', [('scratch_100e', 'avg2x2'), ('official', 'avg3x3s2')]
)
def test_drloc_training_step(folder, pool):
    torch.manual_seed(0)
    model = build_tiny(
        f'{folder}/t2t-vit-14_drloc', **{'auxiliary_head.in_channels': 24}
    )
    model.init_weights()
    losses = training_losses(model, 64)
    assert losses['loss_drloc'] == pytest.approx(0.1 * losses['drloc_raw'])
    for name, parameter in model.named_parameters():
        assert (parameter.grad is not None) == parameter.requires_grad, name
        assert parameter.grad is None or parameter.grad.isfinite().all(), name
    assert model.auxiliary_head.pool == pool
