"""T2T-ViT's authors' files, with and without the localization MLPs."""

import torch
from golden import assert_loads, assert_round_trip, load_golden
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS

from mmdrloc.checkpoints.origins import ORIGINS, detect_origin
from mmdrloc.models import GridTap

T2T = ORIGINS['t2t']


def classifier(
    img_size, num_classes, embed_dim, depth, num_heads, mlp_ratio, token_dim
):
    init_default_scope('mmpretrain')
    hidden = int(mlp_ratio * embed_dim)
    return MODELS.build(
        dict(
            type='mmdrloc.DRLocClassifier',
            backbone=dict(
                type='mmdrloc.PerformerT2TViT',
                img_size=img_size,
                embed_dims=embed_dim,
                num_layers=depth,
                t2t_cfg=dict(token_dims=token_dim),
                layer_cfgs=dict(
                    num_heads=num_heads, feedforward_channels=hidden
                ),
            ),
            head=dict(
                type='VisionTransformerClsHead',
                num_classes=num_classes,
                in_channels=embed_dim,
            ),
            auxiliary_head=dict(
                type='mmdrloc.DRLocHead',
                source='norm',
                in_channels=embed_dim,
                hidden_channels=11,
            ),
        )
    )


def their_weights(img_size, classes, width, depth, hidden, token):
    """What the authors' network of this size saves, drawn at random."""
    cells = (img_size // 16) ** 2
    shapes = {'cls_token': (1, 1, width), 'pos_embed': (1, cells + 1, width)}

    def linear(name, out_features, in_features, bias=True):
        shapes[f'{name}.weight'] = (out_features, in_features)
        if bias:
            shapes[f'{name}.bias'] = (out_features,)

    def norm(name, features):
        shapes[f'{name}.weight'] = shapes[f'{name}.bias'] = (features,)

    for index, channels in ((1, 3 * 7 * 7), (2, token * 3 * 3)):
        name = f'tokens_to_token.attention{index}'
        shapes[f'{name}.w'] = (token // 2, token)
        linear(f'{name}.kqv', 3 * token, channels)
        linear(f'{name}.proj', token, token)
        norm(f'{name}.norm1', channels)
        norm(f'{name}.norm2', token)
        linear(f'{name}.mlp.0', token, token)
        linear(f'{name}.mlp.2', token, token)
    linear('tokens_to_token.project', width, token * 3 * 3)
    for index in range(depth):
        name = f'blocks.{index}'
        norm(f'{name}.norm1', width)
        linear(f'{name}.attn.qkv', 3 * width, width, bias=False)
        linear(f'{name}.attn.proj', width, width)
        norm(f'{name}.norm2', width)
        linear(f'{name}.mlp.fc1', hidden, width)
        linear(f'{name}.mlp.fc2', width, hidden)
    norm('norm', width)
    linear('head', classes, width)
    linear('drloc.0.layers.0', 11, 2 * width)
    linear('drloc.0.layers.2', 11, 11)
    linear('drloc.0.layers.4', 2, 11)
    generator = torch.Generator().manual_seed(0)
    return {
        name: torch.randn(shape, generator=generator)
        for name, shape in shapes.items()
    }


def test_golden_logits_and_grid():
    golden = load_golden('t2t_performer_small.pt')
    model = classifier(**golden['arch'])
    del model.auxiliary_head  # the file has none
    assert detect_origin(golden['state_dict']) is T2T
    converted = T2T.to_ours(golden['state_dict'])
    assert not converted.unknown
    assert_loads(model, converted.weights)
    assert_round_trip(T2T, golden['state_dict'])

    model.eval()
    with torch.no_grad(), GridTap(model.backbone, ['norm'], [48]) as tap:
        logits = model(golden['input'])
    torch.testing.assert_close(logits, golden['logits'], rtol=0, atol=1e-5)
    tokens = tap.grids()[0].flatten(2).transpose(1, 2)
    torch.testing.assert_close(
        tokens, golden['post_norm_tokens'][:, 1:], rtol=0, atol=1e-5
    )


def test_another_size_with_drloc():
    weights = their_weights(64, 7, width=40, depth=3, hidden=80, token=12)
    assert detect_origin(weights) is T2T
    assert_round_trip(T2T, weights)
    converted = T2T.to_ours(weights)
    assert not converted.unknown and not converted.derived
    assert_loads(classifier(64, 7, 40, 3, 5, 2, 12), converted.weights)


def test_positions_fit_a_larger_image():
    weights = their_weights(64, 7, width=40, depth=1, hidden=80, token=12)
    model = classifier(96, 7, 40, 1, 5, 2, 12)
    converted = T2T.to_ours(weights).weights
    assert_loads(model, converted)
    assert model.backbone.pos_embed.shape == (1, 37, 40)
    assert model.backbone.pos_embed[:, 0].equal(weights['pos_embed'][:, 0])
