"""What holds for every loss, convention, grid and number of sources."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mmdrloc.registry import MODELS

LOSSES = ('DRLocL1Loss', 'DRLocCrossEntropyLoss', 'DRLocGaussianLoss')
POOLED = {
    None: lambda length: length,
    'avg2x2': lambda length: length // 2,
    'avg3x3s2': lambda length: (length + 1) // 2,
}


@st.composite
def heads(draw):
    """A head and the shape of the grids it takes."""
    pool = draw(st.sampled_from(list(POOLED)))
    size = tuple(draw(st.integers(2, 9)) for _ in range(2))
    channels = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    head = MODELS.build(
        dict(
            type='mmdrloc.DRLocHead',
            source=[f'stages.{index}' for index in range(len(channels))],
            in_channels=channels,
            grid_size=tuple(map(POOLED[pool], size)),
            num_pairs=draw(st.integers(1, 90)),
            hidden_channels=draw(st.integers(8, 16)),
            pool=pool,
            convention=draw(st.sampled_from(('paper', 'official'))),
            loss=dict(
                type=f'mmdrloc.{draw(st.sampled_from(LOSSES))}',
                signed=draw(st.booleans()),
                normalize=draw(st.sampled_from(('k', 'k-1', 'none'))),
                loss_weight=draw(st.floats(0, 2)),
            ),
        )
    )
    return head, size


@settings(max_examples=150, deadline=None, derandomize=True)
@given(heads(), st.integers(1, 3))
def test_losses_are_finite_and_reach_the_tokens_and_the_mlp(case, batch_size):
    head, size = case
    torch.manual_seed(0)
    grids = [
        torch.randn(batch_size, channels, *size, requires_grad=True)
        for channels in head.in_channels
    ]
    losses = head.loss(grids)
    names = {'loss_drloc', 'drloc_raw', 'drloc_weight', 'drloc_skill'}
    assert set(losses) == names
    for value in losses.values():
        assert value.shape == () and value.isfinite()
    torch.testing.assert_close(
        losses['loss_drloc'], losses['drloc_raw'] * losses['drloc_weight']
    )

    losses['loss_drloc'].backward()
    for tensor in (*grids, *head.parameters()):
        assert tensor.grad is not None and tensor.grad.isfinite().all()
    if not head.loss_weight:
        assert not any(grid.grad.any() for grid in grids)
