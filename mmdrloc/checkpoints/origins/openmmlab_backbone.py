"""Transformers' backbones of mmpretrain, mmdet and mmseg alone."""

from .origin import Origin, Rule

ORIGIN = Origin(
    name='openmmlab-backbone',
    title='a backbone of mmpretrain, mmdet or mmseg',
    network='any',
    marks=('patch_embed.projection.weight',),
    absent=('norm.weight',),
    rules=(Rule('{rest}', 'backbone.{rest}'),),
)
