"""Converted weights against the backbones of configs, and their features."""

import pytest
import torch
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.models import SwinTransformer, VisionTransformer

from mmdrloc.checkpoints.audit import Audit
from mmdrloc.checkpoints.convert import build_backbone, fit_to_config
from mmdrloc.checkpoints.load import load
from mmdrloc.utils.errors import UsageError

SWIN = dict(
    type='SwinTransformer',
    arch=dict(embed_dims=16, depths=[1, 1], num_heads=[1, 2]),
    img_size=56,
    out_indices=(0, 1),
)
VIT = dict(
    type='VisionTransformer',
    arch=dict(
        embed_dims=16, num_layers=1, num_heads=2, feedforward_channels=32
    ),
    img_size=32,
    patch_size=8,
)


def config(backbone):
    return Config(
        dict(default_scope='mmpretrain', model=dict(backbone=backbone))
    )


def checkpoint(network, **changes):
    state_dict = {
        f'backbone.{name}': tensor
        for name, tensor in {**network.state_dict(), **changes}.items()
    }
    return dict(meta=dict(source='a.pth'), state_dict=state_dict)


def arguments(backbone, **changes):
    return {k: v for k, v in {**backbone, **changes}.items() if k != 'type'}


def test_a_backbone_that_fits():
    source = SwinTransformer(**arguments(SWIN, out_indices=(1,)))
    given = checkpoint(source)
    fitted, audit = fit_to_config(
        given,
        Audit(dropped=['head.fc.weight']),
        config(SWIN),
    )
    assert sorted(audit.loaded) == sorted(source.state_dict())
    assert audit.expected_missing == ['norm0.weight', 'norm0.bias']
    assert audit.dropped == ['head.fc.weight']
    for name, tensor in given['state_dict'].items():
        assert fitted['state_dict'][name].equal(tensor)


def test_what_detectors_have_no_use_for():
    source = SwinTransformer(**arguments(SWIN, out_indices=(1,)))
    weights = checkpoint(source, mask_token=torch.ones(1, 1, 16))
    fitted, audit = fit_to_config(
        weights, Audit(), config(dict(SWIN, out_indices=(0,)))
    )
    assert set(audit.dropped) == {'norm1.weight', 'norm1.bias', 'mask_token'}
    assert 'backbone.mask_token' not in fitted['state_dict']


def test_buffers_of_the_network_need_not_come():
    weights = checkpoint(SwinTransformer(**arguments(SWIN)))
    for name in list(weights['state_dict']):
        if name.endswith('relative_position_index'):
            del weights['state_dict'][name]
    _, audit = fit_to_config(weights, Audit(), config(SWIN))
    assert len(audit.computed) == 2 and not audit.faults


def test_position_embeddings_are_resized():
    source = VisionTransformer(**arguments(VIT, img_size=64))
    torch.nn.init.normal_(source.pos_embed)
    fitted, audit = fit_to_config(checkpoint(source), Audit(), config(VIT))
    assert audit.resized == ['pos_embed']
    found = fitted['state_dict']['backbone.pos_embed']
    assert found.shape == (1, 17, 16)
    # The class token's stays, the grid's are interpolated.
    assert found[:, 0].equal(source.pos_embed[:, 0])
    target = VisionTransformer(**arguments(VIT))
    target.load_state_dict({n[9:]: t for n, t in fitted['state_dict'].items()})
    images = torch.rand(1, 3, 32, 32)
    source.eval(), target.eval()
    with torch.no_grad():
        torch.testing.assert_close(source(images)[0], target(images)[0])


DENSE_VIT = dict(VIT, type='mmdrloc.DenseViT', window_size=4)
T2T = dict(
    type='mmdrloc.PerformerT2TViT',
    img_size=64,
    embed_dims=16,
    num_layers=1,
    t2t_cfg=dict(token_dims=8),
    layer_cfgs=dict(num_heads=2, feedforward_channels=32),
)
DENSE_T2T = dict(T2T, type='mmdrloc.DenseT2TViT', window_size=4)
WITHOUT_TOKEN = dict(with_cls_token=False, out_type='featmap')


def built(backbone):
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    network = MODELS.build(backbone)
    for tensor in network.state_dict().values():
        torch.nn.init.normal_(tensor, std=0.2)
    network.eval()
    return network


def of_another_grid(source, length):
    shape = (1, length, 16)
    return checkpoint(built(source), pos_embed=torch.rand(shape))


@pytest.mark.parametrize('target', [DENSE_VIT, DENSE_T2T, VIT])
def test_positions_of_another_size_are_resized(target):
    source = T2T if target is DENSE_T2T else VIT
    weights = of_another_grid(source, 1 + 6 * 6)
    fitted, audit = fit_to_config(weights, Audit(), config(target))
    assert audit.resized == ['pos_embed']
    assert fitted['state_dict']['backbone.pos_embed'].shape == (1, 17, 16)


NO_TOKEN = '1 missing in the checkpoint: cls_token'
MISFITS = {
    'no class token': (dict(VIT, **WITHOUT_TOKEN), DENSE_VIT, NO_TOKEN),
    'no class token in T2T': (
        dict(T2T, **WITHOUT_TOKEN),
        DENSE_T2T,
        NO_TOKEN,
    ),
    'a class token too many': (
        VIT,
        dict(DENSE_VIT, with_cls_token=False),
        '1 unexpected in the checkpoint: cls_token',
    ),
    'another patch': (
        dict(VIT, patch_size=4, img_size=16),
        DENSE_VIT,
        '1 of another shape: patch_embed.projection.weight.',
    ),
    'no square grid': (
        dict(VIT, img_size=(32, 64)),
        DENSE_VIT,
        '1 of another shape: pos_embed.',
    ),
    'another depth': (
        dict(VIT, arch=dict(VIT['arch'], num_layers=2)),
        DENSE_VIT,
        '12 unexpected in the checkpoint: layers.1',
    ),
    'another network': (T2T, DENSE_VIT, 'missing in the checkpoint'),
    'a distillation token': (
        dict(VIT, type='DistilledVisionTransformer'),
        DENSE_VIT,
        '1 unexpected in the checkpoint: dist_token',
    ),
}


@pytest.mark.parametrize('name', MISFITS)
def test_what_does_not_fit_a_dense_transformer(name):
    source, target, words = MISFITS[name]
    with pytest.raises(UsageError) as caught:
        fit_to_config(checkpoint(built(source)), Audit(), config(target))
    assert words in str(caught.value)
    assert 'a.pth does not fit the backbone' in str(caught.value)


# ---- features --------------------------------------------------------------

ARCH = dict(embed_dims=8, depths=[1, 1, 1, 2], num_heads=[1, 1, 2, 2])


def features_of(weights, scope, size, **options):
    cfg = config(dict(type='SwinTransformer', **options))
    cfg.default_scope = scope
    network = build_backbone(cfg)
    load(
        network,
        'a.pth',
        'train',
        place='the backbone',
        checkpoint=dict(state_dict=weights),
    )
    network.eval()
    image = torch.randn(1, 3, *size, generator=torch.manual_seed(0))
    with torch.no_grad():
        return network(image)[-1]


@pytest.fixture(scope='module')
def weights():
    torch.manual_seed(0)
    network = SwinTransformer(arch=ARCH, pad_small_map=True)
    for tensor in network.parameters():
        torch.nn.init.normal_(tensor, std=0.2)
    return {f'backbone.{n}': t for n, t in network.state_dict().items()}


@pytest.mark.parametrize('size', [(224, 224), (250, 333)])
def test_the_libraries_agree_to_the_bit(weights, size):
    ours = features_of(
        weights, 'mmpretrain', size, arch=ARCH, pad_small_map=True
    )
    assert ours.equal(features_of(weights, 'mmdet', size, **ARCH))
    assert ours.equal(features_of(weights, 'mmseg', size, **ARCH))
