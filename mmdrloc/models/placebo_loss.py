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
    cost are DRLoc's, but nothing can be learnt: ``drloc_skill`` stays at 0
    or below. Gradients become small once the head has found the best
    constant; those of :class:`DRLocScrambledLoss` do not. Arguments are those
    of :class:`DRLocL1Loss`.
    """

    # Offsets are as frequent as without the change.
    constant_loss = DRLocL1Loss.constant_loss

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Tuple[int, int]
    ) -> Tensor:
        """Loss of (B, m, 2) predictions."""
        others = pairs.flatten(0, 1).roll(1, 0).view_as(pairs)
        return super().forward(prediction, others, grid_size)


@MODELS.register_module()
class DRLocScrambledLoss(DRLocL1Loss):
    """DRLoc's L1 on a map whose cells have changed places, as a control.

    All images have the same wrong map, a permutation of the grid's cells
    that does not depend on the seed. ``drloc_skill`` can reach 1, and
    gradients stay as long as DRLoc's; but neighbours on the map are none in
    the image. Cells of padding take part: for images that fill their grid.
    Arguments are those of :class:`DRLocL1Loss`.
    """

    # Offsets are as frequent as without the change.
    constant_loss = DRLocL1Loss.constant_loss

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Tuple[int, int]
    ) -> Tensor:
        """Loss of (B, m, 2) predictions."""
        rows, cols = pairs.unflatten(-1, (2, 2)).unbind(-1)
        places = scrambled_cells(grid_size, pairs.device)
        moved = places[rows * grid_size[1] + cols].flatten(-2)
        return super().forward(prediction, moved, grid_size)


@cache
def scrambled_cells(
    grid_size: Tuple[int, int], device: Union[str, torch.device]
) -> Tensor:
    """Where each cell lies on the wrong map: (H * W, 2) rows and columns."""
    height, width = grid_size
    order = torch.randperm(
        height * width, generator=torch.Generator().manual_seed(0)
    )
    return torch.stack((order // width, order % width), dim=-1).to(device)
