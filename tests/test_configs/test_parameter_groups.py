"""What weight decay shrinks, as the publications say."""

import pytest
from mmengine.config import Config
from mmengine.optim import build_optim_wrapper
from model_configs import RECIPES, build


def decays_of(recipe):
    """Weight decay and axes of each parameter, by its name."""
    settings = Config.fromfile(RECIPES / f'{recipe}.py').optim_wrapper
    model = build(recipe)
    groups = build_optim_wrapper(model, settings).optimizer.param_groups
    named = [
        item for item in model.named_parameters() if item[1].requires_grad
    ]
    return {
        name: (group['weight_decay'], parameter.ndim)
        for (name, parameter), group in zip(named, groups, strict=True)
    }


@pytest.mark.parametrize(
    'recipe',
    [
        'scratch_100e/vit-b16_drloc',
        'scratch_100e/t2t-vit-14_drloc',
        'scratch_100e/swin-tiny_drloc',
        'scratch_100e/cvt-13_drloc',
        'finetune_100e/resnet-50_finetune_drloc',
    ],
)
def test_matrices_are_decayed_alone(recipe):
    """No norm, bias, token or table of positions; the head's MLP is."""
    decays = decays_of(recipe)
    exempt = ('cls_token', 'pos_embed', 'relative_position_bias_table')
    for name, (decay, axes) in decays.items():
        assert decay == (0 if axes == 1 or name.endswith(exempt) else 0.05)
    assert decays['auxiliary_head.mlps.0.layers.0.weight'][0] == 0.05
