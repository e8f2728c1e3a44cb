"""What DRLoc is compared with: the same question, answered at random."""

from typing import Tuple

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
    that happen to be there.

    A batch with one pair in all has no other pair. Arguments are those of
    :class:`DRLocL1Loss`.
    """

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Tuple[int, int]
    ) -> Tensor:
        """Loss of (B, m, 2) predictions; see :class:`PairLoss`."""
        others = pairs.flatten(0, 1).roll(1, 0).view_as(pairs)
        return super().forward(prediction, others, grid_size)
