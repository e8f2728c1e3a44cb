"""TinyViT as timm saves it: a downsampling opens a stage, not closes it."""

from .origin import Origin, Rule

# A convolution with its batch norm, there and here.
_LAYERS = (('conv', 'conv2d'), ('bn', 'bn2d'))
_BLOCK = 'stages.{s}.blocks.{b}'
# Modules of such pairs, there and here.
_CONVOLUTIONS = (
    ('patch_embed.conv1', 'patch_embed.seq.0'),
    ('patch_embed.conv2', 'patch_embed.seq.2'),
    *((f'{_BLOCK}.{name}',) * 2 for name in ('conv{n}', 'local_conv')),
    *(
        (
            f'stages.{s}.downsample.conv{{n}}',
            f'stages.{s - 1}.downsample.conv{{n}}',
        )
        for s in (1, 2, 3)
    ),
)
_SAME = (
    f'{_BLOCK}.attn.attention_biases',
    f'{_BLOCK}.attn.{{n}}.{{t}}',
    f'{_BLOCK}.mlp.{{n}}.{{t}}',
)

ORIGIN = Origin(
    name='tinyvit-timm',
    title="timm's TinyViT",
    network='mmpretrain.TinyViT',
    marks=(
        'patch_embed.conv1.conv.weight',
        'stages.1.blocks.0.attn.attention_biases',
    ),
    rules=(
        *(
            Rule(f'{theirs}.{a}.{{t}}', f'backbone.{ours}.{b}.{{t}}')
            for theirs, ours in _CONVOLUTIONS
            for a, b in _LAYERS
        ),
        *(Rule(name, f'backbone.{name}') for name in _SAME),
        Rule('head.norm.{t}', 'backbone.norm3.{t}'),
        Rule('head.fc.{t}', 'head.fc.{t}'),
    ),
)
