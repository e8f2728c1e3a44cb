"""An image classifier with the DRLoc head beside its own."""

from typing import Any, Dict, List

from mmpretrain.models import ImageClassifier
from mmpretrain.structures import DataSample
from torch import Tensor

from mmdrloc.registry import MODELS
from .host import DRLocHost


@MODELS.register_module()
class DRLocClassifier(DRLocHost, ImageClassifier):
    """mmpretrain's ``ImageClassifier`` plus ``auxiliary_head``.

    Inference, checkpoints and all other arguments are the parent's.

    Args:
        *args: As in ``ImageClassifier``.
        auxiliary_head (dict): Config of :class:`DRLocHead`.
        **kwargs: As in ``ImageClassifier``.
    """

    head_name = 'auxiliary_head'

    def __init__(
        self, *args: Any, auxiliary_head: dict, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.add_head(auxiliary_head)

    def loss(
        self, inputs: Tensor, data_samples: List[DataSample]
    ) -> Dict[str, Tensor]:
        """Losses of the classification head and of the DRLoc head.

        Args:
            inputs (Tensor): (B, 3, height, width) images.
            data_samples (list[DataSample]): Their labels.

        Returns:
            dict[str, Tensor]: ``loss_cls`` and what else the classification
            head gives, and what :meth:`DRLocHead.loss` gives.
        """
        with self.auxiliary_head.tap(self.backbone) as tap:
            losses = super().loss(inputs, data_samples)
        # MMEngine logs the total as 'loss': a part must not be called so.
        losses['loss_cls'] = losses.pop('loss')
        losses.update(self.auxiliary_head.loss(tap.grids()))
        return losses
