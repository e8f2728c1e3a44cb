"""Swin as mmseg's and mmdet's converters write it for their backbones."""

from .origin import Origin, Rule
from .swin_names import DERIVED

_BLOCK = 'stages.{s}.blocks.{b}'
_NAMES = (
    f'{_BLOCK}.attn.w_msa.{{n}}.{{t}}',
    f'{_BLOCK}.attn.w_msa.relative_position_bias_table',
    f'{_BLOCK}.ffn.layers.{{i}}.{{t}}',
    f'{_BLOCK}.ffn.layers.{{i}}.{{j}}.{{t}}',
    f'{_BLOCK}.norm{{n}}.{{t}}',
    'stages.{s}.downsample.{n}.{t}',
    'patch_embed.{n}.{t}',
    'absolute_pos_embed',
)

ORIGIN = Origin(
    name='swin-converted',
    title="mmseg's and mmdet's converted Swin",
    network='mmpretrain.SwinTransformer',
    marks=(
        'patch_embed.projection.weight',
        'stages.0.blocks.0.attn.w_msa.qkv.weight',
        'norm.weight',
    ),
    rules=(
        Rule('norm.{t}', 'backbone.norm3.{t}'),
        *(Rule(name, f'backbone.{name}') for name in _NAMES),
    ),
    derived=DERIVED,
)
