"""CvT as the official DRLoc code saves it.

That network works on maps: its linear layers are 1 x 1 convolutions, its
norms (1, C, 1, 1).
"""

from torch import Tensor

from .drloc_mlp import DRLOC_RULES
from .origin import Origin, Rule


def linear_of_conv(weight: Tensor) -> Tensor:
    """(out, in, 1, 1) to (out, in)."""
    return weight.flatten(1)


def conv_of_linear(weight: Tensor) -> Tensor:
    """(out, in) to (out, in, 1, 1)."""
    return weight[..., None, None]


def vector_of_map(weight: Tensor) -> Tensor:
    """(1, C, 1, 1) to (C, )."""
    return weight.flatten()


def map_of_vector(weight: Tensor) -> Tensor:
    """(C, ) to (1, C, 1, 1)."""
    return weight[None, :, None, None]


def _norm_rules(theirs: str, ours: str) -> tuple:
    return tuple(
        Rule(
            f'{theirs}.{letter}',
            f'{ours}.{name}',
            vector_of_map,
            map_of_vector,
        )
        for letter, name in (('g', 'weight'), ('b', 'bias'))
    )


def _linear_rules(theirs: str, ours: str) -> tuple:
    return (
        Rule(
            f'{theirs}.weight',
            f'{ours}.weight',
            linear_of_conv,
            conv_of_linear,
        ),
        Rule(f'{theirs}.bias', f'{ours}.bias'),
    )


_EMBED = 'backbone.stages.{s}.patch_embed'
# In a block there, 0 is the attention and 1 the MLP.
_THEIRS = 'layers.{s}.2.layers.{b}'
_OURS = 'backbone.stages.{s}.blocks.{b}'

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
        *_linear_rules(
            f'{_THEIRS}.0.fn.to_{{x}}.net.2',
            f'{_OURS}.attn.project.{{x}}.linear',
        ),
        Rule(
            f'{_THEIRS}.0.fn.to_{{x}}.net.0.{{t}}',
            f'{_OURS}.attn.project.{{x}}.conv.{{t}}',
        ),
        Rule(
            f'{_THEIRS}.0.fn.to_{{x}}.net.1.{{t}}',
            f'{_OURS}.attn.project.{{x}}.bn.{{t}}',
        ),
        *_linear_rules(f'{_THEIRS}.0.fn.to_out.0', f'{_OURS}.attn.out'),
        *_linear_rules(f'{_THEIRS}.1.fn.net.0', f'{_OURS}.mlp.0'),
        *_linear_rules(f'{_THEIRS}.1.fn.net.3', f'{_OURS}.mlp.2'),
        Rule('head.{t}', 'head.fc.{t}'),
        *DRLOC_RULES,
    ),
)
