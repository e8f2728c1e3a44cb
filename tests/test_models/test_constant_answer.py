"""What the best constant answer loses, against all pairs of a grid."""

import gc
import itertools
import math
import weakref

import pytest
import torch

from mmdrloc.models.class_losses import least_gaussian_loss
from mmdrloc.models.losses import best_constant_loss
from mmdrloc.registry import MODELS

L1, CE, GAUSSIAN = (
    f'mmdrloc.DRLoc{name}Loss' for name in ('L1', 'CrossEntropy', 'Gaussian')
)
SIGNED = dict(convention='official', signed=True)


def build_loss(type, **kwargs):
    return MODELS.build(dict(type=type, **kwargs)).double()


def all_pairs(rows, cols):
    """Every pair of cells once, as drawing with replacement has them."""
    cells = list(itertools.product(range(rows), range(cols)))
    return torch.tensor([[(*a, *b) for a in cells for b in cells]])


def mean_loss(loss, size, images, answer):
    """Of a constant: a mean over images of that over their pairs."""
    losses = []
    for pairs in images:
        expanded = [part.expand(1, pairs.shape[1], -1) for part in answer]
        prediction = expanded[0] if len(expanded) == 1 else expanded
        losses.append(loss(prediction, pairs, size))
    return torch.stack(losses).mean()


@pytest.mark.parametrize(
    'type, options',
    [
        *itertools.product(
            (L1, CE), ({}, SIGNED, dict(signed=True, normalize='k-1'))
        ),
        *((GAUSSIAN, dict(alpha=a)) for a in (0.001, 0.5, 3.0, 0.0)),
        (GAUSSIAN, dict(SIGNED, alpha=0.5)),
    ],
)
@pytest.mark.parametrize(
    'size, valid', [((4, 4), [(4, 4)]), ((3, 5), [(3, 5), (2, 5), (1, 3)])]
)
def test_descent_comes_near_to_it_and_never_below(type, options, size, valid):
    if type == GAUSSIAN:  # several sizes make its descent slow
        valid = valid[:1]
    loss = build_loss(type, **options)
    widths = loss.branches(size)
    found = best_constant_loss(loss, size, valid, widths)
    torch.manual_seed(0)
    images = [all_pairs(*cells) for cells in valid]
    best = math.inf
    for start in range(3):
        answer = [
            (torch.randn(width).double() * start).requires_grad_()
            for width in widths
        ]
        optimizer = torch.optim.Adam(answer, lr=0.4)
        for step in range(150):
            optimizer.param_groups[0]['lr'] = 0.4 * 0.96**step
            value = mean_loss(loss, size, images, answer)
            assert value.item() >= found - 1e-9
            best = min(best, value.item())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
    assert best == pytest.approx(found, rel=3e-3, abs=3e-3)


@pytest.mark.parametrize('chances', [(0.9, 0.1, 0.0), (0.0, 1.0, 0.0)])
@pytest.mark.parametrize('log_factor', [0.1, 3.0])
def test_gaussian_of_rare_offsets_needs_a_distribution(chances, log_factor):
    """Among all distributions over three classes, in steps of 0.005."""
    eps = 1e-8
    chances = torch.tensor(chances).double()
    steps = torch.arange(201).double() / 200
    share = torch.cartesian_prod(steps, steps)
    share = share[share.sum(1) <= 1 + 1e-9]
    share = torch.cat((share, 1 - share.sum(1, keepdim=True)), dim=1)
    classes = torch.arange(3).double()
    mean = (share * classes).sum(1, keepdim=True)
    variance = (share * (classes - mean) ** 2).sum(1) + eps
    square = (chances * (classes - mean) ** 2).sum(1)
    losses = square / variance + log_factor * variance.log()
    found = least_gaussian_loss(chances, log_factor, eps)
    assert float(losses.min()) == pytest.approx(found, abs=3e-3)


def test_spare_classes_change_the_gaussian_alone():
    """As the official ones of a 14 x 14 grid on 7 x 7 cells."""
    for type in (CE, GAUSSIAN):
        loss = build_loss(type, **SIGNED)
        tight, wide = (
            best_constant_loss(loss, (7, 7), ((7, 7),), (width, width))
            for width in (13, 27)
        )
        assert (tight == pytest.approx(wide)) == (type == CE)
        pairs = all_pairs(7, 7)
        torch.manual_seed(0)
        logits = torch.randn(27).double().expand(1, 49**2, 27)
        assert float(loss((logits, logits), pairs, (7, 7))) > wide


def test_what_a_constant_loses_is_computed_once_and_dies_with_its_model():
    head = MODELS.build(
        dict(type='mmdrloc.DRLocHead', source='a', in_channels=4)
    )
    loss = head.loss_module
    asked = []
    loss.target = lambda *args, ask=loss.target: asked.append(1) or ask(*args)
    grid = torch.randn(2, 4, 5, 7)
    skills = [head.loss([grid])['drloc_skill'] for _ in range(3)]
    # Of each axis in each step, and once for the constant.
    assert len(asked) == 3 * 2 + 2 and all(skill < 1 for skill in skills)
    gone = weakref.ref(loss)
    del head, loss
    gc.collect()
    assert gone() is None
