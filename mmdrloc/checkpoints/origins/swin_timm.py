"""Swin as timm saves it: patch merging opens a stage instead of closing it."""

from .origin import Origin, Rule
from .swin_names import BLOCK_RULES, DERIVED, merging_rules

ORIGIN = Origin(
    name='swin-timm',
    title="timm's Swin",
    network='mmpretrain.SwinTransformer',
    marks=(
        'layers.0.blocks.0.attn.relative_position_bias_table',
        'layers.1.downsample.reduction.weight',
    ),
    absent=('layers.0.downsample.reduction.weight',),
    rules=(
        *(
            rule
            for stage in (1, 2, 3)
            for rule in merging_rules(
                f'layers.{stage}.downsample',
                f'backbone.stages.{stage - 1}.downsample',
            )
        ),
        *BLOCK_RULES,
        Rule('norm.{t}', 'backbone.norm3.{t}'),
        Rule('head.fc.{t}', 'head.fc.{t}'),
    ),
    derived=DERIVED,
)
