"""Targets of the losses, in numbers one can check."""

import math

import pytest
import torch

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError

# Rows: 2 - 6 = -4 on an axis of 7; columns: 3 - 0 = 3 on an axis of 5.
PAIRS = torch.tensor([[[2, 3, 6, 0]]])
SIZE = (7, 5)


def build(type, **kwargs):
    return MODELS.build(dict(type=f'mmdrloc.{type}', **kwargs))


@pytest.mark.parametrize(
    'kwargs,expected',
    [(dict(), (4 / 7, 3 / 5)), (dict(signed=True), (2 / 14, 7 / 10))],
)
def test_l1_targets_that_the_official_code_has_not(kwargs, expected):
    loss = build('DRLocL1Loss', convention='official', **kwargs)
    prediction = torch.tensor([[expected]], dtype=torch.float64)
    assert float(loss(prediction, PAIRS, SIZE)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    'convention,count,is_fine',
    [
        ('paper', 29, False),
        ('paper', 13, False),
        ('official', 14, True),
        ('official', 6, False),
    ],
)
def test_heads_of_another_grid(convention, count, is_fine):
    """Only the official code's spare classes are let through."""
    loss = build('DRLocCrossEntropyLoss', convention=convention)
    logits = (torch.zeros(1, 1, count),) * 2
    if is_fine:
        value = float(loss(logits, PAIRS, (7, 7)))
        assert value == pytest.approx(2 * math.log(count))
        return
    with pytest.raises(UsageError, match=f'{count} offset classes.*7 cells'):
        loss(logits, PAIRS, (7, 7))


def test_gaussian_is_finite_for_a_one_hot_softmax():
    loss = build('DRLocGaussianLoss')
    logits = torch.full((1, 1, 15), -1e4)
    logits[..., 0] = 1e4
    logits.requires_grad_()
    value = loss((logits, logits), PAIRS, (7, 7))
    value.backward()
    assert value.isfinite() and logits.grad.isfinite().all()
