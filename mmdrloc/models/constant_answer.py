"""Loss of the best constant prediction.

It is the mean loss of a head that has learnt nothing, and follows from how
pairs are drawn: a number for each grid, computed in float64 on the host.
"""

import math
from typing import Optional, Sequence, Tuple

import torch
from torch import Tensor, nn

Size = Tuple[int, int]


def best_constant_loss(
    loss: nn.Module,
    grid_size: Size,
    valid_sizes: Sequence[Size],
    widths: Sequence[int],
) -> Optional[float]:
    """Mean loss of the best constant answer; None if the loss does not tell.

    Args:
        loss (nn.Module): One with ``constant_loss`` tells it.
        grid_size (tuple[int, int]): (H, W) of the pooled grid.
        valid_sizes (Sequence[tuple[int, int]]): Rows and columns from which
            an image's pairs are drawn; an entry for each image, or one.
        widths (Sequence[int]): Of the output layers.
    """
    if not hasattr(loss, 'constant_loss'):
        return None
    chances = [
        offset_chances(length, cells)
        for length, cells in zip(grid_size, zip(*valid_sizes))
    ]
    return loss.constant_loss(chances, widths)


def offset_chances(length: int, cells: Sequence[int]) -> Tensor:
    """How often each offset is drawn along an axis of k cells.

    Of these, ``cells`` belong to each image. Returns (2k - 1, ) probabilities
    of the offsets -(k - 1) to k - 1.
    """
    of_image = torch.tensor(cells, dtype=torch.float64, device='cpu')[:, None]
    distance = torch.arange(1 - length, length, device='cpu').abs()
    # Of v * v pairs of cells, v - |d| are d apart.
    return ((of_image - distance).clamp(min=0) / of_image**2).mean(0)


def offset_values(chances: Tensor) -> Tensor:
    """The offsets that go with :func:`offset_chances`, int64."""
    length = axis_length(chances)
    return torch.arange(1 - length, length, device='cpu')


def axis_length(chances: Tensor) -> int:
    """The k of :func:`offset_chances`."""
    return (len(chances) + 1) // 2


def least_gaussian_loss(
    chances: Tensor, log_factor: float, eps: float
) -> float:
    """Least mean of ``(c - mu)^2 / v + log_factor * log v``.

    ``mu`` and ``v - eps`` are mean and variance of one distribution over the
    classes. With mean mu, a variance cannot exceed that of the outermost
    classes alone, nor fall below that of the two neighbours of mu; between
    these, every one is some distribution's.

    Returns the bound that logits come as near to as they like. ``chances``
    are (K, ) probabilities of the classes, float64.
    """
    last = len(chances) - 1
    classes = torch.arange(last + 1, device='cpu')
    mean = (classes * chances).sum()
    spread = ((classes - mean) ** 2 * chances).sum()

    def losses(mu: Tensor) -> Tensor:
        square = spread + (mean - mu) ** 2
        # Where the derivative by v is 0; without such a place more is better.
        wanted = square / log_factor if log_factor > 0 else square + math.inf
        part = mu.frac()
        variance = eps + torch.clamp(
            wanted - eps, part * (1 - part), mu * (last - mu)
        )
        return square / variance + log_factor * variance.log()

    low, high = 0.0, float(last)
    # Nearer and nearer to the best mu: 50 times at each turn.
    for _ in range(8):
        mus = torch.linspace(low, high, 101, dtype=torch.float64, device='cpu')
        found = losses(mus)
        step, best = (high - low) / 100, float(mus[found.argmin()])
        low, high = max(best - step, 0.0), min(best + step, float(last))
    return float(found.min())
