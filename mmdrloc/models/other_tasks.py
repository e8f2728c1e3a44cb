"""Other auxiliary tasks of about DRLoc's cost, to compare it with."""

from typing import Any, Dict, List, Tuple

import torch
import torch.nn.functional as F
from mmpretrain.models import ImageClassifier
from mmpretrain.structures import DataSample
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from .arguments import check_weight
from .grid_tap import GridTap
from .host import preserved_rng


@MODELS.register_module()
class AbsoluteCellLoss(nn.Module):
    """L1 distance to where the first cell of a pair lies in the image.

    The ``loss`` of a :class:`DRLocHead` whose MLP then says the place of one
    token, in fractions of the grid, instead of the offset of two. Head and
    cost are DRLoc's.
    """

    def forward(
        self, prediction: Tensor, pairs: Tensor, grid_size: Tuple[int, int]
    ) -> Tensor:
        """Mean over images, pairs and axes, of (B, m, 2) rows and columns."""
        height, width = grid_size
        places = pairs[..., 0] / height, pairs[..., 1] / width
        return F.l1_loss(prediction, torch.stack(places, dim=-1))


@MODELS.register_module()
class MaskedPixelsClassifier(ImageClassifier):
    """mmpretrain's ``ImageClassifier`` that fills masked cells in, too.

    In training some cells of each image are blank (0 after normalisation).
    A linear layer on the final tokens says their pixels, and the mean squared
    error over the blank cells is added to the classification loss
    (``loss_pixels``). It needs no second forward pass, unlike masked
    pre-training beside the labels in the literature.

    Args:
        source (str): Module path of the token grid inside the backbone,
            which has ``in_channels``.
        patch_size (int): Side of a cell in pixels.
        mask_ratio (float): Share of the cells that are blank.
        pixel_weight (float): Weight of ``loss_pixels``.
        **kwargs: Of ``ImageClassifier``.

    Raises:
        UsageError: For a share or weight that is none.
    """

    def __init__(
        self,
        *args: Any,
        source: str,
        in_channels: int,
        patch_size: int,
        mask_ratio: float = 0.25,
        pixel_weight: float = 0.5,
        **kwargs: Any,
    ) -> None:
        if not 0 <= mask_ratio <= 1:
            raise UsageError(f'mask_ratio={mask_ratio}: give 0 to 1')
        check_weight('pixel_weight', pixel_weight)
        super().__init__(*args, **kwargs)
        self.source = source
        self.in_channels = in_channels
        self.patch_size = patch_size
        self.mask_ratio = mask_ratio
        self.pixel_weight = pixel_weight
        with preserved_rng(self.backbone):  # as without the task
            self.pixels = nn.Linear(in_channels, 3 * patch_size**2)

    def init_weights(self) -> None:
        """Initialise as without the task."""
        pixels = self.pixels
        del self.pixels
        super().init_weights()
        self.pixels = pixels

    def loss(
        self, inputs: Tensor, data_samples: List[DataSample]
    ) -> Dict[str, Tensor]:
        """``loss_cls``, on masked images, and ``loss_pixels``, scalars.

        The sides of the (B, 3, height, width) inputs are multiples of a cell.
        """
        side = self.patch_size
        height, width = inputs.shape[2:]
        shape = len(inputs), 1, height // side, width // side
        blank = torch.rand(shape, device=inputs.device) < self.mask_ratio
        where = blank.repeat_interleave(side, 2).repeat_interleave(side, 3)
        with GridTap(self.backbone, [self.source], [self.in_channels]) as tap:
            losses = super().loss(inputs * ~where, data_samples)
        [grid] = tap.grids()
        said = F.pixel_shuffle(
            self.pixels(grid.movedim(1, 3)).movedim(3, 1), side
        )
        error = (said - inputs) ** 2 * where
        mean = error.sum() / (3 * where.sum()).clamp(min=1)
        # mmengine would log a `loss` in place of the sum of both.
        losses['loss_cls'] = losses.pop('loss')
        return dict(losses, loss_pixels=self.pixel_weight * mean)
