"""DRLoc while a detector or a segmentor is trained.

Its images differ in shape, and those of a batch are padded to one: pairs are
drawn from the cells of the image alone.
"""

from typing import Any, Dict, List, Sequence

import torch
from torch import Tensor

from .drloc_head import DRLocHead
from .host import DRLocHost


class DenseDRLocHost(DRLocHost):
    """A host whose batches are padded.

    Takes ``drloc_head``, the config of :class:`DRLocHead`, and all arguments
    of the library's class, which follows among the bases. (The key is not
    ``auxiliary_head``: mmseg has one of its own.)
    """

    head_name = 'drloc_head'
    drloc_head: DRLocHead

    def __init__(self, *args: Any, drloc_head: dict, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.add_head(drloc_head)

    def loss(self, inputs: Tensor, data_samples: List[Any]) -> Dict[str, Any]:
        """The library's losses, and those of :meth:`DRLocHead.loss`.

        Args:
            inputs (Tensor): (B, 3, height, width), padded at the right and
                below.
            data_samples (list): mmdet's or mmseg's, with ``img_shape``, the
                (height, width) without the padding.
        """
        with self.drloc_head.tap(self.backbone) as tap:
            losses = super().loss(inputs, data_samples)
        grids = tap.grids()
        shapes = [sample.img_shape for sample in data_samples]
        valid_sizes = [
            cells_of_images(shapes, inputs.shape[2:], grid) for grid in grids
        ]
        losses.update(self.drloc_head.loss(grids, valid_sizes=valid_sizes))
        return losses


def cells_of_images(
    image_shapes: Sequence[Sequence[int]],
    batch_shape: Sequence[int],
    grid: Tensor,
) -> Tensor:
    """How many rows and columns of a grid belong to each image, (B, 2).

    A cell does if its patch lies wholly within the image, so that no pair
    touches the padding; but in the smallest image one cell does anyhow.
    (Where the padded shape is no multiple of the grid's stride, a patch may
    also lie partly within.) On the host; sizes are (height, width).
    """
    return torch.tensor(
        [
            [
                max(length * cells // padded, 1)
                for length, padded, cells in zip(
                    shape, batch_shape, grid.shape[2:]
                )
            ]
            for shape in image_shapes
        ],
        device='cpu',
    )
