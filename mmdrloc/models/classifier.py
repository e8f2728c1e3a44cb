"""An image classifier with the DRLoc head beside its own."""

from typing import Dict, List

from mmpretrain.models import ImageClassifier
from mmpretrain.structures import DataSample
from torch import Tensor

from mmdrloc.registry import MODELS
from .host import DRLocHost


@MODELS.register_module()
class DRLocClassifier(DRLocHost, ImageClassifier):
    """mmpretrain's ``ImageClassifier`` plus ``auxiliary_head``."""

    def loss(
        self, inputs: Tensor, data_samples: List[DataSample]
    ) -> Dict[str, Tensor]:
        """The host's losses, and what :meth:`DRLocHead.loss` gives."""
        with self.auxiliary_head.tap(self.backbone) as tap:
            losses = super().loss(inputs, data_samples)
        # MMEngine logs the total as 'loss': a part must not be called so.
        # (Heads of several tasks have names of their own.)
        if 'loss' in losses:
            losses['loss_cls'] = losses.pop('loss')
        losses.update(self.auxiliary_head.loss(tap.grids()))
        return losses
