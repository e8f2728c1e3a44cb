"""Checkpoints of mmpretrain, mmdet and mmseg, which name as we do."""

from .origin import Origin, Rule

ORIGIN = Origin(
    name='openmmlab',
    title='mmpretrain, mmdet, mmseg and mmdrloc',
    network='any',
    marks=('backbone.{rest}',),
    absent=(
        'backbone.timm_model.stages_{s}.{rest}',
        'backbone.layers.{b}.attn.attn.in_proj_weight',
    ),
    rules=(Rule('{rest}', '{rest}'),),
)
