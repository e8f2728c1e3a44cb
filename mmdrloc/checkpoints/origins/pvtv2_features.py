"""timm's PVTv2 as a feature pyramid, which renames its stages.

timm's ``features_only=True`` takes the stages out of their container:
``stages.0`` becomes ``stages_0``. What is written in this format loads into
``TIMMBackbone(features_only=True)`` of a detector.
"""

from .origin import Origin, Rule

_PYRAMID = 'backbone.timm_model.stages_{s}'
_CLASSIFIER = 'backbone.timm_model.stages.{s}'
_STEM = 'backbone.timm_model.patch_embed.{rest}'

ORIGIN = Origin(
    name='pvtv2-features',
    title="timm's PVTv2 as a feature pyramid",
    network='mmpretrain.TIMMBackbone',
    marks=(f'{_PYRAMID}.blocks.{{b}}.attn.kv.weight',),
    rules=(
        Rule(f'{_PYRAMID}.{{rest}}', f'{_CLASSIFIER}.{{rest}}'),
        Rule(_STEM, _STEM),
    ),
)
