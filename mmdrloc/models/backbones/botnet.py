"""BoTNet: ResNets with self-attention in the last stage.

Paper: Srinivas et al., "Bottleneck Transformers for Visual Recognition" (CVPR
2021). Here in basic blocks, for small networks.
"""

from typing import Any

import torch.nn.functional as F
from mmpretrain.models.backbones import ResNet, ResNet_CIFAR
from mmpretrain.models.backbones.resnet import BasicBlock
from torch import Tensor, nn

from mmdrloc.registry import MODELS


class SelfAttention2d(nn.Module):
    """Multi-head self-attention among all cells of a map of any size.

    It knows contents alone: cells learn where they are from the padding of
    the convolutions before it.
    """

    def __init__(self, channels: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Conv2d(channels, 3 * channels, 1, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, H, W) to (B, C, H, W)."""
        heads = self.qkv(x).flatten(2).unflatten(1, (3, self.num_heads, -1))
        query, key, value = heads.transpose(-2, -1).unbind(1)
        out = F.scaled_dot_product_attention(query, key, value)
        # Some of torch's kernels lay it out in another way.
        return out.transpose(-2, -1).reshape(x.shape).contiguous()


class BoTBlock(BasicBlock):
    """A basic block with self-attention, 32 channels a head, for conv2."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conv2 = SelfAttention2d(
            self.out_channels, max(self.out_channels // 32, 1)
        )


class LastStageAttention:
    """Gives the last stage of a ResNet of depth 18 or 34 self-attention."""

    base_channels: int  # of the ResNet
    num_stages: int

    def make_res_layer(self, out_channels: int, **kwargs: Any) -> nn.Module:
        """As the ResNet, which calls it for each stage."""
        if out_channels == self.base_channels << self.num_stages - 1:
            kwargs['block'] = BoTBlock
        return super().make_res_layer(out_channels=out_channels, **kwargs)


@MODELS.register_module()
class BoTNet(LastStageAttention, ResNet):
    """A ResNet with self-attention, for images of 64 px and more.

    Maps come out as of the ResNet, so it stands in detectors and segmentors
    as it is, and its weights load name by name. The depth is 18 or 34.
    ``strides=(1, 2, 2, 1)`` leaves the last stage the finer map (the paper's
    BoTNet-S1).
    """


@MODELS.register_module()
class BoTNetCIFAR(LastStageAttention, ResNet_CIFAR):
    """The same with the stem for images of 32 px."""
