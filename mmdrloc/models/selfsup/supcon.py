"""Supervised contrastive learning."""

from typing import Any, Dict, List

import torch
import torch.nn.functional as F
from mmengine.dist import all_gather
from mmpretrain.models.selfsup import BaseSelfSupervisor
from mmpretrain.models.selfsup.simclr import GatherLayer
from mmpretrain.structures import DataSample
from torch import Tensor

from mmdrloc.registry import MODELS


def supervised_contrastive_loss(
    features: Tensor, labels: Tensor, temperature: float
) -> Tensor:
    """Khosla et al., Supervised Contrastive Learning, 2020, Eq. 2 (L_out).

    The mean over V anchors of minus the mean log-likelihood of their
    positives among all others. ``features``, (V, D), have length 1; each of
    the (V, ) ``labels`` occurs twice at least.
    """
    self_mask = torch.eye(len(labels), dtype=torch.bool, device=labels.device)
    positive = (labels[:, None] == labels) & ~self_mask
    logits = features @ features.T / temperature
    logits = logits.masked_fill(self_mask, float('-inf'))
    log_likelihood = F.log_softmax(logits, dim=1)
    # Not a product: the diagonal is infinite.
    log_likelihood = log_likelihood.masked_fill(~positive, 0)
    return -(log_likelihood.sum(1) / positive.sum(1)).mean()


@MODELS.register_module()
class SupCon(BaseSelfSupervisor):
    """Pulls crops of the same class together.

    The neck projects the features; the temperature of the softmax is that of
    IDMM's authors. Other arguments are those of ``BaseSelfSupervisor``. As of
    mmpretrain's SimCLR, gradients are those of the loss divided by the number
    of processes, which AdamW does not see.
    """

    def __init__(
        self, *args: Any, temperature: float = 0.5, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.temperature = temperature

    def loss(
        self, inputs: List[Tensor], data_samples: List[DataSample]
    ) -> Dict[str, Tensor]:
        """The loss of the crops, a (B, 3, H, W) each, of all processes."""
        features = self.neck(self.backbone(torch.cat(inputs)))[0]
        features = GatherLayer.apply(F.normalize(features, dim=1))
        labels = torch.cat([sample.gt_label for sample in data_samples])
        labels = all_gather(labels.repeat(len(inputs)))
        loss = supervised_contrastive_loss(
            torch.cat(features), torch.cat(labels), self.temperature
        )
        return dict(loss=loss)
