"""The controls: as strong as DRLoc's L1, and silent on where things lie."""

import pytest
import torch

from mmdrloc.models import (
    DRLocHead,
    DRLocL1Loss,
    DRLocPlaceboLoss,
    DRLocScrambledLoss,
)
from mmdrloc.models.losses import best_constant_loss, scrambled_cells

SIZE = (8, 8)


@pytest.fixture(params=[False, True], ids=['unsigned', 'signed'])
def losses(request):
    """DRLoc's loss and the placebo's, and many pairs."""
    head = DRLocHead('grid', 3)
    generator = torch.Generator().manual_seed(0)
    pairs = head.sample_pairs(400, SIZE, 'cpu', generator)
    options = dict(signed=request.param, loss_weight=0.1)
    return DRLocL1Loss(**options), DRLocPlaceboLoss(**options), pairs


def targets_of(loss, pairs):
    offsets = (pairs[..., :2] - pairs[..., 2:]).double()
    return torch.stack(
        [loss.target(axis, 8) for axis in offsets.unbind(-1)], dim=-1
    )


def test_targets_are_those_of_the_pair_before(losses):
    drloc, placebo, pairs = losses
    others = targets_of(drloc, pairs).flatten(0, 1).roll(1, 0)
    answers = others.view(400, 64, 2)
    assert placebo(answers, pairs, SIZE) == 0
    assert drloc(answers, pairs, SIZE) > 0.1


def test_nothing_can_be_learnt(losses):
    """Who knows the offset loses more than who says the same always."""
    drloc, placebo, pairs = losses
    constant = best_constant_loss(placebo, SIZE, (SIZE,), (2,))
    assert constant == best_constant_loss(drloc, SIZE, (SIZE,), (2,))
    right = targets_of(drloc, pairs)
    median = right.flatten(0, 1).median(0).values.expand_as(right)
    assert drloc(right, pairs, SIZE) == 0
    assert placebo(right, pairs, SIZE) > 1.2 * constant
    assert float(placebo(median, pairs, SIZE)) == pytest.approx(
        constant, rel=0.02
    )


@pytest.mark.parametrize('size', [(8, 8), (3, 5)])
def test_the_wrong_map_has_each_cell_once_and_few_neighbours(size):
    places = scrambled_cells(size, torch.device('cpu'))
    cells = [(r, c) for r in range(size[0]) for c in range(size[1])]
    assert sorted(map(tuple, places.tolist())) == cells
    grid = places.view(*size, 2)
    steps = (grid[:, 1:] - grid[:, :-1]).abs().sum(-1)
    assert (steps == 1).float().mean() < 0.3


def test_the_wrong_map_is_the_same_in_every_process():
    places = scrambled_cells(SIZE, torch.device('cpu'))
    scrambled_cells.cache_clear()  # as in a process that begins
    torch.manual_seed(1)
    assert scrambled_cells(SIZE, torch.device('cpu')).equal(places)


@pytest.mark.parametrize('signed', [False, True])
@pytest.mark.parametrize('size', [(8, 8), (3, 5)])
def test_who_knows_the_wrong_map_answers_it(signed, size):
    head = DRLocHead('grid', 3)
    generator = torch.Generator().manual_seed(0)
    pairs = head.sample_pairs(50, size, 'cpu', generator)
    scrambled = DRLocScrambledLoss(signed=signed)
    places = scrambled_cells(size, torch.device('cpu')).view(*size, 2)
    one, two = places[pairs[..., 0], pairs[..., 1]], pairs[..., 2:].unbind(-1)
    answers = (one - places[two]) / torch.tensor(size).double()
    answers = answers if signed else answers.abs()
    assert float(scrambled(answers, pairs, size)) == pytest.approx(0)
    # The true map is no help, and skill is measured as DRLoc's.
    right = DRLocL1Loss(signed=signed)
    assert right(answers, pairs, size) > 0.1
    constants = [
        best_constant_loss(loss, size, (size,), (2,))
        for loss in (scrambled, right)
    ]
    assert constants[0] == constants[1]
