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


def draw(count, size):
    generator = torch.Generator().manual_seed(0)
    return DRLocHead('grid', 3).sample_pairs(count, size, 'cpu', generator)


@pytest.mark.parametrize('signed', [False, True])
def test_nothing_can_be_learnt_of_other_pairs(signed):
    """Who knows the offset loses more than who says the same always."""
    size, options = (8, 8), dict(signed=signed, loss_weight=0.1)
    drloc, placebo = DRLocL1Loss(**options), DRLocPlaceboLoss(**options)
    pairs = draw(400, size)
    offsets = (pairs[..., :2] - pairs[..., 2:]).double()
    right = drloc.target(offsets, 8)
    # The targets are those of the pair before.
    before = right.flatten(0, 1).roll(1, 0).view_as(right)
    assert placebo(before, pairs, size) == 0 == drloc(right, pairs, size)
    constant = best_constant_loss(placebo, size, (size,), (2,))
    assert constant == best_constant_loss(drloc, size, (size,), (2,))
    assert placebo(right, pairs, size) > 1.2 * constant
    median = right.flatten(0, 1).median(0).values.expand_as(right)
    assert float(placebo(median, pairs, size)) == pytest.approx(
        constant, rel=0.02
    )


@pytest.mark.parametrize('signed', [False, True])
@pytest.mark.parametrize('size', [(8, 8), (3, 5)])
def test_who_knows_the_wrong_map_answers_it(signed, size):
    places = scrambled_cells(size, torch.device('cpu'))
    cells = [(r, c) for r in range(size[0]) for c in range(size[1])]
    assert sorted(map(tuple, places.tolist())) == cells
    # It is the same in every process.
    scrambled_cells.cache_clear()
    torch.manual_seed(1)
    assert scrambled_cells(size, torch.device('cpu')).equal(places)
    places = places.view(*size, 2)
    steps = (places[:, 1:] - places[:, :-1]).abs().sum(-1)
    assert (steps == 1).float().mean() < 0.3
    pairs = draw(50, size)
    scrambled = DRLocScrambledLoss(signed=signed)
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
