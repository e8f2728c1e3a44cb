"""An image classifier with the DRLoc head beside its own."""

from typing import Dict, List

from mmpretrain.models import ImageClassifier
from mmpretrain.structures import DataSample
from torch import Tensor

from mmdrloc.registry import MODELS
from .host import AuxiliaryHost


@MODELS.register_module()
class DRLocClassifier(AuxiliaryHost, ImageClassifier):
    """mmpretrain's ``ImageClassifier`` plus ``auxiliary_head``."""

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
