"""What the best constant answer loses, against all pairs of a grid."""

import gc
import itertools
import math
import weakref

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mmdrloc.models.losses import best_constant_loss, offset_chances
from mmdrloc.registry import MODELS

L1, CE, GAUSSIAN = (
    f'mmdrloc.DRLoc{name}Loss' for name in ('L1', 'CrossEntropy', 'Gaussian')
)


def build_loss(type, **kwargs):
    return MODELS.build(dict(type=type, **kwargs)).double()


def all_pairs(rows, cols):
    """Every pair of cells once, as drawing with replacement has them."""
    cells = list(itertools.product(range(rows), range(cols)))
    return torch.tensor([[(*a, *b) for a in cells for b in cells]])


def constant_of(loss, size, valid_sizes=None):
    branches = tuple(loss.branches(size))
    return best_constant_loss(loss, size, valid_sizes or (size,), branches)


def mean_loss(loss, size, valid_sizes, answer):
    """Of a constant: a mean over images of that over their pairs."""
    losses = []
    for valid in valid_sizes:
        pairs = all_pairs(*valid)
        expanded = [part.expand(1, pairs.shape[1], -1) for part in answer]
        prediction = expanded[0] if len(expanded) == 1 else expanded
        losses.append(float(loss(prediction, pairs, size)))
    return sum(losses) / len(losses)


@st.composite
def cases(draw):
    """A size of the grid, and of the images on it; options; a seed."""
    size = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    inside = st.tuples(*(st.integers(1, length) for length in size))
    valid = tuple(draw(st.lists(inside, min_size=1, max_size=3)))
    options = dict(
        signed=draw(st.booleans()),
        normalize=draw(st.sampled_from(['k', 'k-1', 'none'])),
        convention=draw(st.sampled_from(['paper', 'official'])),
    )
    return size, valid, options


often = settings(max_examples=60, deadline=None, derandomize=True)


@often
@given(cases(), st.integers(0, 9))
def test_l1(case, seed):
    size, valid, options = case
    loss = build_loss(L1, **options)
    found = constant_of(loss, size, valid)
    # One of the targets is the best constant of an axis.
    axes = [
        loss.target(torch.arange(1 - k, k).double(), k).unique() for k in size
    ]
    scan = [[torch.stack(pair)] for pair in itertools.product(*axes)]
    best = min(mean_loss(loss, size, valid, answer) for answer in scan)
    assert found == pytest.approx(best, rel=1e-12, abs=1e-15)
    # And no other number is better.
    torch.manual_seed(seed)
    spread = 2 * max(float(axis.abs().max()) for axis in axes) + 1
    other = [spread * (torch.rand(2).double() - 0.4)]
    assert mean_loss(loss, size, valid, other) >= found - 1e-12


@often
@given(cases(), st.integers(0, 9))
def test_cross_entropy(case, seed):
    size, valid, options = case
    loss = build_loss(CE, **options)
    found = constant_of(loss, size, valid)
    # The logarithms of how often each class is right.
    answer = []
    for axis, width in enumerate(loss.branches(size)):
        counts = torch.zeros(width).double()
        for image in valid:
            pairs = all_pairs(*image)[0]
            offsets = pairs[:, axis] - pairs[:, axis + 2]
            classes = loss.target(offsets, size[axis])
            counts += classes.bincount(minlength=width) / len(pairs)
        answer.append((counts / len(valid)).clamp(min=1e-300).log())
    best = mean_loss(loss, size, valid, answer)
    assert found == pytest.approx(best, rel=1e-12, abs=1e-12)
    torch.manual_seed(seed)
    other = [part + 0.1 * torch.randn(len(part)) for part in answer]
    assert mean_loss(loss, size, valid, other) >= found - 1e-12


@pytest.mark.parametrize('size', [(4, 4), (3, 5)])
@pytest.mark.parametrize('alpha', [0.001, 0.5, 3.0, 0.0])
@pytest.mark.parametrize(
    'kwargs', [{}, dict(convention='official', signed=True)]
)
def test_gaussian(size, alpha, kwargs):
    """Descent from many starts comes near to it, and never below."""
    loss = build_loss(GAUSSIAN, alpha=alpha, **kwargs)
    found = constant_of(loss, size)
    torch.manual_seed(0)
    pairs = all_pairs(*size)
    best = math.inf
    for start in range(3):
        answer = [
            (torch.randn(width).double() * start).requires_grad_()
            for width in loss.branches(size)
        ]
        optimizer = torch.optim.Adam(answer, lr=0.4)
        for _ in range(100):
            prediction = [a.expand(1, pairs.shape[1], -1) for a in answer]
            value = loss(prediction, pairs, size)
            assert value.item() >= found - 1e-9
            best = min(best, value.item())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
    assert best == pytest.approx(found, rel=2e-3, abs=2e-3)


def test_spare_classes_change_the_gaussian_alone():
    """As the official ones of a 14 x 14 grid on 7 x 7 cells."""
    for type in (CE, GAUSSIAN):
        loss = build_loss(type, convention='official', signed=True)
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


def test_chances_are_those_of_sampling():
    head = MODELS.build(
        dict(
            type='mmdrloc.DRLocHead',
            source='a',
            in_channels=4,
            num_pairs=20_000,
        )
    )
    sizes = torch.tensor([[3, 5], [2, 1], [4, 4]])
    pairs = head.sample_pairs(3, (4, 5), 'cpu', valid_sizes=sizes)
    for axis, length in enumerate((4, 5)):
        offsets = pairs[..., axis] - pairs[..., axis + 2] + length - 1
        drawn = offsets.flatten().bincount(minlength=2 * length - 1) / 60_000
        torch.testing.assert_close(
            drawn.double(),
            offset_chances(length, sizes[:, axis].tolist()),
            rtol=0,
            atol=0.01,
        )
