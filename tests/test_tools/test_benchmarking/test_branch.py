import pytest
import torch
from benchmarking.branch import (
    GRID,
    OURS,
    PLAIN,
    branches,
    grid_of,
    scaling,
)
from benchmarking.timing import Setting

ONE_ROUND = Setting(2, 1, torch.device('cpu'))


@pytest.fixture
def pair():
    torch.manual_seed(0)
    return branches(ONE_ROUND, 64)


def test_the_pseudocode_is_the_same_loss(pair):
    """Equal losses and gradients for equal pairs."""
    ours, plain = pair[OURS], pair[PLAIN]
    pairs = plain.module.draw(2, *GRID)
    found = []
    for branch, loss in (
        (ours, ours.module.loss([grid_of(ours.tokens)], [pairs])),
        (plain, plain.module(grid_of(plain.tokens), pairs)),
    ):
        if branch is ours:
            loss = loss['loss_drloc'] / ours.module.loss_weight
        branch.tokens.grad = None
        loss.backward()
        gradients = [p.grad for p in branch.module.parameters()]
        found.append([loss.detach(), branch.tokens.grad, *gradients])
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-6)


def test_pairs_of_the_pseudocode_cover_the_grid(pair):
    pairs = pair[PLAIN].module.draw(50, 3, 5)
    assert pairs.shape == (50, 64, 4)
    assert pairs.amin((0, 1)).tolist() == [0, 0, 0, 0]
    assert pairs.amax((0, 1)).tolist() == [2, 4, 2, 4]


def test_each_call_computes_all_gradients_anew(pair):
    for branch in pair.values():
        branch()
        first = branch.tokens.grad
        branch()
        assert branch.tokens.grad is not first
        assert all(p.grad.any() for p in branch.module.parameters())


def test_different_losses_are_not_compared(monkeypatch):
    monkeypatch.setattr(
        'benchmarking.branch.PlainDRLoc.forward',
        lambda self, grid, pairs=None: grid.sum(),
    )
    with pytest.raises(AssertionError):
        branches(ONE_ROUND, 8)


def test_scaling(tmp_path):
    setting = ONE_ROUND._replace(amp=True)
    by_pairs, by_images = scaling(
        [4, 8], [1, 2, 3], setting, tmp_path / 'b.png'
    )
    assert [row[0] for row in by_pairs.rows] == ['4', '8']
    assert [row[0] for row in by_images.rows] == ['1', '2', '3']
    assert len(by_images.seconds) == 6
    assert by_pairs.picture == 'b.png' and (tmp_path / 'b.png').exists()
