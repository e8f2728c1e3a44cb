"""Compact convolutional transformer.

Paper: Hassani et al., "Escaping the Big Data Paradigm with Compact
Transformers" (arXiv:2104.05704), section 3.
"""

from math import prod
from typing import Any, List, Tuple, Union

from mmengine.model import BaseModule
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from .dense_transformer import DenseTransformer
from .vit import DeiT


class ConvTokenizer(nn.Module):
    """Images into overlapping tokens (section 3.2).

    Convolutions, each with ReLU and a max-pooling of stride 2. Those of 3 or
    5 pixels have stride 1, those of 7 pixels 2; all but the last have 64
    channels.
    """

    def __init__(
        self,
        in_channels: int,
        embed_dims: int,
        img_size: Tuple[int, int],
        kernel_size: int,
        num_convs: int,
    ) -> None:
        super().__init__()
        stride, padding = max(1, kernel_size // 2 - 1), kernel_size // 2
        channels = [in_channels, *[64] * (num_convs - 1), embed_dims]
        layers = []
        for conv in zip(channels, channels[1:]):
            layers += [
                nn.Conv2d(*conv, kernel_size, stride, padding, bias=False),
                nn.ReLU(inplace=True),
                nn.MaxPool2d(3, stride=2, padding=1),
            ]
        self.layers = nn.Sequential(*layers)
        # Each of these layers rounds up.
        cell = (2 * stride) ** num_convs
        self.init_out_size = tuple(-(-side // cell) for side in img_size)

    def forward(self, images: Tensor) -> Tuple[Tensor, Tuple[int, int]]:
        """(B, in_channels, height, width) to (B, H * W, C) and (H, W)."""
        x = self.layers(images)
        return x.flatten(2).transpose(1, 2), tuple(x.shape[2:])


@MODELS.register_module()
class CCT(DenseTransformer, DeiT):
    """Compact convolutional transformer, which puts out the map of its cells.

    mmpretrain's ViT behind a convolutional tokenizer, without class token.
    In a classifier the neck :class:`SeqPool` pools the map; in a detector or
    a segmentor name several layers in ``out_indices``. With 10 classes
    CCT-7/3x1 has 3.760 million parameters.

    Norms stand before attention and before the FFN, as in the paper; its code
    normalises the shortcut of the FFN as well. Linear layers start as DeiT's.

    Args:
        arch (str | dict): '2', '4', '6', '7' or '14', the number of layers,
            or as in mmpretrain's ``VisionTransformer``.
        img_size (int | tuple[int, int]): In training. Images may have other
            sizes: positions are interpolated.
        kernel_size (int): Of the tokenizer, odd.
        num_convs (int): Of the tokenizer. CCT-7/3x1 has one convolution of 3
            pixels and 32/2 cells a side, one of 7 pixels makes 64/4.
        **kwargs: As in ``VisionTransformer``, and ``window_size`` and
            ``with_cp`` of :class:`DenseTransformer`.
    """

    parts = ('patch_embed', 'layers', 'ln1')
    arch_zoo = {
        name: dict(
            embed_dims=channels,
            num_layers=int(name),
            num_heads=num_heads,
            feedforward_channels=ratio * channels,
        )
        for name, channels, num_heads, ratio in (
            ('2', 128, 2, 1),
            ('4', 128, 2, 1),
            ('6', 256, 4, 2),
            ('7', 256, 4, 2),
            ('14', 384, 6, 3),
        )
    }

    def __init__(
        self,
        arch: Union[str, dict] = '7',
        img_size: Union[int, Tuple[int, int]] = 32,
        kernel_size: int = 3,
        num_convs: int = 1,
        in_channels: int = 3,
        qkv_bias: bool = False,
        init_cfg: Union[dict, List[dict]] = [
            dict(type='TruncNormal', layer='Linear', std=0.02, bias=0.0),
            dict(type='Kaiming', layer='Conv2d', mode='fan_in'),
        ],
        **kwargs: Any,
    ) -> None:
        super().__init__(
            arch,
            img_size=img_size,
            in_channels=in_channels,
            with_cls_token=False,
            qkv_bias=qkv_bias,
            init_cfg=init_cfg,
            **kwargs,
        )
        width = self.embed_dims
        self.patch_embed = ConvTokenizer(
            in_channels, width, self.img_size, kernel_size, num_convs
        )
        self.patch_resolution = self.patch_embed.init_out_size
        shape = (1, prod(self.patch_resolution), width)
        self.pos_embed = nn.Parameter(self.pos_embed.new_zeros(shape))

    def _start_tokens(self) -> None:
        """Positions as the authors' code draws them."""
        nn.init.trunc_normal_(self.pos_embed, std=0.2)


@MODELS.register_module()
class SeqPool(BaseModule):
    """The mean of a map's cells by learned weights (section 3.3)."""

    def __init__(self, in_channels: int) -> None:
        init = dict(type='TruncNormal', layer='Linear', std=0.02, bias=0.0)
        super().__init__(init_cfg=init)
        self.score = nn.Linear(in_channels, 1)

    def forward(self, inputs: Tuple[Tensor, ...]) -> Tuple[Tensor]:
        """(B, C, H, W), the last of them, to (B, C)."""
        cells = inputs[-1].flatten(2)
        weights = self.score(cells.transpose(1, 2)).softmax(dim=1)
        return ((cells @ weights).squeeze(2),)
