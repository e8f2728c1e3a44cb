"""CCT: its size in print, its maps, and weights carried to other images."""

import pytest
import torch
from mmengine.registry import MODELS, init_default_scope

from mmdrloc.models import CCT, GridTap, SeqPool

TINY = dict(
    arch=dict(
        embed_dims=16, num_layers=3, num_heads=2, feedforward_channels=32
    )
)


def tiny(**changes):
    torch.manual_seed(0)
    network = CCT(**{**TINY, **changes})
    network.init_weights()
    network.eval()  # mmpretrain's returns None
    return network


def test_parameters_of_cct_7_3x1():
    """3.76 million with 10 classes, as in the paper."""
    init_default_scope('mmpretrain')
    model = MODELS.build(
        dict(
            type='ImageClassifier',
            backbone=dict(type='mmdrloc.CCT'),
            neck=dict(type='mmdrloc.SeqPool', in_channels=256),
            head=dict(type='LinearClsHead', num_classes=10, in_channels=256),
        )
    )
    assert sum(p.numel() for p in model.parameters()) == 3_760_139


@pytest.mark.parametrize(
    'kernel_size, num_convs, cells', [(3, 1, 32), (3, 2, 16), (7, 2, 4)]
)
def test_cells_of_64_pixels(kernel_size, num_convs, cells):
    network = tiny(img_size=64, kernel_size=kernel_size, num_convs=num_convs)
    with GridTap(network, ['layers.2'], [16]) as tap:
        (grid,) = network(torch.randn(2, 3, 64, 64))
    assert grid.shape == (2, 16, cells, cells)
    assert network.pos_embed.shape[1] == cells**2
    # The tap stands before the last norm.
    (tokens,) = tap.grids()
    assert tokens.shape == grid.shape and not tokens.equal(grid)


@pytest.mark.parametrize('window_size', [None, 8])
def test_weights_are_those_of_a_dense_host(window_size):
    """The same features at the training's size, maps of any other one."""
    plain = tiny()
    dense = tiny(out_indices=(0, 2), window_size=window_size)
    dense.load_state_dict(plain.state_dict())
    images = torch.randn(1, 3, 32, 32)
    first, last = dense(images)
    if window_size is None:
        assert last.equal(plain(images)[0])
    sizes = [tuple(m.shape[2:]) for m in dense(torch.randn(1, 3, 45, 70))]
    assert first.shape == last.shape and sizes == [(23, 35)] * 2


def test_weights_of_another_size_are_interpolated():
    small, large = tiny(img_size=32), tiny(img_size=48)
    large.load_state_dict(small.state_dict())
    assert large.pos_embed.shape[1] == 24**2


def test_seq_pool_is_a_weighted_mean():
    pool = SeqPool(2)
    torch.nn.init.constant_(pool.score.weight, 0.0)
    grid = torch.randn(3, 2, 4, 5)
    torch.testing.assert_close(pool((grid,))[0], grid.mean((2, 3)))
    # One cell that stands out is all that counts.
    torch.nn.init.constant_(pool.score.weight, 100.0)
    grid[:, :, 1, 2] = 9.0
    torch.testing.assert_close(pool((grid,))[0], torch.full((3, 2), 9.0))
