"""Control losses: shuffled targets, permuted grid."""

from functools import cache
from typing import Tuple, Union

import torch
from torch import Tensor

from mmdrloc.registry import MODELS
from .losses import DRLocL1Loss


@MODELS.register_module()
class DRLocPlaceboLoss(DRLocL1Loss):
    """DRLoc's L1 with the targets of other pairs, as a control experiment.

    Each pair is told the offset of the next one drawn. Loss, weight and
    cost are those of DRLoc, but nothing can be learnt: pairs are drawn
    independently, and ``drloc_skill`` stays at 0 or below. What a training
    gains with DRLoc and not with this comes of the answers, not of gradients
    that happen to be there. These become small once the head has found the
    best constant; those of :class:`DRLocScrambledLoss` do not.

    A batch with one pair in all has no other pair. Arguments are those of
    :class:`DRLocL1Loss`.
    """

    # Offsets are as frequent as without the change.
    constant_loss = DRLocL1Loss.constant_loss

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Tuple[int, int]
    ) -> Tensor:
        """Loss of (B, m, 2) predictions; see :class:`PairLoss`."""
        others = pairs.flatten(0, 1).roll(1, 0).view_as(pairs)
        return super().forward(prediction, others, grid_size)


@MODELS.register_module()
class DRLocScrambledLoss(DRLocL1Loss):
    """DRLoc's L1 on a map whose cells have changed places, as a control.

    All images have the same wrong map: cell by cell, a permutation of the
    grid that does not depend on the seed. The question can be answered as
    well as DRLoc's by who knows which cell is which, ``drloc_skill`` can
    reach 1, and gradients stay as long; but neighbours on the map are none
    in the image. What a training gains with DRLoc and not with this comes
    of where things lie.

    Cells of padding take part in the permutation: for images that fill
    their grid, as in classification. Arguments are those of
    :class:`DRLocL1Loss`.
    """

    # Offsets are as frequent as without the change.
    constant_loss = DRLocL1Loss.constant_loss

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Tuple[int, int]
    ) -> Tensor:
        """Loss of (B, m, 2) predictions; see :class:`PairLoss`."""
        rows, cols = pairs.unflatten(-1, (2, 2)).unbind(-1)
        places = scrambled_cells(grid_size, pairs.device)
        moved = places[rows * grid_size[1] + cols].flatten(-2)
        return super().forward(prediction, moved, grid_size)


@cache
def scrambled_cells(
    grid_size: Tuple[int, int], device: Union[str, torch.device]
) -> Tensor:
    """Where each cell of a grid lies on the wrong map.

    Returns (H * W, 2) rows and columns, int64, each cell once.
    """
    height, width = grid_size
    order = torch.randperm(
        height * width, generator=torch.Generator().manual_seed(0)
    )
    return torch.stack((order // width, order % width), dim=-1).to(device)
