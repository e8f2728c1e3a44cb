"""The placebo: as strong as DRLoc's L1, and nothing to be learnt from it."""

import pytest
import torch

from mmdrloc.models import DRLocHead, DRLocL1Loss, DRLocPlaceboLoss
from mmdrloc.models.constant_answer import best_constant_loss

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


def test_gradients_have_the_size_of_drloc(losses):
    drloc, placebo, pairs = losses
    sizes = []
    for loss in (drloc, placebo):
        answers = torch.full((400, 64, 2), 0.01, requires_grad=True)
        loss(answers, pairs, SIZE).backward()
        sizes.append(float(answers.grad.abs().sum()))
    assert sizes == pytest.approx([1, 1], rel=1e-3)


def test_a_single_image_has_other_pairs_too():
    pairs = torch.tensor([[[0, 0, 3, 1], [5, 5, 0, 7]]])
    answers = torch.tensor([[[5 / 8, 2 / 8], [3 / 8, 1 / 8]]])
    assert DRLocPlaceboLoss()(answers, pairs, SIZE) == 0
