"""ViT and DeiT as timm and DeiT's authors save them, class token alone."""

from .origin import Origin, Rule
from .vit_names import encoder_rules

RULES = (
    Rule('patch_embed.proj.{t}', 'backbone.patch_embed.projection.{t}'),
    *encoder_rules('layers'),
    Rule('norm.{t}', 'backbone.ln1.{t}'),
    # LayerScale, as of DINOv2.
    Rule('blocks.{b}.ls1.gamma', 'backbone.layers.{b}.attn.gamma1.weight'),
    Rule('blocks.{b}.ls2.gamma', 'backbone.layers.{b}.ffn.gamma2.weight'),
)
MARKS = (
    'cls_token',
    'pos_embed',
    'patch_embed.proj.weight',
    'blocks.0.attn.qkv.weight',
)

ORIGIN = Origin(
    name='vit-timm',
    title="timm's ViT and DeiT and the DeiT of its authors",
    network='mmpretrain.VisionTransformer',
    marks=MARKS,
    absent=('dist_token',),
    rules=RULES,
)
