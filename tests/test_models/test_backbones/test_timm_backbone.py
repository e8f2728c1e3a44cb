"""Networks of timm: maps, the loss, and weights that are accounted for."""

import re

import pytest
import timm
import torch
from mmengine.config import Config
from mmengine.model import BaseModule
from mmengine.registry import init_default_scope
from mmpretrain.models import ImageClassifier, TIMMBackbone
from mmpretrain.registry import MODELS
from mmpretrain.structures import DataSample
from safetensors.torch import save_file
from torch import nn

from mmdrloc.checkpoints.starts import load_starts, start_from, take_starts
from mmdrloc.models.building import build_model
from mmdrloc.utils.errors import UsageError

VIT = dict(depth=2, img_size=56, embed_dim=96)
STAGES = dict(depths=(1, 1, 1, 1))
# Name, arguments that make it small, the module whose map is put out.
FAMILIES = {
    'vit': ('vit_tiny_patch16_224', dict(VIT, img_size=64), 'blocks.1'),
    'dinov2': ('vit_small_patch14_dinov2', VIT, 'blocks.1'),
    'deit3': ('deit3_small_patch16_224', dict(VIT, img_size=64), 'blocks.1'),
    'beit': ('beit_base_patch16_224', dict(VIT, img_size=64), 'blocks.1'),
    'eva02': ('eva02_tiny_patch14_224', dict(VIT, num_heads=3), 'blocks.1'),
    'swin': (
        'swin_tiny_patch4_window7_224',
        dict(STAGES, embed_dim=24, img_size=64, window_size=4),
        'layers.2',
    ),
    'swinv2': (
        'swinv2_tiny_window8_256',
        dict(STAGES, embed_dim=24, img_size=64),
        'layers.2',
    ),
    'pvtv2': ('pvt_v2_b0', STAGES, 'stages.2'),
    'tinyvit': ('tiny_vit_5m_224', STAGES, 'stages.2'),
    'convnext': ('convnext_atto', STAGES, 'stages.2'),
    'maxvit': ('maxvit_rmlp_pico_rw_256', dict(img_size=64), 'stages.1'),
    'efficientvit': ('efficientvit_b0', {}, 'stages.2'),
    'xcit': ('xcit_nano_12_p16_224', dict(depth=2, img_size=64), 'blocks.1'),
    'cait': ('cait_xxs24_224', dict(depth=2, img_size=64), 'blocks.1'),
    'resnet': ('resnet18', {}, 'layer3'),
}
every_family = pytest.mark.parametrize('family', FAMILIES)


@pytest.fixture(autouse=True)
def mmpretrain_scope():
    init_default_scope('mmpretrain')


def backbone(family, **changes):
    name, small, source = FAMILIES[family]
    index = dict(maxvit=2).get(family, int(source[-1]))
    ours = dict(type='mmdrloc.TIMMBackbone', model_name=name)
    maps = dict(features_only=True, out_indices=(index,))
    return {**ours, **maps, **small, **changes}


def images_for(family):
    side = FAMILIES[family][1].get('img_size', 64)
    return torch.randn(2, 3, side, side)


@every_family
def test_a_step_with_the_loss(family):
    torch.manual_seed(0)
    network = MODELS.build(backbone(family))
    network.eval()
    images = images_for(family)
    with torch.no_grad():
        (expected,) = network(images)
    channels = expected.shape[1]
    model = MODELS.build(
        dict(
            type='mmdrloc.DRLocClassifier',
            backbone=backbone(family),
            neck=dict(type='GlobalAveragePooling'),
            head=dict(
                type='LinearClsHead', num_classes=2, in_channels=channels
            ),
            auxiliary_head=dict(
                type='mmdrloc.DRLocHead',
                source=f'timm_model.model.{FAMILIES[family][2]}',
                in_channels=channels,
                hidden_channels=32,
            ),
        )
    )
    model.backbone.load_state_dict(network.state_dict())
    model.backbone.eval()
    with torch.no_grad(), model.auxiliary_head.tap(model.backbone) as tap:
        model.backbone(images)
    assert torch.equal(tap.grids()[0], expected)
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    samples = [DataSample().set_gt_label(n) for n in (0, 1)]
    losses = model.loss(images, samples)
    losses['loss_drloc'].backward(retain_graph=True)
    gradients = [p.grad for p in model.backbone.parameters()]
    assert any(one is not None and one.any() for one in gradients)
    losses['loss_cls'].backward()
    optimizer.step()
    assert model.loss(images, samples)['loss_drloc'].isfinite()


def write_file(family, path, **changes):
    """A random network of timm with its classifier, written as timm does."""
    name, small, _ = FAMILIES[family]
    torch.manual_seed(1)
    network = timm.create_model(name, num_classes=3, **{**small, **changes})
    for parameter in network.parameters():  # scales of residuals start at 0
        nn.init.normal_(parameter, std=0.05)
    save_file(network.state_dict(), path)
    return network.eval()


def begin(backbone, weights=None):
    """Do with a backbone what a training does before its first iteration."""
    cfg = Config(dict(default_scope='mmpretrain', model=dict(type='X')))
    cfg.model.backbone = backbone
    start_from(cfg, weights)
    model = BaseModule()
    model.backbone = MODELS.build(cfg.model.backbone)
    starts = take_starts(model)
    model.init_weights()
    [audit] = load_starts(starts).values()
    model.backbone.eval()
    return model.backbone, audit


PLAIN = dict(type='TIMMBackbone')
LISTED = dict(type='TIMMBackbone', features_only=True)


@pytest.mark.parametrize(
    'family, changes',
    [
        *[(f, {}) for f in ('vit', 'dinov2', 'swin', 'tinyvit', 'maxvit')],
        *[(f, {}) for f in ('xcit', 'cait')],
        *[(f, LISTED) for f in ('tinyvit', 'convnext')],
    ],
)
def test_weights_of_timm_are_loaded_whole(family, changes, tmp_path):
    path = tmp_path / 'timm.safetensors'
    theirs = write_file(family, path)
    network, audit = begin(backbone(family, **changes), str(path))
    assert len(audit.loaded) == len(network.state_dict())
    # The classifier, and what lies behind the map.
    left = 'head|norm|(stages|layers)[.][23]|cls_|blocks_token_only'
    assert all(re.match(left, name) for name in audit.dropped)
    # Nothing that windows and strides divide, where any size will do.
    fixed = 'img_size' in FAMILIES[family][1]
    images = images_for(family) if fixed else torch.randn(2, 3, 70, 93)
    indices = network.timm_model.feature_info.out_indices
    with torch.no_grad():
        (found,) = network(images)
        [expected] = theirs.forward_intermediates(
            images, indices=list(indices), intermediates_only=True
        )
    torch.testing.assert_close(found, expected)


def test_a_run_of_a_classifier_becomes_maps(tmp_path):
    _, small, _ = FAMILIES['tinyvit']
    classifier = ImageClassifier(
        backbone=dict(PLAIN, model_name='tiny_vit_5m_224', **small),
        head=dict(type='LinearClsHead', num_classes=2, in_channels=320),
    )
    path = tmp_path / 'run.safetensors'
    save_file(classifier.state_dict(), path)
    network, audit = begin(backbone('tinyvit'), str(path))
    assert len(audit.loaded) == len(network.state_dict())
    for name, tensor in network.state_dict().items():
        name = name.replace('.model.', '.', 1)
        assert torch.equal(tensor, classifier.backbone.state_dict()[name])


def test_what_timm_publishes_is_accounted_for(tmp_path):
    """``pretrained=True``; timm itself is silent on what does not fit."""
    path = tmp_path / 'timm.safetensors'
    theirs = write_file('dinov2', path, img_size=70)
    pretrained = dict(pretrained=True, pretrained_cfg_overlay={})
    pretrained['pretrained_cfg_overlay']['file'] = str(path)
    network, _ = begin(backbone('dinov2', **pretrained))
    name = 'blocks.1.mlp.fc1.weight'
    weight = network.timm_model.model.get_parameter(name)
    assert torch.equal(weight, theirs.get_parameter(name))
    for changes in (
        dict(depth=3, out_indices=(2,)),
        dict(embed_dim=48, num_heads=3),
        dict(depth=1, out_indices=(0,)),
    ):
        changes.update(pretrained)
        with pytest.raises(UsageError, match='does not fit model.backbone'):
            begin(backbone('dinov2', **changes))


def test_frozen_parts_and_statistics_stay():
    network = MODELS.build(
        backbone('tinyvit', norm_eval=True, frozen=('stages.0',))
    )
    before = {n: t.clone() for n, t in network.state_dict().items()}
    network.train()
    sum(maps.sum() for maps in network(images_for('tinyvit'))).backward()
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.grad is not None:
                parameter += 1
    changed = {
        name
        for name, tensor in network.state_dict().items()
        if not torch.equal(tensor, before[name])
    }
    assert changed and not any('running' in name for name in changed)
    assert not any('stages.0.' in name for name in changed)
    assert network.training and network.timm_model.training
    stages = [
        network.timm_model.model.get_submodule(f'stages.{n}') for n in (0, 1)
    ]
    # What it drops at random it keeps, too.
    assert [stage.training for stage in stages] == [False, True]


def test_it_is_published_as_mmpretrain_s():
    ours = backbone('tinyvit', norm_eval=True, frozen=('stages.0',))
    head = dict(
        type='mmdrloc.DRLocHead',
        source='timm_model.model.stages.2',
        in_channels=160,
    )
    model = dict(
        type='mmdrloc.DRLocClassifier', backbone=ours, auxiliary_head=head
    )
    cfg = Config(dict(default_scope='mmpretrain', model=model))
    trained = build_model(cfg).eval().backbone
    plain = build_model(cfg, plain=True).eval().backbone
    assert type(plain) is TIMMBackbone
    plain.load_state_dict(trained.state_dict())
    images = images_for('tinyvit')
    with torch.no_grad():
        assert plain(images)[0].equal(trained(images)[0])
