"""Ways in which weights are lost in silence elsewhere end in a sentence.

Real networks of the three libraries, and their own loaders.
"""

import logging
from types import SimpleNamespace

import pytest
import torch
from mmengine.config import ConfigDict
from mmengine.model import BaseModule
from mmengine.registry import MODELS
from mmpretrain.models import SwinTransformer, VisionTransformer
from tiny_run import BuiltLoop

from mmdrloc.checkpoints.transfer import (
    convert_checkpoint,
    extract_backbone,
    write_checkpoint,
)
from mmdrloc.engine.hooks import WeightsCheckHook
from mmdrloc.utils.errors import UsageError

DEPTHS, HEADS = [1, 1, 1, 1], [1, 1, 2, 2]
SIZES = dict(embed_dims=8, depths=DEPTHS, num_heads=HEADS)
NETWORKS = {
    'mmpretrain': dict(
        type='mmpretrain.SwinTransformer',
        arch=SIZES,
        out_indices=(0, 1, 2, 3),
        pad_small_map=True,
    ),
    'mmdet': dict(type='mmdet.SwinTransformer', **SIZES),
    'mmseg': dict(type='mmseg.SwinTransformer', **SIZES),
}
# mmdet's own takes no prefix.
PREFIX = {'mmpretrain': dict(prefix='backbone.'), 'mmdet': {}, 'mmseg': {}}


def weights_of(network):
    return {f'backbone.{n}': t for n, t in network.state_dict().items()}


@pytest.fixture
def weights():
    """What a classifier's checkpoint holds."""
    torch.manual_seed(1)
    network = SwinTransformer(arch=SIZES)
    for tensor in network.parameters():
        torch.nn.init.normal_(tensor)
    return {**weights_of(network), 'head.fc.weight': torch.ones(2)}


def begin(path, library, **changes):
    """Do what a training does before its first iteration."""
    init_cfg = ConfigDict(type='Pretrained', checkpoint=str(path))
    init_cfg.update(changes.pop('init_cfg', PREFIX[library]))
    model = BaseModule()
    model.backbone = MODELS.build(
        dict(NETWORKS[library], init_cfg=init_cfg, **changes)
    )
    runner = SimpleNamespace(
        model=model,
        iter=0,
        logger=logging.getLogger('transfer'),
        _train_loop=BuiltLoop(),
    )
    hook = WeightsCheckHook()
    hook.before_run(runner)
    model.init_weights()
    hook.before_train(runner)
    return model.backbone


def save(path, weights):
    torch.save(dict(state_dict=weights), path)
    return path


@pytest.mark.parametrize('library', NETWORKS)
def test_a_good_checkpoint_is_carried(library, weights, tmp_path):
    backbone = begin(save(tmp_path / 'a.pth', weights), library)
    state = backbone.state_dict()
    carried = [n for n in weights if n.startswith('backbone.')]
    assert len(carried) > 60
    for name in carried:
        assert state[name[9:]].equal(weights[name]), name


def without_prefix(weights):
    return {n.replace('backbone.', ''): t for n, t in weights.items()}


def with_module(weights):
    return {f'module.{n}': t for n, t in weights.items()}


def wider(weights):
    return weights_of(SwinTransformer(arch=dict(SIZES, embed_dims=16)))


def half(weights):
    return dict(list(weights.items())[::2])


def another_architecture(weights):
    return weights_of(
        VisionTransformer(
            arch=dict(
                embed_dims=8,
                num_layers=1,
                num_heads=1,
                feedforward_channels=8,
            )
        )
    )


@pytest.mark.parametrize('library', NETWORKS)
@pytest.mark.parametrize(
    'spoil, words',
    [
        (with_module, 'not fit model.backbone|fits model.backbone'),
        (wider, 'of another shape'),
        (half, 'missing in the checkpoint'),
        (another_architecture, 'not fit model.backbone.* missing in'),
    ],
)
def test_a_bad_checkpoint_is_refused(library, spoil, words, weights, tmp_path):
    path = save(tmp_path / 'a.pth', spoil(weights))
    with pytest.raises(UsageError, match=words):
        begin(path, library)


@pytest.mark.parametrize('library', ['mmpretrain', 'mmdet'])
def test_a_prefix_that_is_not_there(library, weights, tmp_path):
    path = save(tmp_path / 'a.pth', without_prefix(weights))
    with pytest.raises(UsageError, match=f'give it with --weights {path}'):
        begin(path, library)


def test_mmseg_needs_no_prefix(weights, tmp_path):
    begin(save(tmp_path / 'a.pth', without_prefix(weights)), 'mmseg')


def test_module_prefix_is_mended_by_the_transfer(weights, tmp_path):
    path = save(tmp_path / 'a.pth', with_module(weights))
    write_checkpoint(
        extract_backbone(*convert_checkpoint(path))[0], tmp_path / 'b.pth'
    )
    backbone = begin(tmp_path / 'b.pth', 'mmdet')
    name = 'patch_embed.projection.weight'
    assert backbone.state_dict()[name].equal(weights[f'backbone.{name}'])


def test_forced_conversion_is_refused(weights, tmp_path):
    path = save(tmp_path / 'a.pth', weights)
    with pytest.raises(UsageError, match='set it to False'):
        begin(path, 'mmdet', convert_weights=True)


def test_forgotten_prefix_is_refused(weights, tmp_path):
    path = save(tmp_path / 'a.pth', weights)
    with pytest.raises(UsageError, match='prefix=None: correct the prefix'):
        begin(path, 'mmpretrain', init_cfg={})
