"""CvT as the official DRLoc code saves it, against its tensors."""

import torch
from golden import (
    assert_loads,
    assert_round_trip,
    load_golden,
    random_weights,
)
from mmpretrain.models import ImageClassifier

from mmdrloc.checkpoints.origins import ORIGINS, detect_origin

ORIGIN = ORIGINS['cvt-drloc']


def classifier(embed_dims, depths, num_heads, num_classes):
    return ImageClassifier(
        backbone=dict(
            type='mmdrloc.CvT',
            arch=dict(
                embed_dims=embed_dims, depths=depths, num_heads=num_heads
            ),
        ),
        neck=dict(type='GlobalAveragePooling'),
        head=dict(
            type='LinearClsHead',
            num_classes=num_classes,
            in_channels=embed_dims[-1],
        ),
    ).eval()


def test_golden_logits_and_grid():
    golden = load_golden('cvt_drloc_variant_small.pt')
    model = classifier(
        *(
            [golden['arch'][f's{stage}_{name}'] for stage in (1, 2, 3)]
            for name in ('emb_dim', 'depth', 'heads')
        ),
        num_classes=10,
    )
    assert detect_origin(golden['state_dict']) is ORIGIN
    assert_loads(model, ORIGIN.to_ours(golden['state_dict']).weights)
    assert_round_trip(ORIGIN, golden['state_dict'])
    with torch.no_grad():
        (grid,) = model.backbone(golden['input'])
        logits = model(golden['input'], mode='tensor')
    torch.testing.assert_close(
        grid, golden['final_grid'], rtol=1e-5, atol=1e-5
    )
    torch.testing.assert_close(logits, golden['logits'], rtol=1e-5, atol=1e-5)


def test_round_trip_of_another_architecture():
    weights = random_weights(classifier([8, 24, 40], [2, 1, 3], [2, 3, 1], 6))
    theirs = ORIGIN.to_theirs(weights)
    assert not theirs.unknown
    shapes = {name: tuple(t.shape) for name, t in theirs.weights.items()}
    assert shapes['layers.1.1.g'] == (1, 24, 1, 1)
    block = 'layers.2.2.layers.2'
    assert shapes[f'{block}.0.fn.to_kv.net.2.weight'] == (128, 40, 1, 1)
    assert shapes[f'{block}.0.fn.to_out.0.bias'] == (40,)
    assert shapes[f'{block}.1.fn.net.3.weight'] == (40, 160, 1, 1)
    assert detect_origin(theirs.weights) is ORIGIN
    assert_round_trip(ORIGIN, theirs.weights)
    ours = ORIGIN.to_ours(theirs.weights).weights
    assert set(ours) == set(weights)
    assert all(ours[name].equal(weights[name]) for name in weights)


def test_drloc_mlps_come_along():
    theirs = {
        f'drloc.0.layers.{layer}.{kind}': torch.rand(2)
        for layer in (0, 2, 4)
        for kind in ('weight', 'bias')
    }
    assert set(ORIGIN.to_ours(theirs).weights) == {
        f'auxiliary_head.mlps.0.{name.partition("drloc.0.")[2]}'
        for name in theirs
    }
    assert_round_trip(ORIGIN, theirs)
