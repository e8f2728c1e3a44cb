"""What weight decay shrinks, as the publications say; who learns slowly."""

import pytest
from mmengine.config import Config
from mmengine.optim import build_optim_wrapper
from model_configs import RECIPES

from mmdrloc.models.building import build_model


def groups_of(recipe):
    """Parameters that are trained and their groups, by name."""
    cfg = Config.fromfile(RECIPES / f'{recipe}.py')
    model = build_model(cfg)
    wrapper = build_optim_wrapper(model, cfg.optim_wrapper)
    groups = wrapper.optimizer.param_groups
    named = [
        item for item in model.named_parameters() if item[1].requires_grad
    ]
    return {
        name: (parameter, group)
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
    groups = groups_of(recipe)
    exempt = ('cls_token', 'pos_embed', 'relative_position_bias_table')
    for name, (parameter, group) in groups.items():
        is_exempt = parameter.ndim == 1 or name.endswith(exempt)
        assert group['weight_decay'] == (0 if is_exempt else 0.05)
    _, mlp = groups['auxiliary_head.mlps.0.layers.0.weight']
    assert mlp['weight_decay'] == 0.05


@pytest.mark.parametrize('network', ['tinyvit-5m', 'dinov2-small'])
@pytest.mark.parametrize(
    'recipe',
    [
        'photos/{}_{}',
        'camvid/upernet_{}',
        'nuclei/mask-rcnn_{}',
        'coco_mini/mask-rcnn_{}_people',
    ],
)
def test_published_weights_learn_slower_than_new_layers(recipe, network):
    size = '224px' if network == 'tinyvit-5m' else '126px'
    rates = {'backbone': set(), 'new': set()}
    groups = groups_of(recipe.format(network, size))
    for name, (parameter, group) in groups.items():
        part = 'backbone' if name.startswith('backbone.') else 'new'
        if parameter.ndim > 1:  # a last norm is in the group of the head
            rates[part].add(group['lr'])
    assert max(rates['backbone']) < min(rates['new'])
