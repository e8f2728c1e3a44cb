"""ViT as the official DRLoc code saves it."""

from math import isqrt

from torch import Tensor

from .drloc_mlp import DRLOC_RULES
from .origin import Origin, Rule


def to_convolution(weight: Tensor) -> Tensor:
    """A linear layer on the pixels of a patch as a convolution.

    (D, p * p * 3), pixels by row, column and colour, to (D, 3, p, p).
    """
    side = isqrt(weight.shape[1] // 3)
    pixels = weight.unflatten(1, (side, side, 3))
    return pixels.permute(0, 3, 1, 2).contiguous()


def to_linear(weight: Tensor) -> Tensor:
    """The inverse of :func:`to_convolution`."""
    return weight.permute(0, 2, 3, 1).flatten(1)


_LAYER = 'transformer.layers.{b}'
_OUR_LAYER = 'backbone.layers.{b}'

ORIGIN = Origin(
    name='vit-drloc',
    title="the official DRLoc code's ViT",
    network='mmdrloc.DRLocViT',
    marks=(
        'pos_embedding',
        'to_patch_embedding.1.weight',
        'transformer.layers.0.0.fn.to_qkv.weight',
    ),
    rules=(
        Rule('cls_token', 'backbone.cls_token'),
        Rule('pos_embedding', 'backbone.pos_embed'),
        Rule(
            'to_patch_embedding.1.weight',
            'backbone.patch_embed.projection.weight',
            to_convolution,
            to_linear,
        ),
        Rule(
            'to_patch_embedding.1.bias', 'backbone.patch_embed.projection.bias'
        ),
        Rule(f'{_LAYER}.0.norm.{{t}}', f'{_OUR_LAYER}.ln1.{{t}}'),
        Rule(f'{_LAYER}.0.fn.to_qkv.{{t}}', f'{_OUR_LAYER}.attn.qkv.{{t}}'),
        Rule(f'{_LAYER}.0.fn.to_out.0.{{t}}', f'{_OUR_LAYER}.attn.proj.{{t}}'),
        Rule(f'{_LAYER}.1.norm.{{t}}', f'{_OUR_LAYER}.ln2.{{t}}'),
        Rule(
            f'{_LAYER}.1.fn.net.0.{{t}}', f'{_OUR_LAYER}.ffn.layers.0.0.{{t}}'
        ),
        Rule(f'{_LAYER}.1.fn.net.3.{{t}}', f'{_OUR_LAYER}.ffn.layers.1.{{t}}'),
        Rule('mlp_head.0.{t}', 'backbone.ln1.{t}'),
        Rule('mlp_head.1.{t}', 'head.layers.head.{t}'),
        *DRLOC_RULES,
    ),
)
