"""The losses on pairs of grid cells, one short function an equation.

This file has what they share, the L1 and its two controls;
``class_losses.py`` has the others.

The letters of the shapes, here, in ``class_losses.py`` and ``drloc_head.py``:

- B: images in the batch; m: pairs drawn in each image
- H, W: rows and columns of the (pooled) grid; k is the paper's word for
  either on a square grid
- C: channels of a grid cell; K: classes of one axis

Axis 0 is always rows (the paper's u), axis 1 columns (v).

Paper: Liu et al., "Efficient Training of Visual Transformers with Small
Datasets" (NeurIPS 2021), and its supplement. Where the released code does
something else, ``convention='official'`` does as the code does.
"""

from functools import cache
from typing import List, Optional, Sequence, Tuple, Union

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from mmdrloc.utils.config_walk import class_of
from mmdrloc.utils.errors import UsageError
from .arguments import check_choice, check_weight

Size = Tuple[int, int]
CONVENTIONS = ('paper', 'official')
_DIVISORS = {
    'k': lambda length: length,
    'k-1': lambda length: max(length - 1, 1),
    'none': lambda length: 1,
}


def cell_offsets(pairs: Tensor) -> Tuple[Tensor, Tensor]:
    """Signed distances of (B, m, 4) pairs: i - p (rows), j - h (columns)."""
    return (pairs[..., :2] - pairs[..., 2:]).unbind(-1)


class OffsetLoss(nn.Module):
    """Base of the losses on pairs; here an offset is one number an axis.

    In the official convention a signed target is shifted to be positive:
    ``offset + (k - 1)``, which 'k-1' then divides by ``2(k - 1)``. With a
    method ``constant_loss``, as of :class:`DRLocL1Loss`, there is a skill.

    Args:
        signed (bool): Whether the direction of the offset is a target too.
        normalize (str): What divides an offset along an axis of k cells:
            'k' (paper), 'k-1' or 'none' (the official code as run).
        convention (str): 'paper' or 'official'.
        loss_weight (float): The paper's lambda, applied by the head.

    Raises:
        UsageError: On an impossible argument.
    """

    def __init__(
        self,
        signed: bool = False,
        normalize: str = 'k',
        convention: str = 'paper',
        loss_weight: float = 0.5,
    ) -> None:
        super().__init__()
        check_choice('signed', signed, (False, True))
        check_choice('normalize', normalize, tuple(_DIVISORS))
        check_choice('convention', convention, CONVENTIONS)
        check_weight('loss_weight', loss_weight)
        self.signed = signed
        self.normalize = normalize
        self.convention = convention
        self.loss_weight = loss_weight

    def branches(self, grid_size: Optional[Size]) -> List[int]:
        """Widths of the output layers for a pooled grid of (H, W).

        Here one layer, with an output for rows and one for columns.
        """
        return [2]

    def target(self, offset: Tensor, length: int) -> Tensor:
        """What is to be said of (...) signed offsets along k cells, (...).

        A number or a class; here normalised, and shifted if need be.
        """
        divisor = _DIVISORS[self.normalize](length)
        if not self.signed:
            return offset.abs() / divisor
        if self.convention == 'paper':
            return offset / divisor
        if self.normalize != 'none':
            divisor *= 2
        return (offset + (length - 1)) / divisor


@MODELS.register_module()
class DRLocL1Loss(OffsetLoss):
    """L1 distance to the normalised offset (Eq. 1 and 2; signed: Eq. 3).

    Means over images, pairs and the two axes. The paper's Eq. 2 sums the
    axes and the images: 2B times this value.
    """

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Size
    ) -> Tensor:
        """Unweighted loss, a scalar: the mean over images and pairs.

        ``prediction`` is what the branches said of each pair, here
        (B, m, 2); ``pairs`` are (B, m, 4) cells on a grid of (H, W).
        """
        targets = [
            self.target(offset.to(prediction.dtype), length)
            for offset, length in zip(cell_offsets(pairs), grid_size)
        ]
        return F.l1_loss(prediction, torch.stack(targets, dim=-1))

    def constant_loss(
        self, target: Tensor, chance: Tensor, width: int
    ) -> float:
        """What the median loses; see :func:`best_constant_loss`."""
        target, order = target.sort()
        chance = chance[order]
        median = target[int((chance.cumsum(0) < 0.5).sum())]
        return float(((target - median).abs() * chance).sum()) / 2


def best_constant_loss(
    loss: nn.Module,
    grid_size: Size,
    valid_sizes: Sequence[Size],
    widths: Sequence[int],
) -> Optional[float]:
    """Mean loss of the best answer that is the same for all pairs.

    It follows from how pairs are drawn: from ``valid_sizes`` rows and columns
    of an image, an entry for each image, or one. None if the loss does not
    tell. One with ``constant_loss(target, chance, width)`` does: the part of
    an axis, from the targets of its 2k - 1 offsets, how often each is drawn
    (float64, on the host), and the width of its output layer.
    """
    if not hasattr(loss, 'constant_loss'):
        return None
    axes = zip(grid_size, zip(*valid_sizes), (*widths, *widths))
    total = 0.0
    for length, cells, width in axes:
        offsets = torch.arange(1 - length, length, device='cpu').double()
        target = loss.target(offsets, length)
        chance = offset_chances(length, cells)
        total += loss.constant_loss(target, chance, width)
    return total


def offset_chances(length: int, cells: Sequence[int]) -> Tensor:
    """How often each offset is drawn along an axis of k cells.

    Of these, ``cells`` belong to each image. Returns (2k - 1, ) probabilities
    of the offsets -(k - 1) to k - 1, float64 on the host.
    """
    of_image = torch.tensor(cells, dtype=torch.float64, device='cpu')[:, None]
    distance = torch.arange(1 - length, length, device='cpu').abs()
    # Of v * v pairs of cells, v - |d| are d apart.
    return ((of_image - distance).clamp(min=0) / of_image**2).mean(0)


@MODELS.register_module()
class DRLocPlaceboLoss(DRLocL1Loss):
    """Shuffled-target control: DRLoc's L1 with the targets of other pairs.

    Each pair is told the offset of the pair drawn before it. Loss, weight and
    cost are DRLoc's, but nothing can be learnt: ``drloc_skill`` stays at 0
    or below. Gradients become small once the head has found the best
    constant; those of :class:`DRLocScrambledLoss` do not.
    """

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Size
    ) -> Tensor:
        """Loss of (B, m, 2) predictions."""
        others = pairs.flatten(0, 1).roll(1, 0).view_as(pairs)
        return super().forward(prediction, others, grid_size)


@MODELS.register_module()
class DRLocScrambledLoss(DRLocL1Loss):
    """Permuted-grid control: DRLoc's L1 on cells that have changed places.

    All images have the same wrong map, a permutation of the grid's cells
    that does not depend on the seed. ``drloc_skill`` can reach 1, and
    gradients stay as long as DRLoc's; but neighbours on the map are hardly
    ever neighbours in the image. Cells of padding take part: for images that
    fill their grid.
    """

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Size
    ) -> Tensor:
        """Loss of (B, m, 2) predictions."""
        rows, cols = pairs.unflatten(-1, (2, 2)).unbind(-1)
        places = scrambled_cells(grid_size, pairs.device)
        moved = places[rows * grid_size[1] + cols].flatten(-2)
        return super().forward(prediction, moved, grid_size)


@cache
def scrambled_cells(
    grid_size: Size, device: Union[str, torch.device]
) -> Tensor:
    """Where each cell lies on the wrong map: (H * W, 2) rows and columns."""
    height, width = grid_size
    order = torch.randperm(
        height * width, generator=torch.Generator().manual_seed(0)
    )
    return torch.stack((order // width, order % width), dim=-1).to(device)


def build_loss(config: dict, convention: str) -> Tuple[nn.Module, float]:
    """Build the loss of a head: an :class:`OffsetLoss`, or any other module.

    The other takes what :meth:`DRLocL1Loss.forward` does. It does not get the
    ``loss_weight``, which the head applies, and which is returned beside it.

    Raises:
        UsageError: If ``config`` has another convention than the head.
    """
    options = dict(config)
    kind = class_of(options, MODELS)
    if kind is None or issubclass(kind, OffsetLoss):
        if options.get('convention', convention) != convention:
            raise UsageError(
                f'loss.convention is {options["convention"]!r} and that of '
                f'the head {convention!r}: set it at the head alone.'
            )
        loss = MODELS.build(dict(options, convention=convention))
        return loss, loss.loss_weight
    weight = options.pop('loss_weight', 0.5)
    check_weight('loss_weight', weight)
    return MODELS.build(options), weight
