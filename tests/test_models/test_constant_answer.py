"""What the best constant answer loses, against all pairs of a grid."""

import itertools
import math

import pytest
import torch

from mmdrloc.models.constant_answer import best_constant_loss, offset_chances
from mmdrloc.registry import MODELS

GRIDS = [(5, 5), (4, 6), (1, 3), (2, 2)]
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


def brute_force(loss, size, valid_sizes, answers):
    """Loss of each constant, a mean over images of that over their pairs."""
    groups = [all_pairs(*valid) for valid in valid_sizes]
    for answer in answers:
        losses = []
        for pairs in groups:
            expanded = [part.expand(1, pairs.shape[1], -1) for part in answer]
            prediction = expanded[0] if len(expanded) == 1 else expanded
            losses.append(float(loss(prediction, pairs, size)))
        yield sum(losses) / len(losses)


@pytest.mark.parametrize('size', GRIDS)
@pytest.mark.parametrize('signed', [False, True])
@pytest.mark.parametrize('normalize', ['k', 'k-1', 'none'])
@pytest.mark.parametrize('convention', ['paper', 'official'])
@pytest.mark.parametrize('padded', [False, True])
def test_l1(size, signed, normalize, convention, padded):
    loss = build_loss(
        L1, signed=signed, normalize=normalize, convention=convention
    )
    valid_sizes = [size]
    if padded:
        valid_sizes += [(1, size[1]), (size[0], 1), (max(size[0] - 2, 1), 2)]
    # One of the targets is the best constant of an axis.
    targets = [
        loss.target(torch.arange(1 - k, k).double(), k).unique() for k in size
    ]
    longest = max(map(len, targets))
    scan = [
        [torch.tensor([rows[min(i, len(rows) - 1)], cols[j]])]
        for rows, cols in [targets]
        for i in range(longest)
        for j in range(len(cols))
    ]
    best = min(brute_force(loss, size, valid_sizes, scan))
    found = constant_of(loss, size, tuple(valid_sizes))
    assert found == pytest.approx(best, rel=1e-12, abs=1e-15)
    # And no other number is better.
    torch.manual_seed(0)
    spread = 2 * max(float(t.abs().max()) for t in targets) + 1
    others = [[spread * (torch.rand(2).double() - 0.4)] for _ in range(10)]
    for other in brute_force(loss, size, valid_sizes, others):
        assert other >= found - 1e-12


@pytest.mark.parametrize('size', GRIDS)
@pytest.mark.parametrize(
    'kwargs',
    [
        {},
        dict(convention='official'),
        dict(convention='official', signed=True),
    ],
)
@pytest.mark.parametrize('padded', [False, True])
def test_cross_entropy(size, kwargs, padded):
    loss = build_loss(CE, **kwargs)
    valid_sizes = [size, (1, 2)] if padded else [size]
    # The logarithms of how often each class is right.
    answer = []
    for axis, width in enumerate(loss.branches(size)):
        counts = torch.zeros(width).double()
        for valid in valid_sizes:
            pairs = all_pairs(*valid)[0]
            offsets = pairs[:, axis] - pairs[:, axis + 2]
            classes = loss.target(offsets, size[axis])
            counts += classes.bincount(minlength=width) / len(pairs)
        answer.append((counts / len(valid_sizes)).clamp(min=1e-300).log())
    (best,) = brute_force(loss, size, valid_sizes, [answer])
    found = constant_of(loss, size, tuple(valid_sizes))
    assert found == pytest.approx(best, rel=1e-12, abs=1e-12)
    torch.manual_seed(0)
    others = [
        [part + 0.1 * torch.randn(len(part)) for part in answer]
        for _ in range(10)
    ]
    for other in brute_force(loss, size, valid_sizes, others):
        assert other >= found - 1e-12


@pytest.mark.parametrize('size', [(4, 4), (3, 5)])
@pytest.mark.parametrize('alpha', [0.001, 0.5, 3.0, 0.0])
@pytest.mark.parametrize(
    'kwargs',
    [
        {},
        dict(convention='official'),
        dict(convention='official', signed=True),
    ],
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


def test_known_values():
    for normalize, expected in [
        ('k', 0.19242),
        ('k-1', 0.22449),
        ('none', 1.34694),
    ]:
        loss = build_loss(L1, normalize=normalize)
        assert constant_of(loss, (7, 7)) == pytest.approx(expected, abs=5e-6)
    uniform = [math.log(3), math.log(3)]
    # Of 9 pairs on 3 cells: 3 at 0, 4 at 1, 2 at 2.
    entropy = -sum(p * math.log(p) for p in (3 / 9, 4 / 9, 2 / 9))
    loss = build_loss(CE, convention='official')
    assert constant_of(loss, (3, 3)) == pytest.approx(2 * entropy)
    assert constant_of(loss, (3, 3)) < sum(uniform)


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
