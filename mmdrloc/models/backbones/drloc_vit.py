"""The ViT of the DRLoc experiments."""

from mmpretrain.models.backbones import VisionTransformer
from torch import nn

from mmdrloc.registry import MODELS
from ..pretrained import pretrained_entries


@MODELS.register_module()
class DRLocViT(VisionTransformer):
    """mmpretrain's ``VisionTransformer`` that starts as the official code's.

    Position embeddings and class token are drawn from N(0, 1); the layers
    are initialised as PyTorch does by default. All else that differs from
    the usual ViT is an argument (``configs/_base_/models/vit-b16.py``).
    """

    def init_weights(self) -> None:
        """Initialise, unless the weights come from a checkpoint."""
        super().init_weights()
        if any(pretrained_entries(self.init_cfg)):
            return
        nn.init.normal_(self.cls_token)
        nn.init.normal_(self.pos_embed)
        for layer in self.layers:
            for module in layer.ffn.modules():
                # The parent's layers have initialised these otherwise.
                if isinstance(module, nn.Linear):
                    module.reset_parameters()
