"""CvT as its authors save it, against their tensors."""

import torch
from golden import (
    assert_loads,
    assert_round_trip,
    load_golden,
    random_weights,
)
from mmpretrain.models import ImageClassifier

from mmdrloc.checkpoints.origins import ORIGINS, detect_origin

ORIGIN = ORIGINS['cvt-microsoft']


def classifier(embed_dims, depths, num_heads, num_classes):
    return ImageClassifier(
        backbone=dict(
            type='mmdrloc.CvT',
            arch=dict(
                embed_dims=embed_dims, depths=depths, num_heads=num_heads
            ),
            variant='microsoft',
            out_type='cls_token',
        ),
        head=dict(
            type='LinearClsHead',
            num_classes=num_classes,
            in_channels=embed_dims[-1],
        ),
    ).eval()


def test_golden_logits():
    golden = load_golden('cvt_official_small.pt')
    arch = golden['arch']
    model = classifier(
        arch['DIM_EMBED'],
        arch['DEPTH'],
        arch['NUM_HEADS'],
        golden['num_classes'],
    )
    assert detect_origin(golden['state_dict']) is ORIGIN
    assert_loads(model, ORIGIN.to_ours(golden['state_dict']).weights)
    assert_round_trip(ORIGIN, golden['state_dict'])
    with torch.no_grad():
        (token,) = model.extract_feat(golden['input'])
        logits = model(golden['input'], mode='tensor')
    torch.testing.assert_close(
        token[0], golden['pre_logits'], rtol=1e-5, atol=1e-5
    )
    torch.testing.assert_close(
        logits[0], golden['logits'], rtol=1e-5, atol=1e-5
    )


def test_round_trip_of_another_architecture():
    weights = random_weights(classifier([8, 24, 40], [2, 1, 3], [2, 3, 5], 6))
    theirs = ORIGIN.to_theirs(weights)
    assert not theirs.unknown
    assert 'stage2.cls_token' in theirs.weights
    assert 'stage1.blocks.0.attn.proj_v.bias' in theirs.weights
    assert 'stage2.blocks.2.attn.conv_proj_k.bn.running_var' in theirs.weights
    assert detect_origin(theirs.weights) is ORIGIN
    assert_round_trip(ORIGIN, theirs.weights)
    ours = ORIGIN.to_ours(theirs.weights).weights
    assert set(ours) == set(weights)
    assert all(ours[name].equal(weights[name]) for name in weights)
