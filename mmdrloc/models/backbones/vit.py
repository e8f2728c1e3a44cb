"""ViTs that start as their authors' code does, not as mmpretrain's."""

from functools import partial

import torch
from mmpretrain.models.backbones import VisionTransformer
from torch import nn

from mmdrloc.registry import MODELS
from ..pretrained import pretrained_entries


@MODELS.register_module()
class DeiT(VisionTransformer):
    """A ViT that starts as DeiT's code does.

    Class token, positions and linear layers are drawn from a truncated
    normal distribution of deviation 0.02, biases are 0. The linear layers
    outside the FFNs are the config's (``configs/_base_/models/deit-tiny.py``);
    those within mmpretrain draws from a Xavier distribution after everything
    that ``init_cfg`` asks for.
    """

    def init_weights(self) -> None:
        """Initialise, unless the weights come from a checkpoint."""
        super().init_weights()
        if any(pretrained_entries(self.init_cfg)):
            return
        for tokens in (self.cls_token, self.pos_embed):
            if torch.is_tensor(tokens):
                self._start_tokens(tokens)
        for layer in self.layers:
            for module in layer.ffn.modules():
                if isinstance(module, nn.Linear):
                    self._start_linear(module)

    _start_tokens = staticmethod(partial(nn.init.trunc_normal_, std=0.02))

    @staticmethod
    def _start_linear(linear: nn.Linear) -> None:
        nn.init.trunc_normal_(linear.weight, std=0.02)
        nn.init.zeros_(linear.bias)


@MODELS.register_module()
class DRLocViT(DeiT):
    """The ViT of the DRLoc experiments, started as the official code's.

    Position embeddings and class token are drawn from N(0, 1); the layers
    are initialised as PyTorch does by default. All else that differs from
    the usual ViT is an argument (``configs/scratch_100e/vit-b16.py``).
    """

    _start_tokens = staticmethod(nn.init.normal_)
    _start_linear = staticmethod(nn.Linear.reset_parameters)
