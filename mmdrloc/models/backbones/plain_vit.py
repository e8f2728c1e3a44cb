"""What a plain ViT for small data starts with: positions, convolutions."""

from typing import Any, Tuple

import torch
from mmpretrain.models.backbones import VisionTransformer
from mmpretrain.models.utils import build_2d_sincos_position_embedding
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from ..pretrained import pretrained_entries


@MODELS.register_module()
class SinCosViT(VisionTransformer):
    """A ViT whose positions start as sines and cosines, and are learned on.

    Beyer et al., "Better plain ViT baselines for ImageNet-1k"
    (arXiv:2205.01580), keep them fixed. The arguments are those of
    mmpretrain's ViT; a class token starts without a position.
    """

    def init_weights(self) -> None:
        """Initialise, unless the weights come from a checkpoint."""
        super().init_weights()
        if any(pretrained_entries(self.init_cfg)):
            return
        positions = build_2d_sincos_position_embedding(
            self.patch_resolution,
            self.embed_dims,
            cls_token=self.with_cls_token,
        )
        with torch.no_grad():
            self.pos_embed.copy_(positions)


@MODELS.register_module()
class ConvStem(nn.Module):
    """3x3 convolutions of stride 2 that make the patches of a ViT.

    Xiao et al., "Early Convolutions Help Transformers See Better" (NeurIPS
    2021): channels double from one convolution to the next, with BatchNorm
    and ReLU after each, then a 1x1 convolution. Takes the place of the one
    convolution of a ViT:
    ``backbone=dict(patch_cfg=dict(conv_type='mmdrloc.ConvStem'))``.
    ``kernel_size`` are the sides of a patch, equal powers of 2.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Tuple[int, int],
        **_: Any,
    ) -> None:
        super().__init__()
        steps = kernel_size[0].bit_length() - 1
        widths = [in_channels]
        widths += [out_channels >> (steps - 1 - n) for n in range(steps)]
        layers = []
        for before, after in zip(widths, widths[1:]):
            layers += [
                nn.Conv2d(before, after, 3, 2, 1, bias=False),
                nn.BatchNorm2d(after),
                nn.ReLU(inplace=True),
            ]
        self.layers = nn.Sequential(
            *layers, nn.Conv2d(out_channels, out_channels, 1)
        )

    def forward(self, x: Tensor) -> Tensor:
        """(B, in, H, W) to (B, out, H / side, W / side)."""
        return self.layers(x)
