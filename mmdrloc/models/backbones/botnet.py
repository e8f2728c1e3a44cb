"""BoTNet: ResNets whose last stages attend (Srinivas et al., 2021)."""

from typing import Any, Sequence

import torch.nn.functional as F
from mmpretrain.models.backbones import ResNet, ResNet_CIFAR
from mmpretrain.models.backbones.resnet import BasicBlock
from torch import Tensor, nn

from mmdrloc.registry import MODELS


class SelfAttention2d(nn.Module):
    """Multi-head self-attention among all cells of a map.

    It knows contents alone: cells learn where they are from the padding of
    the convolutions before it. So maps of any size will do.

    Args:
        channels (int): Channels of input and output.
        num_heads (int): Heads.
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
        return out.transpose(-2, -1).reshape(x.shape)


class BoTBlock(BasicBlock):
    """A basic block whose second convolution is self-attention."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conv2 = SelfAttention2d(
            self.out_channels, max(self.out_channels // 32, 1)
        )


class AttentionStages:
    """Makes the last stages of a ResNet attend.

    A mixin that stands before the ResNet among the bases.

    Args:
        *args: As in the ResNet, of depth 18 or 34, those of basic blocks.
        attention_stages (Sequence[int]): Stages, counted from 0, whose blocks
            attend, with 32 channels a head. The paper's is the last one.
        base_channels (int): As in the ResNet.
        **kwargs: As in the ResNet. ``strides=(1, 2, 2, 1)`` leaves the last
            stage the finer map (the paper's BoTNet-S1).
    """

    def __init__(
        self,
        *args: Any,
        attention_stages: Sequence[int] = (3,),
        base_channels: int = 64,
        **kwargs: Any,
    ) -> None:
        self._widths = [base_channels * 2**s for s in attention_stages]
        super().__init__(*args, **dict(kwargs, base_channels=base_channels))

    def make_res_layer(self, out_channels: int, **kwargs: Any) -> nn.Module:
        """As the ResNet, which calls it for each stage."""
        if out_channels in self._widths:
            kwargs['block'] = BoTBlock
        return super().make_res_layer(out_channels=out_channels, **kwargs)


@MODELS.register_module()
class BoTNet(AttentionStages, ResNet):
    """A ResNet that attends, for images of 64 px and more.

    Maps come out as of the ResNet, so it stands in detectors and segmentors
    as it is, and its weights load name by name.
    """


@MODELS.register_module()
class BoTNetCIFAR(AttentionStages, ResNet_CIFAR):
    """The same with the stem for images of 32 px."""
