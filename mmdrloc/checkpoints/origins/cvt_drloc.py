"""CvT as the official DRLoc code saves it.

That network works on maps: its linear layers are 1 x 1 convolutions, its
norms (1, C, 1, 1).
"""

from typing import Tuple

from .drloc_mlp import DRLOC_RULES
from .origin import Origin, Rule


def _norm_rules(theirs: str, ours: str) -> Tuple[Rule, ...]:
    """(1, C, 1, 1) to (C, )."""
    return tuple(
        Rule(
            f'{theirs}.{letter}',
            f'{ours}.{name}',
            lambda vector: vector.flatten(),
            lambda vector: vector[None, :, None, None],
        )
        for letter, name in (('g', 'weight'), ('b', 'bias'))
    )


def _linear_rules(theirs: str, ours: str) -> Tuple[Rule, ...]:
    """(out, in, 1, 1) to (out, in)."""
    return (
        Rule(
            f'{theirs}.weight',
            f'{ours}.weight',
            lambda weight: weight.flatten(1),
            lambda weight: weight[..., None, None],
        ),
        Rule(f'{theirs}.bias', f'{ours}.bias'),
    )


_EMBED = 'backbone.stages.{s}.patch_embed'
# In a block there, 0 is the attention and 1 the MLP.
_THEIRS = 'layers.{s}.2.layers.{b}'
_OURS = 'backbone.stages.{s}.blocks.{b}'
# The projections of queries and of keys with values.
_X, _OUR_X = f'{_THEIRS}.0.fn.to_{{x}}.net', f'{_OURS}.attn.project.{{x}}'

ORIGIN = Origin(
    name='cvt-drloc',
    title='CvT of the official DRLoc code',
    network='mmdrloc.CvT',
    marks=(
        'layers.0.1.g',
        'layers.0.2.layers.0.0.fn.to_kv.net.0.weight',
    ),
    rules=(
        *_norm_rules('layers.{s}.1', f'{_EMBED}.norm'),
        Rule('layers.{s}.0.{t}', f'{_EMBED}.proj.{{t}}'),
        *_norm_rules(f'{_THEIRS}.0.norm', f'{_OURS}.norm1'),
        *_norm_rules(f'{_THEIRS}.1.norm', f'{_OURS}.norm2'),
        *_linear_rules(f'{_X}.2', f'{_OUR_X}.linear'),
        Rule(f'{_X}.0.{{t}}', f'{_OUR_X}.conv.{{t}}'),
        Rule(f'{_X}.1.{{t}}', f'{_OUR_X}.bn.{{t}}'),
        *_linear_rules(f'{_THEIRS}.0.fn.to_out.0', f'{_OURS}.attn.out'),
        *_linear_rules(f'{_THEIRS}.1.fn.net.0', f'{_OURS}.mlp.0'),
        *_linear_rules(f'{_THEIRS}.1.fn.net.3', f'{_OURS}.mlp.2'),
        Rule('head.{t}', 'head.fc.{t}'),
        *DRLOC_RULES,
    ),
)
