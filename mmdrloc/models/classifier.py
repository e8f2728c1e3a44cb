"""An image classifier with the DRLoc head beside its own."""

from contextlib import contextmanager
from typing import Dict, Iterator, List

import torch
from mmpretrain.models import ImageClassifier
from mmpretrain.structures import DataSample
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from .drloc_head import DRLocHead
from .grid_tap import GridTap, expand_sources


@MODELS.register_module()
class DRLocClassifier(ImageClassifier):
    """mmpretrain's ``ImageClassifier`` plus ``auxiliary_head``.

    Inference, checkpoints and all other arguments are the parent's. With the
    same seed, the parameters of the host are those that the parent alone
    would have: the head is built and initialised after it and takes nothing
    from the global random state.

    Args:
        *args: As in ``ImageClassifier``.
        auxiliary_head (dict): Config of :class:`DRLocHead`.
        **kwargs: As in ``ImageClassifier``.
    """

    def __init__(self, *args, auxiliary_head: dict, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.auxiliary_head = build_drloc_head(auxiliary_head, self.backbone)

    def init_weights(self) -> None:
        """Initialise the host, then the head."""
        # Out of the host's reach, or its init_cfg would reach the head too.
        head = self._modules.pop('auxiliary_head')
        super().init_weights()
        self.auxiliary_head = head
        with preserved_rng(head):
            head.init_weights()

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
        head = self.auxiliary_head
        with GridTap(self.backbone, head.sources, head.in_channels) as tap:
            losses = super().loss(inputs, data_samples)
        # MMEngine logs the total as 'loss': a part must not be called so.
        losses['loss_cls'] = losses.pop('loss')
        losses.update(head.loss(tap.grids()))
        return losses


def build_drloc_head(config: dict, backbone: nn.Module) -> DRLocHead:
    """Build the head for a backbone that stands already.

    Args:
        config (dict): Config of the head; globs in its ``source`` are
            expanded to the modules of the backbone.
        backbone (nn.Module): The backbone to be tapped.

    Returns:
        DRLocHead: The head.
    """
    sources = expand_sources(backbone, config['source'])
    with preserved_rng(backbone):
        return MODELS.build(dict(config, source=sources))


@contextmanager
def preserved_rng(module: nn.Module) -> Iterator[None]:
    """Put the global random state back after the block.

    Args:
        module (nn.Module): Its parameters tell which devices draw.
    """
    devices = {
        parameter.device
        for parameter in module.parameters()
        if parameter.is_cuda
    }
    with torch.random.fork_rng(devices=list(devices)):
        yield
