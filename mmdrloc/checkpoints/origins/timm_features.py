"""timm's PVTv2 and CoAtNet as feature pyramids, which rename their stages.

timm's ``features_only=True`` takes the stages out of their container:
``stages.0`` becomes ``stages_0``. What is written in this format loads into
``TIMMBackbone(features_only=True)`` of a detector. CoAtNet's last norm is not
part of the pyramid.
"""

from .origin import Origin, Rule

_MODEL = 'backbone.timm_model'

ORIGIN = Origin(
    name='timm-features',
    title="timm's PVTv2 and CoAtNet as feature pyramids",
    network='mmpretrain.TIMMBackbone',
    marks=(f'{_MODEL}.stages_{{s}}.blocks.{{rest}}',),
    rules=(
        Rule(
            f'{_MODEL}.stages_{{s}}.{{rest}}',
            f'{_MODEL}.stages.{{s}}.{{rest}}',
        ),
        # The stems of the one and the other.
        *(
            Rule(f'{_MODEL}.{stem}.{{rest}}', f'{_MODEL}.{stem}.{{rest}}')
            for stem in ('patch_embed', 'stem')
        ),
    ),
)
