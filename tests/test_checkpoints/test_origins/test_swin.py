"""Microsoft's and timm's Swin, against the authors' tensors and timm."""

import timm
import torch
from golden import (
    assert_loads,
    assert_round_trip,
    load_golden,
    random_weights,
)
from mmpretrain.models import ImageClassifier

from mmdrloc.checkpoints.origins import ORIGINS, detect_origin
from mmdrloc.checkpoints.origins.swin_names import (
    by_channel,
    by_neighbour,
)
from mmdrloc.models import GridTap

MICROSOFT, TIMM = ORIGINS['swin-microsoft'], ORIGINS['swin-timm']


def classifier(embed_dims, depths, num_heads, img_size, num_classes):
    return ImageClassifier(
        backbone=dict(
            type='SwinTransformer',
            arch=dict(
                embed_dims=embed_dims, depths=depths, num_heads=num_heads
            ),
            img_size=img_size,
            drop_path_rate=0.0,
        ),
        neck=dict(type='GlobalAveragePooling'),
        head=dict(
            type='LinearClsHead',
            num_classes=num_classes,
            in_channels=8 * embed_dims,
        ),
    )


def timm_swin():
    """Another width, depth and number of heads than the golden file's."""
    torch.manual_seed(0)
    network = timm.models.swin_transformer.SwinTransformer(
        img_size=224,
        embed_dim=16,
        depths=(2, 1, 1, 2),
        num_heads=(2, 2, 4, 8),
        window_size=7,
        num_classes=6,
    ).eval()
    network.load_state_dict(random_weights(network))
    return network


def logits(model, images):
    model.eval()
    with torch.no_grad():
        return model(images, mode='tensor')


def test_golden_logits_and_grid():
    golden = load_golden('swin_small_arch.pt')
    arch = dict(golden['arch'])
    assert arch.pop('window_size') == 7
    model = classifier(**arch)
    assert detect_origin(golden['state_dict']) is MICROSOFT
    converted = MICROSOFT.to_ours(golden['state_dict'])
    assert not converted.unknown
    assert_loads(model, converted.weights)
    with GridTap(model.backbone, ['stages.3'], [96]) as tap:
        found = logits(model, golden['input'])
    torch.testing.assert_close(found, golden['logits'], rtol=0, atol=1e-5)
    torch.testing.assert_close(
        tap.grids()[0], golden['pre_norm_grid'], rtol=1e-5, atol=1e-5
    )


def test_renaming_alone_is_wrong():
    """The order of patch merging's channels matters."""
    golden = load_golden('swin_small_arch.pt')
    arch = dict(golden['arch'])
    arch.pop('window_size')
    model = classifier(**arch)
    weights = MICROSOFT.to_ours(golden['state_dict']).weights
    for name, tensor in weights.items():
        if 'downsample' in name:
            weights[name] = by_neighbour(tensor)
    assert_loads(model, weights)
    found = logits(model, golden['input'])
    assert (found - golden['logits']).abs().max() > 1e-3


def test_timm_logits_and_round_trip():
    network = timm_swin()
    theirs = network.state_dict()
    assert detect_origin(theirs) is TIMM
    model = classifier(16, [2, 1, 1, 2], [2, 2, 4, 8], 224, 6)
    assert_loads(model, TIMM.to_ours(theirs).weights)
    images = torch.rand(2, 3, 224, 224)
    torch.testing.assert_close(
        logits(model, images),
        logits_of_timm(network, images),
        rtol=1e-5,
        atol=1e-4,
    )
    assert_round_trip(TIMM, theirs)


def logits_of_timm(network, images):
    with torch.no_grad():
        return network(images)


def test_microsoft_round_trip_and_timm_reads_it():
    """timm, which reads Microsoft's files too, agrees with what we write."""
    torch.manual_seed(0)
    model = classifier(16, [2, 1, 1, 2], [2, 2, 4, 8], 224, 6)
    model.load_state_dict(random_weights(model), strict=False)
    theirs = MICROSOFT.to_theirs(model.state_dict()).weights
    assert detect_origin(theirs) is MICROSOFT
    assert_round_trip(MICROSOFT, theirs)
    network = timm_swin()
    network.load_state_dict(
        timm.models.swin_transformer.checkpoint_filter_fn(theirs, network)
    )
    images = torch.rand(2, 3, 224, 224)
    torch.testing.assert_close(
        logits(model, images),
        logits_of_timm(network, images),
        rtol=1e-5,
        atol=1e-4,
    )


def test_official_drloc_mlps_come_along():
    mlps = {
        f'drloc.0.{part}.{kind}': torch.rand(2)
        for part in ('layers.0', 'layers.4', 'unshared.1')
        for kind in ('weight', 'bias')
    }
    ours = MICROSOFT.to_ours(mlps).weights
    assert 'auxiliary_head.mlps.0.branches.1.bias' in ours
    assert_round_trip(MICROSOFT, mlps)


def test_orders_of_channels():
    neighbours = torch.tensor([[0, 10], [20, 30]])  # by row and column
    theirs = torch.cat(
        [neighbours[r, c] + torch.arange(3) for c in (0, 1) for r in (0, 1)]
    )
    ours = torch.cat([neighbours.flatten() + channel for channel in range(3)])
    assert by_channel(theirs).equal(ours)
    assert by_neighbour(ours).equal(theirs)
