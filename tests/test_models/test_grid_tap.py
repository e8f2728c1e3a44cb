"""Grids out of whatever modules return."""

import copy

import pytest
import torch
from timm.models import VisionTransformer
from timm.models.hiera import Hiera
from torch import nn

from mmdrloc.models.backbones.dense_transformer import DenseViT
from mmdrloc.models.grid_tap import GridTap, expand_sources, to_grid
from mmdrloc.utils.errors import UsageError


def tokens_of(grid):
    return grid.flatten(2).transpose(1, 2)


GRID = torch.randn(2, 6, 4, 9)
OTHER = torch.randn(2, 12, 2, 5)


def with_extra(grid, count):
    return torch.cat((torch.randn(2, count, 6), tokens_of(grid)), dim=1)


@pytest.mark.parametrize(
    'output,inputs,extra,expected',
    [
        (GRID, (), 0, GRID),
        (GRID.permute(0, 2, 3, 1), (), 0, GRID),
        ((GRID,), (), 0, GRID),
        ((tokens_of(GRID), (4, 9)), (), 0, GRID),
        ((with_extra(GRID, 1), (4, 9)), (), 1, GRID),
        (tokens_of(GRID), ('x', (4, 9)), 0, GRID),
        ((tokens_of(OTHER), (2, 5), tokens_of(GRID), (4, 9)), (), 0, GRID),
        ((tokens_of(GRID), (4, 9), tokens_of(OTHER), (2, 5)), (), 0, GRID),
        ((GRID, torch.randn(2, 1, 6)), (), 0, GRID),  # a class token
    ],
)
def test_forms_of_a_grid(output, inputs, extra, expected):
    assert torch.equal(to_grid(output, inputs, 6, extra), expected)


@pytest.mark.parametrize(
    'output,words',
    [
        (torch.randn(2, 7, 4, 4), r'\(2, 7, 4, 4\).*in_channels=6'),
        (torch.randn(2, 6), r'\(2, 6\)'),
        ('text', 'str'),
        (torch.randn(2, 12, 6), '2 x 12 tokens without a shape'),
        (torch.randn(2, 0, 6), '2 x 0 tokens without a shape'),
    ],
)
def test_what_is_no_grid_is_described(output, words):
    with pytest.raises(UsageError, match=words):
        to_grid(output, (), 6, 0)


@pytest.mark.parametrize('extra', [0, 1, 2])
@pytest.mark.parametrize('size', [(4, 9), (8, 18), (64, 144), (79, 159)])
def test_tokens_are_squares_of_the_whole_image(size, extra):
    """Its size in these cells, in smaller ones or in pixels."""
    grid = to_grid(with_extra(GRID, extra), (), 6, extra, (2, *size))
    assert torch.equal(grid, GRID)


@pytest.mark.parametrize('image', [None, (2, 8, 9), (2, 50, 80), (1, 64, 144)])
def test_tokens_of_no_known_shape_are_refused(image):
    """36 of them are 6 x 6 cells, if one guessed; or those of a window."""
    with pytest.raises(UsageError, match='36 after the extra tokens'):
        to_grid(with_extra(GRID, 1), (), 6, 1, image)


@pytest.mark.parametrize(
    'shape', [(8, 4, 9, 6), (8, 6, 4, 9), (2, 2, 18, 6), (2, 6, 36, 1)]
)
def test_maps_of_windows_are_refused(shape):
    with pytest.raises(UsageError, match='no map of 2 whole images'):
        to_grid(torch.randn(shape), (), 6, 0, (2, 64, 144))


@pytest.mark.parametrize(
    'size', [(4, 9), (5, 9), (4, 8), (3, 9), (1, 2), (1, 3), (2, 5), (60, 140)]
)
def test_maps_need_not_be_whole_parts_of_the_image(size):
    grid = torch.randn(2, 6, *size)
    assert to_grid(grid, (), 6, 0, (2, 64, 144)) is grid


def test_tokens_in_the_order_of_windows_are_refused():
    net = Hiera(
        img_size=64, embed_dim=8, num_heads=1, stages=(1, 1, 1, 1), q_pool=2
    )
    with GridTap(net, ['blocks.1'], [16]) as tap:
        net(torch.randn(2, 3, 64, 64))
    with pytest.raises(UsageError, match='the order of its windows'):
        tap.grids()


def test_tokens_that_are_dropped_at_random_are_refused():
    """A quarter of 8 x 8 would pass for a grid of larger cells."""
    net = VisionTransformer(
        img_size=32,
        patch_size=4,
        embed_dim=6,
        depth=1,
        num_heads=1,
        patch_drop_rate=0.75,
    )
    images = torch.randn(2, 3, 32, 32)
    with GridTap(net, ['blocks.0'], [6]) as tap:
        net(images)
    with pytest.raises(UsageError, match='drops tokens at random'):
        tap.grids()
    with GridTap(net.eval(), ['blocks.0'], [6]) as tap:
        net(images)
    assert tap.grids()[0].shape == (2, 6, 8, 8)


def test_a_map_as_high_as_it_has_channels_is_not_guessed():
    first = torch.randn(2, 6, 9, 6)
    with pytest.raises(UsageError, match='first or last'):
        to_grid(first, (), 6, 0)
    assert torch.equal(to_grid(first, (), 6, 0, None, False), first)
    last = first.permute(0, 2, 3, 1).contiguous()
    assert torch.equal(to_grid(last, (), 6, 0, None, True), first)


def network():
    return nn.Sequential(
        nn.Conv2d(3, 6, 1), nn.Sequential(nn.ReLU(), nn.Conv2d(6, 6, 1))
    )


def test_tap_reads_and_leaves_nothing():
    net = network()
    image = torch.randn(1, 3, 4, 4)
    with GridTap(net, ['0', '1.1'], [6, 6]) as tap:
        output = net(image)
    first, last = tap.grids()
    assert torch.equal(first, net[0](image)) and torch.equal(last, output)
    assert last.grad_fn is not None
    for module in copy.deepcopy(net).modules():
        assert not module._forward_hooks


def test_the_last_run_of_a_shared_layer_counts():
    shared = nn.Conv2d(6, 6, 1)
    net = nn.Sequential(nn.Conv2d(3, 6, 1), shared, shared)
    with GridTap(net, ['1'], [6]) as tap:
        output = net(torch.randn(1, 3, 4, 4))
    assert torch.equal(tap.grids()[0], output)


def test_the_last_of_several_forward_passes_counts():
    """As of a model that takes crops of several sizes; none is a window."""
    net = network()
    with GridTap(net, ['1'], [6]) as tap:
        net(torch.randn(1, 3, 8, 8))
        output = net(torch.randn(1, 3, 4, 4))
    assert torch.equal(tap.grids()[0], output)


def test_hooks_go_when_the_forward_pass_fails():
    net = network()
    with pytest.raises(RuntimeError), GridTap(net, ['0'], [6]):
        net(torch.randn(1, 5, 4, 4))
    assert not net[0]._forward_hooks


def test_idle_source_is_named():
    net = network()
    with GridTap(net, ['1'], [6]) as tap:
        net[0](torch.randn(1, 3, 4, 4))
    with pytest.raises(UsageError, match="'1' did not run"):
        tap.grids()


def test_wrong_source_is_named_with_what_it_returned():
    net = network()
    with GridTap(net, ['1.1'], [7]) as tap:
        net(torch.randn(1, 3, 4, 4))
    with pytest.raises(
        UsageError, match=r"'1.1' \(Conv2d\) returned.*\(1, 6, 4, 4\)"
    ):
        tap.grids()


def test_sources_expand_component_by_component():
    net = nn.Sequential(network(), network())
    assert expand_sources(net, '*.1.*') == ['0.1.0', '0.1.1', '1.1.0', '1.1.1']
    assert expand_sources(net, ['1.0', '*.0']) == ['1.0', '0.0', '1.0']


def test_sources_that_are_not_there_are_named_with_what_is():
    with pytest.raises(UsageError, match="'stage.3'.*mean 'stages.3'"):
        stages = nn.ModuleList(nn.Identity() for _ in range(4))
        expand_sources(nn.ModuleDict(dict(stages=stages)), 'stage.3')
    with pytest.raises(UsageError, match=r"'body'.*it has \['0', '1'\]"):
        expand_sources(network(), 'body')


@pytest.mark.parametrize('layer', [2, 3])
def test_a_layer_that_runs_in_windows_is_refused(layer):
    """The last call sees one corner, whose grid would pass for the whole."""
    net = DenseViT(
        arch=dict(
            embed_dims=8, num_layers=4, num_heads=2, feedforward_channels=8
        ),
        img_size=48,
        patch_size=16,
        window_size=5,
        out_indices=(1, 3),
    )
    source = f'layers.{layer}'
    with GridTap(net, [source], [8]) as tap:
        net(torch.randn(2, 3, 144, 144))
    if layer == 3:  # the last sees all
        assert tap.grids()[0].shape == (2, 8, 9, 9)
    else:
        with pytest.raises(UsageError, match="'layers.2' runs 4 times"):
            tap.grids()
