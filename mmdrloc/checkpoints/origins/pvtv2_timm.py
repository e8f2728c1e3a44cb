"""PVTv2 as timm saves it: ours is timm's own network."""

from .origin import Origin, Rule

ORIGIN = Origin(
    name='pvtv2-timm',
    title="timm's PVTv2",
    network='mmpretrain.TIMMBackbone',
    marks=('patch_embed.proj.weight', 'stages.0.blocks.0.attn.kv.weight'),
    rules=(
        Rule('head.{t}', 'head.fc.{t}'),
        Rule('{rest}', 'backbone.timm_model.{rest}'),
    ),
)
