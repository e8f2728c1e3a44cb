"""ViT as mmseg's own network names it, around torch's attention."""

from .origin import Origin, Rule

_THEIRS = 'backbone.layers.{b}.attn.attn'
_OURS = 'backbone.layers.{b}.attn'

ORIGIN = Origin(
    name='vit-mmseg',
    title="mmseg's ViT",
    network='mmpretrain.VisionTransformer',
    marks=(f'{_THEIRS}.in_proj_weight',),
    rules=(
        Rule(f'{_THEIRS}.in_proj_{{t}}', f'{_OURS}.qkv.{{t}}'),
        Rule(f'{_THEIRS}.out_proj.{{t}}', f'{_OURS}.proj.{{t}}'),
        Rule('{rest}', '{rest}'),
    ),
)
