"""Grids out of whatever modules return."""

import copy

import pytest
import torch
from torch import nn

from mmdrloc.models.grid_tap import GridTap, expand_sources, to_grid
from mmdrloc.utils.errors import UsageError


def tokens_of(grid):
    return grid.flatten(2).transpose(1, 2)


GRID = torch.randn(2, 6, 4, 9)
SQUARE = torch.randn(2, 6, 5, 5)
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
        (tokens_of(SQUARE), (), 0, SQUARE),
        (with_extra(SQUARE, 1), (), 1, SQUARE),
        (with_extra(SQUARE, 2), (), 2, SQUARE),
        ((tokens_of(OTHER), (2, 5), tokens_of(GRID), (4, 9)), (), 0, GRID),
        ((tokens_of(GRID), (4, 9), tokens_of(OTHER), (2, 5)), (), 0, GRID),
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
        (torch.randn(2, 12, 6), '12 tokens without a shape'),
        (torch.randn(2, 0, 6), '0 tokens without a shape'),
    ],
)
def test_what_is_no_grid_is_described(output, words):
    with pytest.raises(UsageError, match=words):
        to_grid(output, (), 6, 0)


CELLS = with_extra(GRID, 1)  # 36 of them: 6x6, if nobody knew better


def test_what_the_network_says_of_its_grid():
    assert torch.equal(to_grid(CELLS, (), 6, 1, (4, 9)), GRID)
    assert to_grid(CELLS, (), 6, 1).shape[2:] == (6, 6)


def test_cells_of_a_window_are_no_grid_of_the_image():
    with pytest.raises(UsageError, match='36 of them .* no 8 x 9 cells'):
        to_grid(CELLS, (), 6, 1, (8, 9))


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
