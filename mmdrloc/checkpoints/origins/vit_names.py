"""What timm's ViT and T2T-ViT's encoder have in common."""

from typing import Tuple

from .origin import Rule


def encoder_rules(layers: str) -> Tuple[Rule, ...]:
    """Rules for tokens, positions, our ``layers`` and the linear head."""
    theirs, ours = 'blocks.{b}', f'backbone.{layers}.{{b}}'
    return (
        Rule('cls_token', 'backbone.cls_token'),
        Rule('pos_embed', 'backbone.pos_embed'),
        Rule(f'{theirs}.norm{{n}}.{{t}}', f'{ours}.ln{{n}}.{{t}}'),
        Rule(f'{theirs}.attn.{{n}}.{{t}}', f'{ours}.attn.{{n}}.{{t}}'),
        Rule(f'{theirs}.mlp.fc1.{{t}}', f'{ours}.ffn.layers.0.0.{{t}}'),
        Rule(f'{theirs}.mlp.fc2.{{t}}', f'{ours}.ffn.layers.1.{{t}}'),
        Rule('head.{t}', 'head.layers.head.{t}'),
    )
