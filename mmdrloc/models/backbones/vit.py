"""Transformers of mmpretrain that start otherwise than there."""

from functools import partial
from typing import Any, Tuple

import torch
from mmpretrain.models.backbones import SwinTransformer, VisionTransformer
from mmpretrain.models.utils import build_2d_sincos_position_embedding
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from ..pretrained import pretrained_entries


class StartedViT(VisionTransformer):
    """A ViT that starts as its ``start`` says, if not from a file."""

    def init_weights(self) -> None:
        """Initialise, unless the weights come from a checkpoint."""
        super().init_weights()
        if not any(pretrained_entries(self.init_cfg)):
            self.start()


@MODELS.register_module()
class DeiT(StartedViT):
    """A ViT that starts as DeiT's code does.

    Class token, positions and linear layers are drawn from a truncated
    normal distribution of deviation 0.02, biases are 0. The linear layers
    outside the FFNs are the config's (``configs/_base_/models/deit-tiny.py``);
    those within mmpretrain draws from a Xavier distribution after everything
    that ``init_cfg`` asks for.
    """

    def start(self) -> None:
        """Draw tokens, positions and FFNs."""
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


@MODELS.register_module()
class SinCosViT(StartedViT):
    """A ViT whose positions start as sines and cosines, and are learned on.

    Beyer et al., "Better plain ViT baselines for ImageNet-1k"
    (arXiv:2205.01580), keep them fixed. The arguments are those of
    mmpretrain's ViT; a class token starts without a position.
    """

    def start(self) -> None:
        """Set the positions."""
        positions = build_2d_sincos_position_embedding(
            self.patch_resolution[::-1],  # mmpretrain's goes by columns
            self.embed_dims,
            cls_token=self.with_cls_token,
        )
        self.pos_embed.data.copy_(positions)


@MODELS.register_module()
class ConvStem(nn.Module):
    """3x3 convolutions of stride 2 that make the patches of a ViT.

    Xiao et al., "Early Convolutions Help Transformers See Better" (NeurIPS
    2021): channels double from one convolution to the next, with BatchNorm
    and ReLU after each, then a 1x1 convolution. Takes the place of the one
    convolution of a ViT:
    ``backbone=dict(patch_cfg=dict(conv_type='mmdrloc.ConvStem'))``.
    ``kernel_size`` are the sides of a patch.

    Raises:
        UsageError: If they are no equal powers of 2, or patches overlap.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Tuple[int, int],
        stride: Tuple[int, int],
        **_: Any,
    ) -> None:
        super().__init__()
        side = kernel_size[0]
        if {*kernel_size, *stride} != {side} or side & (side - 1):
            raise UsageError(
                'ConvStem makes square patches beside each other, of 2, 4, 8 '
                f'or 16 pixels, not {kernel_size} every {stride}.'
            )
        self.layers = nn.Sequential()
        for left in reversed(range(kernel_size[0].bit_length() - 1)):
            width = out_channels >> left
            self.layers += nn.Sequential(
                nn.Conv2d(in_channels, width, 3, 2, 1, bias=False),
                nn.BatchNorm2d(width),
                nn.ReLU(inplace=True),
            )
            in_channels = width
        self.layers.append(nn.Conv2d(out_channels, out_channels, 1))

    def forward(self, x: Tensor) -> Tensor:
        """(B, in, H, W) to (B, out, H / side, W / side)."""
        return self.layers(x)


@MODELS.register_module()
class SwinWithoutPositions(SwinTransformer):
    """A Swin whose relative positions are 0 and stay so.

    As in section 4.1 of the paper; the arguments and names are mmpretrain's.

    Raises:
        UsageError: If it is to start from weights, which have positions.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if any(pretrained_entries(kwargs.get('init_cfg'))):
            raise UsageError(
                'SwinWithoutPositions starts from no weights, which have '
                'positions: take SwinTransformer.'
            )
        super().__init__(*args, **kwargs)
        self.register_load_state_dict_post_hook(_without_positions)
        _without_positions(self)  # DDP asks what is trained before it starts

    def init_weights(self) -> None:
        """Initialise, and take the positions away."""
        super().init_weights()
        _without_positions(self)


def _without_positions(network: SwinTransformer, *_: Any) -> None:
    for name, parameter in network.named_parameters():
        if name.endswith('relative_position_bias_table'):
            parameter.requires_grad_(False).zero_()
