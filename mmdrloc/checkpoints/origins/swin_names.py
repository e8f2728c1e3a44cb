"""The names that Microsoft's and timm's Swin share, and mmpretrain's."""

from torch import Tensor

from .origin import Rule

# The four neighbours that patch merging joins, by column and row there, by
# row and column here. The permutation is its own inverse.
_NEIGHBOURS = [0, 2, 1, 3]

BLOCK_RULES = (
    Rule(
        'layers.{s}.blocks.{b}.attn.{n}.{t}',
        'backbone.stages.{s}.blocks.{b}.attn.w_msa.{n}.{t}',
    ),
    Rule(
        'layers.{s}.blocks.{b}.attn.relative_position_bias_table',
        'backbone.stages.{s}.blocks.{b}.attn.w_msa'
        '.relative_position_bias_table',
    ),
    Rule(
        'layers.{s}.blocks.{b}.mlp.fc1.{t}',
        'backbone.stages.{s}.blocks.{b}.ffn.layers.0.0.{t}',
    ),
    Rule(
        'layers.{s}.blocks.{b}.mlp.fc2.{t}',
        'backbone.stages.{s}.blocks.{b}.ffn.layers.1.{t}',
    ),
    Rule(
        'layers.{s}.blocks.{b}.norm{n}.{t}',
        'backbone.stages.{s}.blocks.{b}.norm{n}.{t}',
    ),
    Rule('patch_embed.proj.{t}', 'backbone.patch_embed.projection.{t}'),
    Rule('patch_embed.norm.{t}', 'backbone.patch_embed.norm.{t}'),
)
# Computed from the window and the image size.
DERIVED = (
    '{rest}.relative_position_index',
    '{rest}.attn_mask',
)


def merging_rules(theirs: str, ours: str) -> tuple:
    """Rules for one patch merging, whose channels come in another order.

    There, the channels of one neighbour stand together; here, the four
    neighbours of one channel do, as ``nn.Unfold`` lays them out. ``theirs``
    and ``ours`` are templates of the module's name.
    """
    return tuple(
        Rule(f'{theirs}.{name}', f'{ours}.{name}', by_channel, by_neighbour)
        for name in ('norm.{t}', 'reduction.{t}')
    )


def by_channel(tensor: Tensor) -> Tensor:
    """(..., 4 * C), a neighbour's channels together, to the other order."""
    by_neighbour = tensor.unflatten(-1, (4, -1))[..., _NEIGHBOURS, :]
    return by_neighbour.transpose(-1, -2).flatten(-2)


def by_neighbour(tensor: Tensor) -> Tensor:
    """The inverse of :func:`by_channel`."""
    by_channel = tensor.unflatten(-1, (-1, 4))[..., _NEIGHBOURS]
    return by_channel.transpose(-1, -2).flatten(-2)
