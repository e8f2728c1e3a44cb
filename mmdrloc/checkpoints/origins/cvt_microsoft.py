"""CvT as its authors save it."""

from .origin import Origin, Rule

_THEIRS = 'stage{s}.blocks.{b}'
_OURS = 'backbone.stages.{s}.blocks.{b}'

ORIGIN = Origin(
    name='cvt-microsoft',
    title='CvT of its authors',
    network='mmdrloc.CvT',
    marks=(
        'stage0.patch_embed.proj.weight',
        'stage0.blocks.0.attn.conv_proj_k.conv.weight',
    ),
    rules=(
        Rule(
            'stage{s}.patch_embed.{m}.{t}',
            'backbone.stages.{s}.patch_embed.{m}.{t}',
        ),
        Rule('stage{s}.cls_token', 'backbone.stages.{s}.cls_token'),
        Rule(
            f'{_THEIRS}.attn.proj_{{x}}.{{t}}',
            f'{_OURS}.attn.project.{{x}}.linear.{{t}}',
        ),
        Rule(
            f'{_THEIRS}.attn.conv_proj_{{x}}.{{m}}.{{t}}',
            f'{_OURS}.attn.project.{{x}}.{{m}}.{{t}}',
        ),
        Rule(f'{_THEIRS}.attn.proj.{{t}}', f'{_OURS}.attn.out.{{t}}'),
        Rule(f'{_THEIRS}.norm{{n}}.{{t}}', f'{_OURS}.norm{{n}}.{{t}}'),
        Rule(f'{_THEIRS}.mlp.fc1.{{t}}', f'{_OURS}.mlp.0.{{t}}'),
        Rule(f'{_THEIRS}.mlp.fc2.{{t}}', f'{_OURS}.mlp.2.{{t}}'),
        Rule('norm.{t}', 'backbone.norm.{t}'),
        Rule('head.{t}', 'head.fc.{t}'),
    ),
)
