"""Swin as Microsoft and the official DRLoc code save it."""

from .drloc_mlp import DRLOC_RULES
from .origin import Origin, Rule
from .swin_names import BLOCK_RULES, DERIVED, merging_rules

ORIGIN = Origin(
    name='swin-microsoft',
    title="Microsoft's and the official DRLoc code's Swin",
    network='mmpretrain.SwinTransformer',
    marks=(
        'layers.0.blocks.0.attn.relative_position_bias_table',
        'layers.0.downsample.reduction.weight',
    ),
    rules=(
        *merging_rules(
            'layers.{s}.downsample', 'backbone.stages.{s}.downsample'
        ),
        *BLOCK_RULES,
        Rule('absolute_pos_embed', 'backbone.absolute_pos_embed'),
        Rule('norm.{t}', 'backbone.norm3.{t}'),
        Rule('head.{t}', 'head.fc.{t}'),
        *DRLOC_RULES,
    ),
    derived=DERIVED,
)
