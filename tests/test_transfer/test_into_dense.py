"""What each method leaves behind, in the network of a dense recipe.

The whole model of a recipe is written as its training would, and read by
what ``--weights`` does.
"""

import pytest
import torch
from golden import random_weights
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from model_configs import CONFIGS, RECIPES, build

from mmdrloc.transfer import (
    ORIGINS,
    convert_checkpoint,
    extract_backbone,
    fit_to_config,
)

# Network of a dense recipe, and the recipes that train it, by method.
TRAINED = {
    'vit-b16': ('scratch_100e/vit-b16', 'scratch_100e/vit-b16_drloc'),
    'deit-tiny': (
        'scratch_100e/deit-tiny',
        'idmm/finetune/deit-tiny_200e_drloc',
        'idmm/pretrain/idmm_deit-tiny',
        'idmm/pretrain/idmm_deit-tiny_drloc',
        'idmm/pretrain/dino_deit-tiny',
        'idmm/pretrain/mocov2_deit-tiny',
        'idmm/pretrain/mocov3_deit-tiny',
        'idmm/pretrain/simclr_deit-tiny',
        'idmm/pretrain/supcon_deit-tiny',
    ),
    'deit-base': ('idmm/finetune/deit-base', 'idmm/pretrain/idmm_deit-base'),
    'vit-light': ('mae/vit-light', 'mae/vit-light_drloc', 'mae/mae_vit-light'),
    't2t-vit-7': (
        'idmm/finetune/t2t-vit-7',
        'idmm/pretrain/idmm_t2t-vit-7',
    ),
    't2t-vit-14': (
        'scratch_100e/t2t-vit-14',
        'scratch_100e/t2t-vit-14_drloc',
    ),
}
# And the formats of others.
FORMATS = [
    ('vit-b16', 'vit-drloc'),
    ('deit-tiny', 'vit-timm'),
    ('deit-base', 'vit-timm'),
    ('t2t-vit-7', 't2t'),
    ('t2t-vit-14', 't2t'),
]


def fitted(path, network):
    """What came of a file for a dense network, and the audit."""
    given = Config.fromfile(CONFIGS / f'{network}_dense.py').network
    cfg = Config(dict(default_scope='mmdet', model=dict(backbone=given)))
    return fit_to_config(*extract_backbone(*convert_checkpoint(path)), cfg)


def assert_came(path, network, weights):
    checkpoint, audit = fitted(path, network)
    assert audit.loaded and not (audit.faults or audit.expected_missing)
    # Some pre-train at 112 px, for 224.
    assert audit.resized in ([], ['pos_embed'])
    for name in audit.loaded:
        found = checkpoint['state_dict'][f'backbone.{name}']
        assert found.equal(weights[f'backbone.{name}'])


@pytest.mark.parametrize(
    'network,recipe', [(n, r) for n, recipes in TRAINED.items() for r in recipes]
)
def test_methods(network, recipe, tmp_path):
    init_default_scope('mmpretrain')
    model = Config.fromfile(RECIPES / f'{recipe}.py').model
    weights = random_weights(MODELS.build(model))
    path = tmp_path / 'epoch_1.pth'
    torch.save(dict(meta=dict(epoch=1), state_dict=weights), path)
    assert_came(path, network, weights)


@pytest.mark.parametrize('network,origin', FORMATS)
def test_formats(network, origin, tmp_path):
    weights = random_weights(build(network))
    path = tmp_path / 'theirs.pth'
    torch.save(ORIGINS[origin].to_theirs(weights).weights, path)
    assert_came(path, network, weights)
