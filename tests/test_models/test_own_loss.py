"""Losses of one's own: those of docs/own_loss.md, and what they inherit."""

import re
from pathlib import Path

import pytest
import torch
from mmengine.registry import MODELS
from torch import nn

from mmdrloc.models import DRLocHead, DRLocL1Loss
from mmdrloc.models.losses import OffsetLoss, best_constant_loss, cell_offsets
from mmdrloc.utils.errors import UsageError


@pytest.fixture(autouse=True)
def of_the_page():
    """The two losses of the page, registered where users have their own."""
    page = Path(__file__).parents[2] / 'docs/own_loss.md'
    blocks = re.findall(r'```python\n(.*?)```', page.read_text(), re.DOTALL)
    names = {}
    for block in (blocks[0], blocks[2]):
        exec(block, names)
    yield names
    for name in ('MyHuberLoss', 'MySquaredLoss'):
        MODELS.module_dict.pop(name)


def losses_of(loss):
    torch.manual_seed(0)
    head = DRLocHead('stages.1', 6, hidden_channels=4, loss=loss)
    return head.loss([torch.randn(2, 6, 3, 3)])


def test_any_module_is_a_loss():
    plain = losses_of(dict(type='MyHuberLoss', loss_weight=0.0))
    assert set(plain) == {'loss_drloc', 'drloc_raw', 'drloc_weight'}
    assert plain['loss_drloc'] == 0 < plain['drloc_raw']
    double = losses_of(dict(type='MyHuberLoss', loss_weight=2.0))
    torch.testing.assert_close(double['loss_drloc'], 2 * plain['drloc_raw'])
    with pytest.raises(UsageError, match='loss_weight=-1'):
        losses_of(dict(type='MyHuberLoss', loss_weight=-1))


def test_the_weight_is_applied_once():
    """As other libraries write a loss, it multiplies by one of its own."""

    class Weighted(nn.Module):
        def __init__(self, loss_weight=1.0):
            super().__init__()
            self.loss_weight = loss_weight

        def forward(self, prediction, pairs, grid_size):
            return self.loss_weight * prediction.abs().mean()

    once = losses_of(dict(type=Weighted, loss_weight=1.0))
    losses = losses_of(dict(type=Weighted, loss_weight=0.1))
    assert losses['drloc_raw'] == once['drloc_raw']
    torch.testing.assert_close(losses['loss_drloc'], 0.1 * once['drloc_raw'])


def test_there_is_a_skill_where_a_loss_tells_its_constant():
    class Own(OffsetLoss):
        def forward(self, prediction, pairs, grid_size):
            return 2 * DRLocL1Loss.forward(self, prediction, pairs, grid_size)

    class Known(Own):
        def constant_loss(self, *axis):
            return 2 * DRLocL1Loss.constant_loss(self, *axis)

    assert 'drloc_skill' not in losses_of(dict(type=Own))
    skill = losses_of(dict(type='mmdrloc.DRLocL1Loss'))['drloc_skill']
    assert losses_of(dict(type=Known))['drloc_skill'] == pytest.approx(skill)


def test_the_constant_of_the_page(of_the_page):
    losses = losses_of(dict(type='MySquaredLoss', signed=True))
    assert losses['drloc_skill'] < 1
    pairs = torch.cartesian_prod(*[torch.arange(3)] * 4)[None]
    loss = of_the_page['MySquaredLoss']()
    offsets = torch.stack(cell_offsets(pairs), -1).abs() / 3
    constant = offsets.mean(1, keepdim=True).expand_as(offsets)
    assert best_constant_loss(loss, (3, 3), [(3, 3)], [2]) == pytest.approx(
        float(loss(constant, pairs, (3, 3)))
    )
