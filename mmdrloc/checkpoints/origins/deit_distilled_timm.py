"""Distilled DeiT as timm and its authors save it."""

from .origin import Origin, Rule
from .vit_timm import MARKS, RULES

ORIGIN = Origin(
    name='deit-distilled-timm',
    title="timm's and its authors' distilled DeiT",
    network='mmpretrain.DistilledVisionTransformer',
    marks=(*MARKS, 'dist_token'),
    rules=(
        *RULES,
        Rule('dist_token', 'backbone.dist_token'),
        Rule('head_dist.{t}', 'head.layers.head_dist.{t}'),
    ),
)
