"""What each method leaves behind, in the networks of the dense recipes.

The cells are those of docs/dense_backbones.md. The whole model of a method is
written as its training would, and read as by ``--weights``.
"""

import re
from functools import cache
from pathlib import Path

import pytest
import torch
from golden import random_weights
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from model_configs import RECIPES as CONFIGS
from model_configs import build
from safetensors.torch import load_file

from mmdrloc.checkpoints.convert import convert
from mmdrloc.checkpoints.origins import ORIGINS
from mmdrloc.checkpoints.sources import find_checkpoint
from mmdrloc.utils.files import sha256_of

ROOT = Path(__file__).parents[2]


def cells():
    """(network, method's recipe or format) of the page's table."""
    page = (ROOT / 'docs/dense_backbones.md').read_text()
    table = page.partition('| NETWORK |')[2].partition('\n\n')[0]
    for line in table.splitlines()[2:]:
        network, *methods, formats = line.strip('| ').split('|')
        network = network.strip('` ')
        for recipe in re.findall(r'/configs/([^)]+)\.py', ''.join(methods)):
            yield network, recipe
        for origin in re.findall(r'`([^`]+)`', formats):
            yield network, origin


CELLS = list(cells())


# Of networks without a dense recipe.
BACKBONES = {
    'vit-b16': dict(
        type='mmdrloc.DenseViT',
        arch='base',
        img_size=224,
        patch_size=16,
        out_indices=(2, 5, 8, 11),
        qkv_bias=False,
        norm_cfg=dict(type='LN', eps=1e-5),
    ),
    'pvtv2-b0': dict(
        type='mmpretrain.TIMMBackbone',
        model_name='pvt_v2_b0',
        features_only=True,
    ),
    'resnet-50': dict(type='mmdet.ResNet', depth=50),
}


def recipes_for(network):
    """The dense ones."""
    return [
        path
        for pattern in ('coco/*mask-rcnn_{}_1x*.py', 'ade20k/*_{}_160k*.py')
        for path in sorted(CONFIGS.glob(pattern.format(network)))
    ]


@cache
def backbones_for(network):
    """Configs of the recipes, one for all that have the same backbone."""
    if network in BACKBONES:
        cfg = Config.fromfile(CONFIGS / 'coco/mask-rcnn_swin-tiny_1x.py')
        cfg.model.backbone = BACKBONES[network]
        return [cfg]
    configs = map(Config.fromfile, recipes_for(network))
    return list({repr(c.model.backbone): c for c in configs}.values())


def test_the_table_is_read():
    assert CELLS
    assert {network for network, _ in CELLS} > set(BACKBONES)
    for network in {network for network, _ in CELLS} - set(BACKBONES):
        hosts = {path.name.split('_')[0] for path in recipes_for(network)}
        assert hosts >= {'mask-rcnn', 'upernet'}


@pytest.mark.parametrize('network,what', CELLS)
def test_a_cell(network, what, tmp_path):
    path = tmp_path / 'epoch_1.pth'
    init_default_scope('mmpretrain')
    if what in ORIGINS:
        weights = random_weights(build(network))
        given = ORIGINS[what].to_theirs(weights).weights
    else:
        model = Config.fromfile(CONFIGS / f'{what}.py').model
        weights = given = random_weights(MODELS.build(model))
    torch.save(dict(meta=dict(epoch=1), state_dict=given), path)
    for cfg in backbones_for(network):
        checkpoint, audit = convert(path, cfg)
        assert audit.loaded and not audit.faults
        # Some pre-train at 112 px, for 224.
        assert audit.resized in ([], ['pos_embed'])
        # The norms of Swin's maps, which no classifier has.
        for name in audit.expected_missing:
            assert network == 'swin-tiny' and name.startswith('norm')
        carried = checkpoint['state_dict']
        if network.startswith('pvtv2'):
            carried = ORIGINS['pvtv2-features'].to_ours(carried).weights
        for name in audit.resized:
            del carried[f'backbone.{name}']
        assert carried
        for name, tensor in carried.items():
            assert tensor.equal(weights[name])


@pytest.mark.parametrize(
    'name,recipe',
    [
        ('photos-64px', 'camvid/upernet_botnet-mini'),
        ('photos-64px', 'nuclei/mask-rcnn_botnet-mini'),
        ('photos-64px', 'photos/botnet-mini_64px_drloc'),
        ('photos-32px', 'photos/botnet-mini_32px_drloc'),
    ],
)
def test_weights_that_come_along(name, recipe):
    path = find_checkpoint(name)
    assert sha256_of(path) in (path.parent / 'README.md').read_text()
    weights = load_file(path)
    cfg = Config.fromfile(CONFIGS / f'{recipe}.py')
    carried, audit = convert(path, cfg)
    assert not audit.faults and not audit.expected_missing
    assert set(carried['state_dict']) == set(weights)
    for key, tensor in carried['state_dict'].items():
        assert tensor.equal(weights[key].to(tensor.dtype)), key
