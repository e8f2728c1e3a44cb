"""The official DRLoc code's ViT."""

import torch
import torch.nn.functional as F
from golden import assert_loads, assert_round_trip, load_golden
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS

from mmdrloc.checkpoints.origins import ORIGINS, detect_origin
from mmdrloc.checkpoints.origins.vit_drloc import to_convolution
from mmdrloc.models import GridTap

VIT = ORIGINS['vit-drloc']


def classifier(image_size, patch_size, dim, depth, heads, mlp_dim, classes):
    init_default_scope('mmpretrain')
    return MODELS.build(
        dict(
            type='mmdrloc.DRLocClassifier',
            backbone=dict(
                type='mmdrloc.DRLocViT',
                arch=dict(
                    embed_dims=dim,
                    num_layers=depth,
                    num_heads=heads,
                    feedforward_channels=mlp_dim,
                ),
                img_size=image_size,
                patch_size=patch_size,
                qkv_bias=False,
                norm_cfg=dict(type='LN', eps=1e-5),
            ),
            head=dict(
                type='VisionTransformerClsHead',
                num_classes=classes,
                in_channels=dim,
            ),
            auxiliary_head=dict(
                type='mmdrloc.DRLocHead',
                source=f'layers.{depth - 1}',
                in_channels=dim,
                hidden_channels=11,
            ),
        )
    )


def their_weights(cells, patch, dim, depth, mlp_dim, classes):
    """What the official network of this size saves, drawn at random."""
    shapes = {
        'pos_embedding': (1, cells + 1, dim),
        'cls_token': (1, 1, dim),
        'to_patch_embedding.1': (dim, patch * patch * 3),
        'mlp_head.0': (dim,),
        'mlp_head.1': (classes, dim),
        'drloc.0.layers.0': (11, 2 * dim),
        'drloc.0.layers.2': (11, 11),
        'drloc.0.layers.4': (2, 11),
    }
    for index in range(depth):
        attention, mlp = (f'transformer.layers.{index}.{i}' for i in (0, 1))
        shapes[f'{attention}.norm'] = shapes[f'{mlp}.norm'] = (dim,)
        shapes[f'{attention}.fn.to_qkv'] = (3 * dim, dim)
        shapes[f'{attention}.fn.to_out.0'] = (dim, dim)
        shapes[f'{mlp}.fn.net.0'] = (mlp_dim, dim)
        shapes[f'{mlp}.fn.net.3'] = (dim, mlp_dim)
    generator = torch.Generator().manual_seed(0)
    weights = {}
    for name, shape in shapes.items():
        tensor = torch.randn(shape, generator=generator)
        if len(shape) == 3:
            weights[name] = tensor
            continue
        weights[f'{name}.weight'] = tensor
        if not name.endswith('to_qkv'):
            weights[f'{name}.bias'] = torch.randn(
                shape[0], generator=generator
            )
    return weights


def test_golden_logits_and_grid():
    golden = load_golden('vit_drloc_small.pt')
    arch = dict(golden['arch'], classes=len(golden['logits'][0]))
    assert arch.pop('dim_head') * arch['heads'] == arch['dim']
    model = classifier(**arch)
    del model.auxiliary_head  # the file has none
    assert detect_origin(golden['state_dict']) is VIT
    converted = VIT.to_ours(golden['state_dict'])
    assert not converted.unknown
    assert_loads(model, converted.weights)
    assert_round_trip(VIT, golden['state_dict'])

    model.eval()
    with torch.no_grad(), GridTap(model.backbone, ['layers.1'], [64]) as tap:
        logits = model(golden['input'])
    torch.testing.assert_close(logits, golden['logits'], rtol=0, atol=1e-5)
    tokens = tap.grids()[0].flatten(2).transpose(1, 2)
    torch.testing.assert_close(
        tokens, golden['pre_norm_tokens'][:, 1:], rtol=1e-5, atol=1e-5
    )


def test_another_size_with_drloc():
    weights = their_weights(9, 8, dim=30, depth=3, mlp_dim=45, classes=7)
    assert detect_origin(weights) is VIT
    assert_round_trip(VIT, weights)
    converted = VIT.to_ours(weights)
    assert not converted.unknown and not converted.derived
    assert_loads(classifier(24, 8, 30, 3, 5, 45, 7), converted.weights)


def test_patch_embedding_is_the_same_function():
    weight, image = torch.randn(5, 4 * 4 * 3), torch.randn(1, 3, 8, 12)
    patches = image.view(3, 2, 4, 3, 4).permute(1, 3, 2, 4, 0).flatten(2)
    expected = (patches @ weight.t()).permute(2, 0, 1).unsqueeze(0)
    found = F.conv2d(image, to_convolution(weight), stride=4)
    torch.testing.assert_close(found, expected)
