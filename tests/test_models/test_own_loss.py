"""Losses and heads of one's own."""

import re
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from mmengine.registry import MODELS as ALL
from torch import nn

from mmdrloc.models import DRLocHead, DRLocL1Loss
from mmdrloc.models.losses import cell_offsets
from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError


class Huber(DRLocL1Loss):
    """Another loss of the same predictions."""

    def forward(self, prediction, pairs, grid_size):
        targets = [
            self.target(offset.to(prediction.dtype), length)
            for offset, length in zip(cell_offsets(pairs), grid_size)
        ]
        return F.huber_loss(prediction, torch.stack(targets, -1))


class Known(Huber):
    """The same, which tells what the best constant loses."""

    def constant_loss(self, chances, widths):
        return 1.0


class Squared(nn.Module):
    """No class of ours."""

    def __init__(self, factor=1.0):
        super().__init__()
        self.factor = factor

    def forward(self, prediction, pairs, grid_size):
        offsets = torch.stack(cell_offsets(pairs), -1) / grid_size[0]
        return self.factor * F.mse_loss(prediction, offsets)


@pytest.fixture(autouse=True)
def registered():
    for one in (Huber, Known):
        MODELS.register_module(module=one, force=True)
    # Where users have their own, in no scope.
    ALL.register_module(module=Squared, force=True)
    yield
    for one in (Huber, Known):
        MODELS.module_dict.pop(one.__name__)
    ALL.module_dict.pop('Squared')


def losses_of(loss):
    torch.manual_seed(0)
    head = DRLocHead('stages.1', 6, hidden_channels=4, loss=loss)
    return head.loss([torch.randn(2, 6, 3, 3)])


@pytest.mark.parametrize('name', ['mmdrloc.Huber', 'Squared'])
def test_no_skill_where_the_constant_answer_is_not_known(name):
    losses = losses_of(dict(type=name))
    assert set(losses) == {'loss_drloc', 'drloc_raw', 'drloc_weight'}
    assert losses['loss_drloc'] == losses['drloc_raw'] * 0.5


def test_skill_of_a_loss_that_tells_it():
    losses = losses_of(dict(type='mmdrloc.Known'))
    assert losses['drloc_skill'] == 1 - losses['drloc_raw']


def test_any_module_is_a_loss():
    plain = losses_of(dict(type='Squared', loss_weight=0.0))
    assert plain['loss_drloc'] == 0 < plain['drloc_raw']
    double = losses_of(dict(type='Squared', loss_weight=2.0, factor=3.0))
    assert double['drloc_weight'] == 2
    torch.testing.assert_close(double['loss_drloc'], 6 * plain['drloc_raw'])
    with pytest.raises(UsageError, match='loss_weight=-1'):
        losses_of(dict(type='Squared', loss_weight=-1))


@pytest.fixture
def of_the_page():
    """The two losses of docs/own_loss.md."""
    page = Path(__file__).parents[2] / 'docs/own_loss.md'
    blocks = re.findall(r'```python\n(.*?)```', page.read_text(), re.DOTALL)
    names = {}
    for block in (blocks[0], blocks[2]):
        exec(block, names)
    yield names
    for name in ('MyHuberLoss', 'MySquaredLoss'):
        ALL.module_dict.pop(name)


def test_losses_of_the_page(of_the_page):
    assert 'drloc_skill' not in losses_of(dict(type='MyHuberLoss'))
    losses = losses_of(dict(type='MySquaredLoss', signed=True))
    assert losses['drloc_skill'] < 1

    cells = torch.cartesian_prod(torch.arange(3), torch.arange(3))
    one, other = torch.cartesian_prod(torch.arange(9), torch.arange(9)).T
    pairs = torch.cat([cells[one], cells[other]], -1)[None]
    loss = of_the_page['MySquaredLoss']()
    offsets = torch.stack(cell_offsets(pairs), -1).abs() / 3
    constant = offsets.mean(1, keepdim=True).expand_as(offsets)
    chances = [torch.tensor([1, 2, 3, 2, 1]).double() / 9] * 2
    assert loss.constant_loss(chances, [2]) == pytest.approx(
        float(loss(constant, pairs, (3, 3)))
    )
