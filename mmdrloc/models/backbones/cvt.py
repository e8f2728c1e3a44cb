"""Convolutional vision transformer, as its authors and as DRLoc had it.

Paper: Wu et al., "CvT: Introducing Convolutions to Vision Transformers"
(ICCV 2021), section 3.

The letters of the shapes:

- B: images in the batch; H, W: rows and columns of a stage's grid
- C: channels of a stage
- T: class tokens, 0 or 1; N = T + H * W: tokens, the class token first
"""

from typing import Callable, Iterable, Optional, Sequence, Tuple, Union

import numpy as np
import torch
import torch.nn.functional as F
from mmcv.cnn import build_activation_layer
from mmcv.cnn.bricks import DropPath
from mmpretrain.models.backbones.base_backbone import BaseBackbone
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from ..arguments import check_choice


class StdLayerNorm(nn.LayerNorm):
    """Layer normalisation whose eps is added to the standard deviation.

    ``nn.LayerNorm`` adds it to the variance, inside the root.
    """

    def forward(self, x: Tensor) -> Tensor:
        """(x - mean) / (std + eps) * weight + bias, over (..., C)."""
        # In float32 under autocast, like nn.LayerNorm.
        x = x.to(self.weight.dtype)
        centred = x - x.mean(-1, keepdim=True)
        # Unlike that of var().sqrt(), the gradient is finite where all
        # channels are equal.
        norm = torch.linalg.vector_norm(centred, dim=-1, keepdim=True)
        std = norm / x.shape[-1] ** 0.5
        return centred / (std + self.eps) * self.weight + self.bias


#: Where the two networks differ.
VARIANTS = {
    # The network of the DRLoc experiments.
    'drloc': dict(
        class_token=False,
        stem_padding=3,
        norm=StdLayerNorm,
        drop_path_rate=0.0,
        init_cfg=None,
        attn=dict(head_channels=64, shared_kv=True, qkv_bias=False),
    ),
    # The network of CvT's authors.
    'microsoft': dict(
        class_token=True,
        stem_padding=2,
        norm=nn.LayerNorm,
        drop_path_rate=0.1,
        init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02),
        attn=dict(head_channels=None, shared_kv=False, qkv_bias=True),
    ),
}


class ConvProjection(nn.Module):
    """Tokens into queries, keys or values (Eq. 2, depth-wise separable).

    The class token goes past the convolution.
    """

    def __init__(
        self, in_channels: int, out_channels: int, stride: int, bias: bool
    ) -> None:
        super().__init__()
        conv = dict(kernel_size=3, stride=stride, padding=1, bias=False)
        self.conv = nn.Conv2d(
            in_channels, in_channels, groups=in_channels, **conv
        )
        self.bn = nn.BatchNorm2d(in_channels)
        self.linear = nn.Linear(in_channels, out_channels, bias=bias)

    def forward(self, class_token: Tensor, grid: Tensor) -> Tensor:
        """(B, T, C) and (B, C, H, W) to (B, T + cells, out_channels)."""
        cells = self.bn(self.conv(grid)).flatten(2).transpose(1, 2)
        return self.linear(torch.cat([class_token, cells], dim=1))


class ConvAttention(nn.Module):
    """Self-attention with convolutional projections (section 3.2).

    Keys and values are taken from every other row and column. Scores are
    divided by the root of ``head_channels``; None shares out C, and divides
    by its root. With ``shared_kv`` both share a convolution.
    """

    def __init__(
        self,
        channels: int,
        num_heads: int,
        head_channels: Optional[int],
        shared_kv: bool,
        qkv_bias: bool,
    ) -> None:
        super().__init__()
        self.scale = (head_channels or channels) ** -0.5
        self.num_heads = num_heads
        head_channels = head_channels or channels // num_heads
        self.inner_channels = inner = num_heads * head_channels
        self.project = nn.ModuleDict()
        for name in ('q', 'kv') if shared_kv else ('q', 'k', 'v'):
            stride = 1 if name == 'q' else 2
            width = len(name) * inner  # of 'kv' twice as large
            projection = ConvProjection(channels, width, stride, qkv_bias)
            self.project[name] = projection
        self.out = nn.Linear(inner, channels)

    def forward(self, x: Tensor, hw_shape: Tuple[int, int]) -> Tensor:
        """(B, N, C) on a grid of (H, W) to the same."""
        class_token, grid = split_tokens(x, hw_shape)
        query, key, value = (
            part.unflatten(2, (self.num_heads, -1)).transpose(1, 2)
            for projection in self.project.values()
            for part in projection(class_token, grid).split(
                self.inner_channels, dim=-1
            )
        )
        x = F.scaled_dot_product_attention(query, key, value, scale=self.scale)
        return self.out(x.transpose(1, 2).flatten(2))


def split_tokens(
    x: Tensor, hw_shape: Tuple[int, int]
) -> Tuple[Tensor, Tensor]:
    """(B, N, C) to the class token (B, T, C) and the grid (B, C, H, W)."""
    cells = hw_shape[0] * hw_shape[1]
    class_token, x = x.split([x.shape[1] - cells, cells], dim=1)
    return class_token, x.transpose(1, 2).unflatten(2, hw_shape)


class CvTBlock(nn.Module):
    """Attention and MLP, each behind a norm and beside a shortcut."""

    def __init__(
        self,
        channels: int,
        num_heads: int,
        drop_path_rate: float,
        norm: Callable,
        act_cfg: dict,
        attn: dict,
    ) -> None:
        super().__init__()
        self.norm1 = norm(channels)
        self.attn = ConvAttention(channels, num_heads, **attn)
        self.norm2 = norm(channels)
        self.mlp = nn.Sequential(
            nn.Linear(channels, 4 * channels),
            build_activation_layer(act_cfg),
            nn.Linear(4 * channels, channels),
        )
        self.drop_path = DropPath(drop_path_rate)

    def forward(self, x: Tensor, hw_shape: Tuple[int, int]) -> Tensor:
        """Transform (B, N, C) tokens on a grid of (H, W)."""
        x = x + self.drop_path(self.attn(self.norm1(x), hw_shape))
        return x + self.drop_path(self.mlp(self.norm2(x)))


class CvTStage(nn.Module):
    """Overlapping patches (section 3.1), a class token if any, the blocks."""

    def __init__(
        self,
        proj: nn.Conv2d,
        norm: nn.Module,
        blocks: Iterable[CvTBlock],
        class_token: bool,
    ) -> None:
        super().__init__()
        self.patch_embed = nn.ModuleDict(dict(proj=proj, norm=norm))
        self.blocks = nn.ModuleList(blocks)
        self.cls_token = None
        if class_token:
            self.cls_token = nn.Parameter(torch.empty(1, 1, proj.out_channels))
            nn.init.trunc_normal_(self.cls_token, std=0.02)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        """A map to the class token and, last, where a tap looks, the grid."""
        x = self.patch_embed['proj'](x)
        hw_shape = tuple(x.shape[2:])
        x = self.patch_embed['norm'](x.flatten(2).transpose(1, 2))
        if self.cls_token is not None:
            x = torch.cat([self.cls_token.expand(len(x), -1, -1), x], dim=1)
        for block in self.blocks:
            x = block(x, hw_shape)
        return split_tokens(x, hw_shape)


@MODELS.register_module()
class CvT(BaseBackbone):
    """Convolutional vision transformer.

    Takes images of any size. The variants differ as ``VARIANTS`` says. That
    of DRLoc has neither class token nor final norm: average its grid. That of
    the authors has a class token in the last stage: ``out_type='cls_token'``.

    Args:
        arch (str | dict): '13', '21', or a dict with ``embed_dims``,
            ``depths`` and ``num_heads``, a list each with an entry a stage.
        variant (str): 'drloc' or 'microsoft'.
        in_channels (int): Channels of the image.
        out_indices (int | Sequence[int]): Stages whose grids are put out.
        out_type (str): 'featmap', grids (B, C, H, W), or 'cls_token', the
            class token (B, C). Where there is a class token, the last grid
            and the token are normalised.
        act_cfg (dict): Activation of the MLPs. The authors' published weights
            want ``dict(type='mmpretrain.QuickGELU')``.
        drop_path_rate (float, optional): Rate in the last block; it rises
            from 0, the rate of the first, through the last stage and is 0
            before. By default the variant's.
        init_cfg (dict | list[dict], optional): By default the variant's.

    Raises:
        UsageError: On an unknown ``arch``, ``variant`` or ``out_type``, or a
            class token that does not exist.
    """

    _widths = dict(embed_dims=[64, 192, 384], num_heads=[1, 3, 6])
    arch_zoo = {
        '13': dict(_widths, depths=[1, 2, 10]),
        '21': dict(_widths, depths=[1, 4, 16]),
    }

    def __init__(
        self,
        arch: Union[str, dict] = '13',
        variant: str = 'drloc',
        in_channels: int = 3,
        out_indices: Union[int, Sequence[int]] = -1,
        out_type: str = 'featmap',
        act_cfg: dict = dict(type='GELU'),
        drop_path_rate: Optional[float] = None,
        init_cfg: Union[dict, Sequence[dict], None] = None,
    ) -> None:
        check_choice('variant', variant, tuple(VARIANTS))
        if isinstance(arch, str):
            check_choice('arch', arch, tuple(self.arch_zoo))
            arch = self.arch_zoo[arch]
        own = VARIANTS[variant]
        norm, has_token = own['norm'], own['class_token']
        super().__init__(init_cfg=init_cfg or own['init_cfg'])
        if drop_path_rate is None:
            drop_path_rate = own['drop_path_rate']
        #: What stands before the grid in the tokens of the last stage.
        self.num_extra_tokens = int(has_token)
        self.out_type = out_type
        last = len(arch['depths']) - 1
        given = [out_indices] if isinstance(out_indices, int) else out_indices
        self.out_indices = [range(last + 1)[index] for index in given]
        types = ['featmap']
        if has_token and self.out_indices == [last]:
            types.append('cls_token')
        check_choice(f'with variant={variant!r}, out_type', out_type, types)
        self.stages = nn.ModuleList()
        for index, (channels, depth, num_heads) in enumerate(
            zip(arch['embed_dims'], arch['depths'], arch['num_heads'])
        ):
            conv = dict(kernel_size=3, stride=2, padding=1)
            if index == 0:
                padding = own['stem_padding']
                conv = dict(kernel_size=7, stride=4, padding=padding)
            rates = np.linspace(0, drop_path_rate * (index == last), depth)
            options = norm, act_cfg, own['attn']
            stage = CvTStage(
                nn.Conv2d(in_channels, channels, **conv),
                norm(channels),
                (CvTBlock(channels, num_heads, r, *options) for r in rates),
                has_token and index == last,
            )
            self.stages.append(stage)
            in_channels = channels
        self.norm = norm(in_channels) if has_token else nn.Identity()

    def forward(self, x: Tensor) -> Tuple[Tensor, ...]:
        """(B, in_channels, height, width) to grids, or the class token."""
        grids = []
        for stage in self.stages:
            class_token, x = stage(x)
            grids.append(x)
        if self.out_type == 'cls_token':
            return (self.norm(class_token).squeeze(1),)
        grids[-1] = self.norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        # As mmcv's RoIAlign reads them.
        return tuple(grids[index].contiguous() for index in self.out_indices)
