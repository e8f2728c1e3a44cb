"""What the best constant answer loses, against all pairs of a grid."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mmdrloc.models.losses import best_constant_loss, offset_chances
from mmdrloc.registry import MODELS

L1, CE = 'mmdrloc.DRLocL1Loss', 'mmdrloc.DRLocCrossEntropyLoss'


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
