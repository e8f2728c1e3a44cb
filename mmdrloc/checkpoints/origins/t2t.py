"""T2T-ViT with Performer tokens as its authors and official DRLoc save it."""

from .drloc_mlp import DRLOC_RULES
from .origin import Origin, Rule
from .vit_names import encoder_rules

ORIGIN = Origin(
    name='t2t',
    title="T2T-ViT's authors' and the official DRLoc code's T2T-ViT",
    network='mmdrloc.PerformerT2TViT',
    marks=(
        'tokens_to_token.attention1.w',
        'tokens_to_token.attention1.kqv.weight',
        'blocks.0.attn.qkv.weight',
    ),
    rules=(
        Rule('tokens_to_token.{rest}', 'backbone.tokens_to_token.{rest}'),
        *encoder_rules('encoder'),
        Rule('norm.{t}', 'backbone.norm.{t}'),
        *DRLOC_RULES,
    ),
)
