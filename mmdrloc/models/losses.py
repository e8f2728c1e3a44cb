"""The losses on pairs of grid cells, one short function an equation.

The letters of the shapes, here and in ``drloc_head.py``:

- B: images in the batch; m: pairs drawn in each image
- H, W: rows and columns of the (pooled) grid; k is the paper's word for
  either on a square grid
- C: channels of a grid cell; K: classes of one axis

Axis 0 is always rows (the paper's u), axis 1 columns (v).

Paper: Liu et al., "Efficient Training of Visual Transformers with Small
Datasets" (NeurIPS 2021), and its supplement. Where the released code does
something else, ``convention='official'`` does as the code does.
"""

from abc import ABCMeta, abstractmethod
from typing import Any, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from mmdrloc.errors import UsageError
from mmdrloc.registry import MODELS
from .arguments import check_choice, check_finite, check_flag

CONVENTIONS = ('paper', 'official')
_SCALES = {
    'k': lambda length: length,
    'k-1': lambda length: max(length - 1, 1),
    'none': lambda length: 1,
}


def cell_offsets(pairs: Tensor) -> Tuple[Tensor, Tensor]:
    """Signed distance of each pair, in cells.

    Args:
        pairs (Tensor): (B, m, 4) rows and columns: row_a, col_a, row_b, col_b.

    Returns:
        tuple[Tensor, Tensor]: i - p (rows) and j - h (columns), each (B, m).
    """
    return (pairs[..., :2] - pairs[..., 2:]).unbind(-1)


def class_indices(probability: Tensor) -> Tensor:
    """0 to K - 1, (K, ), as numbers of the kind of ``probability``."""
    return torch.arange(
        probability.shape[-1],
        dtype=probability.dtype,
        device=probability.device,
    )


def class_mean(probability: Tensor) -> Tensor:
    """Mean class index, (...), of probabilities (..., K)."""
    return (probability * class_indices(probability)).sum(-1)


class PairLoss(nn.Module, metaclass=ABCMeta):
    """What the losses on pairs share: their options and their contract.

    Args:
        signed (bool): Whether the direction of the offset is a target too.
            Defaults to False.
        normalize (str): What divides an offset along an axis of k cells:
            'k' (paper), 'k-1' or 'none' (the official code as run).
            Defaults to 'k'.
        convention (str): 'paper' or 'official'. Defaults to 'paper'.
        loss_weight (float): The paper's lambda, applied by the head.
            Defaults to 0.5.
    """

    def __init__(
        self,
        signed: bool = False,
        normalize: str = 'k',
        convention: str = 'paper',
        loss_weight: float = 0.5,
    ) -> None:
        super().__init__()
        check_flag('signed', signed)
        check_choice('normalize', normalize, tuple(_SCALES))
        check_choice('convention', convention, CONVENTIONS)
        check_finite('loss_weight', loss_weight)
        if loss_weight < 0:
            raise UsageError(f'loss_weight={loss_weight} is negative')
        self.signed = signed
        self.normalize = normalize
        self.convention = convention
        self.loss_weight = loss_weight

    @abstractmethod
    def branches(self, grid_size: Optional[Tuple[int, int]]) -> List[int]:
        """Widths of the output layers that this loss needs.

        Args:
            grid_size (tuple[int, int], optional): (H, W) after pooling.

        Returns:
            list[int]: One width a branch.
        """

    @abstractmethod
    def offsets_of(self, prediction, grid_size: Tuple[int, int]) -> Tensor:
        """The offsets that a prediction stands for, in cells.

        Args:
            prediction (Tensor | tuple[Tensor, Tensor]): What the branches
                said of each pair.
            grid_size (tuple[int, int]): (H, W) of the grid.

        Returns:
            Tensor: (B, m, 2), rows first.
        """

    @property
    @abstractmethod
    def has_direction(self) -> bool:
        """Whether offsets have a sign for this loss."""

    @abstractmethod
    def forward(
        self, prediction, pairs: Tensor, grid_size: Tuple[int, int]
    ) -> Tensor:
        """Unweighted loss, a mean over images and pairs.

        Args:
            prediction (Tensor | tuple[Tensor, Tensor]): What the branches
                said of each pair.
            pairs (Tensor): (B, m, 4) cells of the pairs.
            grid_size (tuple[int, int]): (H, W) of the grid they lie on.

        Returns:
            Tensor: A scalar.
        """


@MODELS.register_module()
class DRLocL1Loss(PairLoss):
    """L1 distance to the normalised offset (Eq. 1 and 2; signed: Eq. 3).

    Means over images, pairs and the two axes. The paper's Eq. 2 sums the
    axes and the images: 2B times this value.

    In the official convention a signed target is shifted to be positive:
    ``offset + (k - 1)``, which 'k-1' then divides by ``2(k - 1)``.
    """

    def branches(self, grid_size: Optional[Tuple[int, int]]) -> List[int]:
        """One branch, with an output for rows and one for columns."""
        return [2]

    def target(self, offset: Tensor, length: int) -> Tensor:
        """What the MLP is to say of one axis.

        Args:
            offset (Tensor): (B, m) signed distance in cells.
            length (int): Cells along this axis.

        Returns:
            Tensor: (B, m) target, in units of the normalised axis.
        """
        if not self.signed:
            offset = offset.abs()
        return (offset + self._shift(length)) / self._divisor(length)

    @property
    def has_direction(self) -> bool:
        """Whether offsets have a sign for this loss."""
        return self.signed

    def _is_shifted(self) -> bool:
        return self.signed and self.convention == 'official'

    def _shift(self, length: int) -> int:
        return length - 1 if self._is_shifted() else 0

    def _divisor(self, length: int) -> int:
        doubled = self._is_shifted() and self.normalize != 'none'
        return _SCALES[self.normalize](length) * (2 if doubled else 1)

    def offsets_of(
        self, prediction: Tensor, grid_size: Tuple[int, int]
    ) -> Tensor:
        """The targets' scaling undone; see :class:`PairLoss`."""
        axes = [
            answer * self._divisor(length) - self._shift(length)
            for answer, length in zip(prediction.unbind(-1), grid_size)
        ]
        return torch.stack(axes, dim=-1)

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Tuple[int, int]
    ) -> Tensor:
        """Loss of (B, m, 2) predictions; see :class:`PairLoss`."""
        targets = [
            self.target(offset.to(prediction.dtype), length)
            for offset, length in zip(cell_offsets(pairs), grid_size)
        ]
        return F.l1_loss(prediction, torch.stack(targets, dim=-1))


class OffsetClassLoss(PairLoss):
    """Base of the losses that see an offset as one of K classes an axis.

    The paper has a class for every offset from -k to k: K = 2k + 1 (the
    outermost two are never met). The official code has K = 2k - 1 for
    signed and K = k for absolute offsets; ``signed`` speaks of it alone.
    Its CvT, T2T, ViT and ResNet have the K of a 14 x 14 grid even on 7 x 7
    cells: ``grid_size=(14, 14)`` reproduces that.

    Classes are whole cells, so ``normalize`` changes nothing here; it is an
    argument so that a config can switch the loss by its type alone.
    """

    def branches(self, grid_size: Optional[Tuple[int, int]]) -> List[int]:
        """One branch an axis, with K outputs."""
        if grid_size is None:
            raise UsageError(
                f'{type(self).__name__} has a class for each offset: give the '
                'head grid_size=(H, W), the size of the grid after pooling'
            )
        return [self.num_classes(length) for length in grid_size]

    def num_classes(self, length: int) -> int:
        """K for an axis of ``length`` cells."""
        if self.convention == 'paper':
            return 2 * length + 1
        return 2 * length - 1 if self.signed else length

    @property
    def has_direction(self) -> bool:
        """Whether offsets have a sign for this loss."""
        return self.signed or self.convention == 'paper'

    def target(self, offset: Tensor, length: int) -> Tensor:
        """Index of the class of each offset, (B, m), from 0 to K - 1."""
        if not self.has_direction:
            return offset.abs()
        return offset + self._zero_class(length)

    def _check_num_classes(self, count: int, length: int) -> None:
        """Refuse a head that was built for another grid."""
        needed = self.num_classes(length)
        spare_is_fine = self.convention == 'official'
        if count < needed or (count > needed and not spare_is_fine):
            raise UsageError(
                f'the DRLoc head has {count} offset classes, but an axis of '
                f'{length} cells has {needed}: give the head the grid_size '
                'that the grid has after pooling'
            )

    def _zero_class(self, length: int) -> int:
        """Index of the class of offset 0."""
        return self.num_classes(length) // 2 if self.has_direction else 0

    def offsets_of(
        self, prediction: Tuple[Tensor, Tensor], grid_size: Tuple[int, int]
    ) -> Tensor:
        """Mean offset under the softmax; see :class:`PairLoss`."""
        axes = [
            class_mean(logits.softmax(-1)) - self._zero_class(length)
            for logits, length in zip(prediction, grid_size)
        ]
        return torch.stack(axes, dim=-1)

    def forward(
        self,
        prediction: Tuple[Tensor, Tensor],
        pairs: Tensor,
        grid_size: Tuple[int, int],
    ) -> Tensor:
        """Sum of the two axes' losses; see :class:`PairLoss`."""
        for logits, length in zip(prediction, grid_size):
            self._check_num_classes(logits.shape[-1], length)
        return sum(
            self.axis_loss(logits, self.target(offset, length))
            for logits, offset, length in zip(
                prediction, cell_offsets(pairs), grid_size
            )
        )

    @abstractmethod
    def axis_loss(self, logits: Tensor, target: Tensor) -> Tensor:
        """Mean loss of (B, m, K) logits against (B, m) class indices."""


@MODELS.register_module()
class DRLocCrossEntropyLoss(OffsetClassLoss):
    """Cross-entropy over the offset classes (Eq. 4 and 5)."""

    def axis_loss(self, logits: Tensor, target: Tensor) -> Tensor:
        """-log p[c], one softmax an axis."""
        return F.cross_entropy(logits.flatten(0, 1), target.flatten())


@MODELS.register_module()
class DRLocGaussianLoss(OffsetClassLoss):
    """Regression of the offset by the classes' mean and variance (Eq. 6).

    The official code adds ``alpha * log(sigma^2)``, twice the paper's
    ``alpha * log(sigma)``.

    Args:
        alpha (float): Weight of the log term. Defaults to 0.001.
        **kwargs: As in :class:`PairLoss`.
    """

    # Keeps the division finite when the softmax is one-hot; the official
    # code's value.
    eps = 1e-8

    def __init__(self, alpha: float = 0.001, **kwargs) -> None:
        super().__init__(**kwargs)
        check_finite('alpha', alpha)
        self.alpha = alpha

    def axis_loss(self, logits: Tensor, target: Tensor) -> Tensor:
        """(c - mu)^2 / sigma^2 + alpha log sigma, from the softmax."""
        probability = logits.softmax(-1)
        # Shifting all classes by a constant changes neither c - mu nor
        # sigma, so indices serve as well as offsets.
        mean = class_mean(probability)
        distance = class_indices(probability) - mean.unsqueeze(-1)
        variance = (probability * distance**2).sum(-1) + self.eps
        log_factor = self.alpha * (0.5 if self.convention == 'paper' else 1.0)
        return (
            (target - mean) ** 2 / variance + log_factor * variance.log()
        ).mean()


def build_loss(config: Any, convention: str) -> PairLoss:
    """Build the loss of a head.

    Args:
        config (dict): Its type and options.
        convention (str): The head's.

    Returns:
        PairLoss: The loss.

    Raises:
        UsageError: If it cannot be built or is none on pairs.
    """
    if not isinstance(config, dict) or 'type' not in config:
        raise UsageError(f'loss={config!r} is no dict with a type')
    try:
        loss = MODELS.build(dict(config, convention=convention))
    except UsageError:
        raise
    # A registry has many ways to say that nobody knows a name or a key.
    except Exception as error:
        raise UsageError(
            f'loss={config!r} cannot be built: {error}'
        ) from error
    if not isinstance(loss, PairLoss):
        raise UsageError(
            f'loss={config!r} is none on pairs: take DRLocL1Loss, '
            'DRLocCrossEntropyLoss or DRLocGaussianLoss, or derive one from '
            'mmdrloc.models.losses.PairLoss'
        )
    return loss
