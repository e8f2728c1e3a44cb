"""Instance discrimination with multi-crop and CutMix (IDMM).

Paper: "Training Vision Transformers with Only 2040 Images" (arXiv:2201.10728).
Each training image is a class of its own, told by a linear classifier. With
N images, of which i and i' are mixed in the parts mu and 1 - mu,
and smoothing eps, the target C of a crop is

    C_i  = (1 - eps) mu       + eps / N
    C_i' = (1 - eps) (1 - mu) + eps / N
    C_k  =                      eps / N    otherwise,

the loss - sum_k C_k log P_k with P = softmax(W z + b), and the gradient of
row k of W, (P_k - C_k) z.
"""

from typing import Any, Dict, List, Optional, Sequence

import torch
import torch.nn.functional as F
from mmpretrain.models.selfsup import BaseSelfSupervisor
from mmpretrain.structures import DataSample
from torch import Tensor

from mmdrloc.registry import MODELS
from ..batch_augments import FoldedCutMix
from ..host import DRLocHost


@MODELS.register_module()
class IDMM(BaseSelfSupervisor):
    """Tells the training images apart.

    The label of an image is its ``sample_idx``, its number in the dataset:
    images are selected by the dataset's ``indices``, not by a wrapper,
    which would leave gaps.

    Args:
        backbone (dict): As in ``BaseSelfSupervisor``.
        head (dict): A linear classification head of mmpretrain with as many
            classes as there are training images. Its loss takes soft
            targets; ``LabelSmoothLoss`` smooths them,
            ``CrossEntropyLoss(use_soft=True)`` does not.
        neck (dict, optional): Between the two, for networks that put out
            maps.
        num_views (Sequence[int]): Crops of an image in each group, in the
            order of the pipeline's ``MultiView``. A group is one forward
            pass, and its images are mixed with each other.
        cutmix_alpha (float, optional): Of :class:`FoldedCutMix`, which is
            applied to each group; None mixes nothing.
        **kwargs: As in ``BaseSelfSupervisor``.
    """

    def __init__(
        self,
        backbone: dict,
        head: dict,
        neck: Optional[dict] = None,
        num_views: Sequence[int] = (2, 4),
        cutmix_alpha: Optional[float] = 0.5,
        **kwargs: Any,
    ) -> None:
        super().__init__(backbone=backbone, neck=neck, head=head, **kwargs)
        self.num_views = list(num_views)
        self.cutmix = FoldedCutMix(cutmix_alpha) if cutmix_alpha else None

    def check_datasets(self, datasets: Dict[str, Any]) -> List[str]:
        """Say why data do not fit: each image is a class of its own."""
        train, classes = datasets['train'], self.head.num_classes
        if hasattr(train, 'dataset') or hasattr(train, 'datasets'):
            return [
                f'the train data are wrapped in {type(train).__name__}, and '
                'several images have one number: put them into one dataset, '
                'and select some by its `indices`.'
            ]
        count = len(train)
        if count == classes:
            return []
        return [
            f'model.head has num_classes={classes}, the train data {count} '
            f'images, each a class of its own: set num_classes={count}.'
        ]

    def loss(
        self, inputs: List[Tensor], data_samples: List[DataSample]
    ) -> Dict[str, Tensor]:
        """The losses of all groups; the number of each ends its name.

        ``inputs`` has a (B, 3, H, W) for each crop, the B samples have their
        ``sample_idx``.
        """
        labels = [sample.sample_idx for sample in data_samples]
        # `torch.tensor(labels, device=device)` would wait for the device.
        labels = torch.tensor(labels).to(inputs[0].device, non_blocking=True)
        scores = F.one_hot(labels, self.head.num_classes).float()
        sizes = [len(labels) * count for count in self.num_views]
        losses = {}
        # This fails if there are other crops than `num_views` says.
        for index, crops in enumerate(torch.cat(inputs).split(sizes)):
            repeated = scores.repeat(self.num_views[index], 1)
            group = self.group_loss(crops.clone(), repeated)
            losses.update({f'{k}_{index}': v for k, v in group.items()})
        return losses

    def group_loss(self, crops: Tensor, scores: Tensor) -> Dict[str, Tensor]:
        """The loss of (V, 3, H, W) crops with (V, N) one-hot labels."""
        if self.cutmix:
            crops, scores = self.cutmix(crops, scores)
        features = self.backbone(crops)
        if self.with_neck:
            features = self.neck(features)
        loss = self.head.loss_module(self.head(features), scores)
        return dict(loss_cls=loss)


@MODELS.register_module()
class DRLocIDMM(DRLocHost, IDMM):
    """:class:`IDMM` with the DRLoc head on the crops, mixed as they are."""

    def group_loss(self, crops: Tensor, scores: Tensor) -> Dict[str, Tensor]:
        """See :meth:`IDMM.group_loss`; :meth:`DRLocHead.loss` beside."""
        with self.auxiliary_head.tap(self.backbone) as tap:
            losses = super().group_loss(crops, scores)
        losses.update(self.auxiliary_head.loss(tap.grids()))
        return losses
