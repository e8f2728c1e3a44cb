"""The losses that see an offset as one of K classes an axis.

The letters of the shapes are those of ``losses.py``.
"""

import math
from typing import Any, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from .arguments import check_weight, is_size
from .losses import OffsetLoss, Size, cell_offsets


def class_mean(probability: Tensor) -> Tensor:
    """Mean class index, (...), of probabilities (..., K)."""
    return (probability * _class_indices(probability)).sum(-1)


def _class_indices(like: Tensor) -> Tensor:
    return torch.arange(like.shape[-1], dtype=like.dtype, device=like.device)


class OffsetClassLoss(OffsetLoss):
    """Base of the losses that see an offset as one of K classes an axis.

    The paper has a class for every offset from -k to k: K = 2k + 1 (the
    outermost two are never met). The official code has K = 2k - 1 for
    signed and K = k for absolute offsets; ``signed`` speaks of it alone.
    Its CvT, T2T, ViT and ResNet have the K of a 14 x 14 grid even on 7 x 7
    cells: ``grid_size=(14, 14)`` reproduces that.

    A subclass has ``axis_loss``, the mean loss of (B, m, K) logits against
    (B, m) classes. Classes are whole cells: ``normalize`` changes nothing.
    """

    def branches(self, grid_size: Optional[Size]) -> List[int]:
        """One branch an axis, with K outputs."""
        if not is_size(grid_size):
            raise UsageError(
                f'{type(self).__name__} has a class for each offset: give the '
                'head grid_size=(H, W), the size of the grid after pooling, '
                f'not {grid_size!r}'
            )
        return [self.num_classes(length) for length in grid_size]

    def num_classes(self, length: int) -> int:
        """K for an axis of ``length`` cells."""
        if self.convention == 'paper':
            return 2 * length + 1
        return 2 * length - 1 if self.signed else length

    def target(self, offset: Tensor, length: int) -> Tensor:
        """Its class; offset 0 is in the middle or the first."""
        if self.signed or self.convention == 'paper':
            return offset + self.num_classes(length) // 2
        return offset.abs()

    def forward(
        self, prediction: Tuple[Tensor, Tensor], pairs: Tensor, grid_size: Size
    ) -> Tensor:
        """Sum of the two axes' losses."""
        losses = []
        axes = zip(prediction, cell_offsets(pairs), grid_size)
        for logits, offset, length in axes:
            count, needed = logits.shape[-1], self.num_classes(length)
            spare_is_fine = self.convention == 'official'
            if count < needed or (count > needed and not spare_is_fine):
                raise UsageError(
                    f'the DRLoc head has {count} offset classes, but an axis '
                    f'of {length} cells has {needed}: give the head the '
                    'grid_size that the grid has after pooling'
                )
            target = self.target(offset, length)
            losses.append(self.axis_loss(logits, target))
        return sum(losses)


@MODELS.register_module()
class DRLocCrossEntropyLoss(OffsetClassLoss):
    """Cross-entropy over the offset classes (Eq. 4 and 5)."""

    def axis_loss(self, logits: Tensor, target: Tensor) -> Tensor:
        """-log p[c], one softmax an axis."""
        return F.cross_entropy(logits.flatten(0, 1), target.flatten())

    def constant_loss(
        self, target: Tensor, chance: Tensor, width: int
    ) -> float:
        """The entropy of the classes; see :func:`best_constant_loss`."""
        classes = target.long().bincount(chance, width)
        return float(-torch.xlogy(classes, classes).sum())


@MODELS.register_module()
class DRLocGaussianLoss(OffsetClassLoss):
    """Regression of the offset by the classes' mean and variance (Eq. 6).

    The official code adds ``alpha * log(sigma^2)``, twice the paper's
    ``alpha * log(sigma)``.

    Args:
        alpha (float): Weight of the log term.
        **kwargs: As in :class:`OffsetLoss`.
    """

    # Keeps the division finite when the softmax is one-hot: the official
    # code's value, in both conventions.
    eps = 1e-8

    def __init__(self, alpha: float = 0.001, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        check_weight('alpha', alpha)
        # Of the logarithm of the variance.
        self._factor = alpha * (0.5 if self.convention == 'paper' else 1.0)

    def axis_loss(self, logits: Tensor, target: Tensor) -> Tensor:
        """(c - mu)^2 / sigma^2 + alpha log sigma, from the softmax."""
        probability = logits.softmax(-1)
        # Shifting all classes by a constant changes neither c - mu nor
        # sigma, so indices serve as well as offsets.
        mean = class_mean(probability)
        distance = _class_indices(probability) - mean.unsqueeze(-1)
        variance = (probability * distance**2).sum(-1) + self.eps
        return (
            (target - mean) ** 2 / variance + self._factor * variance.log()
        ).mean()

    def constant_loss(
        self, target: Tensor, chance: Tensor, width: int
    ) -> float:
        """See :func:`least_gaussian_loss`."""
        classes = target.long().bincount(chance, width)
        return least_gaussian_loss(classes, self._factor, self.eps)


def least_gaussian_loss(
    chances: Tensor, log_factor: float, eps: float
) -> float:
    """Least mean of ``(c - mu)^2 / v + log_factor * log v``.

    ``mu`` and ``v - eps`` are mean and variance of one distribution over the
    classes. With mean mu, a variance cannot exceed that of the outermost
    classes alone, nor fall below that of the two neighbours of mu; between
    these, every one is some distribution's. A thousand mu from each class to
    the next are tried.

    Returns the bound that logits come as near to as they like. ``chances``
    are (K, ) probabilities of the classes, float64.
    """
    last = len(chances) - 1
    classes = torch.arange(last + 1, device='cpu')
    mean = (classes * chances).sum()
    spread = ((classes - mean) ** 2 * chances).sum()
    mu = torch.linspace(
        0, last, 1000 * last + 1, dtype=torch.float64, device='cpu'
    )
    square = spread + (mean - mu) ** 2
    # Where the derivative by v is 0; without such a place more is better.
    wanted = square / log_factor if log_factor > 0 else square + math.inf
    part = mu.frac()
    variance = eps + torch.clamp(
        wanted - eps, part * (1 - part), mu * (last - mu)
    )
    return float((square / variance + log_factor * variance.log()).min())
