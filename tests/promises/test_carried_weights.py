"""Promise 5: of carried weights every tensor is accounted for."""

import os
from pathlib import Path

import pytest
import timm
import torch
import torchvision
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS
from timm.models.deit import VisionTransformerDistilled
from timm.models.swin_transformer import SwinTransformer
from timm.models.vision_transformer import VisionTransformer

# ---- from a training to another one --------------------------------------


@pytest.mark.parametrize(
    'recipe',
    ['classifier', 'detector', 'detector_drloc', 'segmentor'],
)
def test_all_of_the_backbone_arrives(tool, run, recipe):
    """From a classifier with DRLoc, whose own head stays behind."""
    line = (f'seen_{recipe}.py', '--weights', 'run', '--work-dir', 'w')
    tool('train.py', *line).succeeds()
    start = torch.load('w/witness.pt', weights_only=True)['start']
    trained = torch.load(run / 'epoch_1.pth', weights_only=False)['state_dict']
    carried = [name for name in trained if name.startswith('backbone.')]
    assert len(carried) > 20
    for name in carried:
        assert start[name].equal(trained[name]), name
    new = {n for n in start if n.startswith('backbone.')} - set(carried)
    # A dense model takes the first stage too, through a norm of its own.
    assert all(name.startswith('backbone.norm0') for name in new)


def test_the_method_may_be_new(tool, folder, run):
    """Weights of a baseline start its twin, whose head begins anew."""
    tool('train.py', 'classifier.py', '--work-dir', 'plain').succeeds()
    line = ('seen_classifier_drloc.py', '--weights', 'plain')
    tool('train.py', *line, '--work-dir', 'w').succeeds()
    start = torch.load('w/witness.pt', weights_only=True)['start']
    trained = torch.load('plain/epoch_1.pth', weights_only=False)['state_dict']
    for name, tensor in trained.items():
        if name.startswith('backbone.'):
            assert start[name].equal(tensor), name


def half(weights):
    for name in [n for n in weights if n.startswith('backbone.')][::2]:
        del weights[name]


def one_missing(weights):
    del weights['backbone.stages.1.blocks.0.ffn.layers.1.weight']


def other_names(weights):
    for name in list(weights):
        weights[f'net.{name}'] = weights.pop(name)


def other_shape(weights):
    name = 'backbone.stages.0.blocks.0.ffn.layers.1.weight'
    weights[name] = torch.ones(3, 3)


def whole_numbers(weights):
    name = 'backbone.patch_embed.projection.weight'
    weights[name] = weights[name].long()


def not_finite(weights):
    weights['backbone.patch_embed.projection.bias'][0] = float('inf')


def none(weights):
    weights.clear()


UNFIT = {
    half: 'patch_embed.projection.weight',
    one_missing: 'stages.1.blocks.0.ffn.layers.1.weight',
    other_names: 'changed.pth',
    other_shape: 'stages.0.blocks.0.ffn.layers.1.weight',
    whole_numbers: 'patch_embed.projection.weight',
    not_finite: 'patch_embed.projection.bias',
    none: 'changed.pth',
}


def write_changed(run, change):
    content = torch.load(run / 'epoch_1.pth', weights_only=False)
    change(content['state_dict'])
    torch.save(content, 'changed.pth')


@pytest.mark.parametrize('change', UNFIT, ids=lambda change: change.__name__)
def test_what_does_not_fit_starts_nothing(tool, run, change):
    write_changed(run, change)
    weights = ('--weights', 'changed.pth')
    for recipe in ('classifier_drloc.py', 'segmentor.py'):
        line = (recipe, *weights, '--check', '--work-dir', 'w')
        tool('train.py', *line).refuses(UNFIT[change])


def test_another_network(tool, run):
    line = ['classifier_drloc.py', '--weights', 'run', '--check']
    deeper = ['--cfg-options', 'model.backbone.arch.depths=[1,2]']
    tool('train.py', *line, *deeper).refuses('stages.1.blocks.1')
    tool('train.py', *line, '--partial', *deeper).succeeds()


def test_a_part_is_not_nothing(tool, run):
    """--partial takes what fits, and there must be something."""
    write_changed(run, other_shape)
    line = ('classifier_drloc.py', '--weights', 'changed.pth', '--partial')
    tool('train.py', *line, '--check', '--work-dir', 'w').succeeds()
    write_changed(run, other_names)
    tool('train.py', *line, '--check', '--work-dir', 'w').refuses(
        'changed.pth'
    )


# ---- between libraries ---------------------------------------------------


def head(kind, channels, classes):
    return dict(type=kind, in_channels=channels, num_classes=classes)


def pooled(backbone, channels, classes):
    """A classifier over the mean of a grid."""
    return dict(
        type='ImageClassifier',
        backbone=backbone,
        neck=dict(type='GlobalAveragePooling'),
        head=head('LinearClsHead', channels, classes),
    )


def of_tokens(backbone, channels, classes, kind='VisionTransformerClsHead'):
    """A classifier over a class token."""
    return dict(
        type='ImageClassifier',
        backbone=backbone,
        head=head(kind, channels, classes),
    )


def swin(width, depths, heads, classes, size=224):
    arch = dict(embed_dims=width, depths=depths, num_heads=heads)
    backbone = dict(type='SwinTransformer', arch=arch, img_size=size)
    return pooled(backbone, 8 * width, classes)


def vit(kind, head_kind, qkv_bias=True):
    arch = dict(
        embed_dims=30, num_layers=2, num_heads=5, feedforward_channels=60
    )
    backbone = dict(type=kind, arch=arch, img_size=32, patch_size=8)
    return of_tokens(dict(backbone, qkv_bias=qkv_bias), 30, 7, head_kind)


def timm_vit(network, qkv_bias=True):
    return network(
        img_size=32,
        patch_size=8,
        embed_dim=30,
        depth=2,
        num_heads=5,
        mlp_ratio=2,
        num_classes=7,
        qkv_bias=qkv_bias,
    )


# Another library's network, and ours that is to compute the same.
THEIRS = {
    'swin-timm': (
        lambda: SwinTransformer(
            img_size=224,
            embed_dim=16,
            depths=(2, 1, 1, 2),
            num_heads=(2, 2, 4, 8),
            window_size=7,
            num_classes=6,
        ),
        swin(16, [2, 1, 1, 2], [2, 2, 4, 8], 6),
        224,
    ),
    'vit-timm': (
        lambda: timm_vit(VisionTransformer),
        vit('VisionTransformer', 'VisionTransformerClsHead'),
        32,
    ),
    'deit-distilled-timm': (
        lambda: timm_vit(VisionTransformerDistilled),
        vit('DistilledVisionTransformer', 'DeiTClsHead'),
        32,
    ),
    'pvtv2-timm': (
        lambda: timm.create_model('pvt_v2_b0', num_classes=6),
        pooled(dict(type='TIMMBackbone', model_name='pvt_v2_b0'), 256, 6),
        64,
    ),
    'resnet-torchvision': (
        lambda: torchvision.models.resnet50(num_classes=6),
        pooled(dict(type='ResNet', depth=50), 2048, 6),
        64,
    ),
}


def carried_there_and_back(tool, origin, theirs):
    """Convert weights to ours and back; ours, and what comes back."""
    torch.save(theirs, 'theirs.pth')
    tool('transfer.py', 'theirs.pth', 'ours.pth', '--with-head').succeeds()
    tool('transfer.py', 'ours.pth', 'back.pth', '--to', origin).succeeds()
    return [
        torch.load(name, weights_only=False)['state_dict']
        for name in ('ours.pth', 'back.pth')
    ]


def assert_equal_but_derived(back, theirs):
    """Bit by bit; what a network computes by itself need not be there."""
    assert set(back) <= set(theirs)
    for name in set(theirs) - set(back):
        assert name.endswith(('index', 'mask', 'num_batches_tracked')), name
    for name, tensor in back.items():
        assert tensor.equal(theirs[name]), name


def logits(model, weights, images):
    """What our network answers with these weights, all of them."""
    init_default_scope('mmpretrain')
    model = MODELS.build(model).eval()
    missing, unexpected = model.load_state_dict(weights, strict=False)
    assert not unexpected
    assert all(name.endswith('_index') for name in missing)
    with torch.no_grad():
        return model(images, mode='tensor')


@pytest.mark.parametrize('origin', THEIRS)
def test_another_library(tool, origin):
    """Everything comes, computes the same, and goes back as it was."""
    build, model, size = THEIRS[origin]
    torch.manual_seed(0)
    network = build().eval()
    with torch.no_grad():
        for parameter in network.parameters():  # none stays as it started
            parameter.add_(0.05 * torch.randn_like(parameter))
    theirs = network.state_dict()
    ours, back = carried_there_and_back(tool, origin, theirs)
    images = torch.randn(1, 3, size, size)
    with torch.no_grad():
        expected = network(images)
    torch.testing.assert_close(
        logits(model, ours, images), expected, rtol=1e-4, atol=1e-4
    )
    assert_equal_but_derived(back, theirs)


def golden_swin(arch, classes):
    return swin(arch['embed_dims'], arch['depths'], arch['num_heads'], classes)


def golden_t2t(arch, classes):
    width = arch['embed_dim']
    backbone = dict(
        type='mmdrloc.PerformerT2TViT',
        img_size=arch['img_size'],
        embed_dims=width,
        num_layers=arch['depth'],
        t2t_cfg=dict(token_dims=arch['token_dim']),
        layer_cfgs=dict(
            num_heads=arch['num_heads'],
            feedforward_channels=int(arch['mlp_ratio'] * width),
        ),
    )
    return of_tokens(backbone, width, classes)


def golden_cvt_drloc(arch, classes):
    widths, depths, heads = (
        [arch[f's{stage}_{name}'] for stage in (1, 2, 3)]
        for name in ('emb_dim', 'depth', 'heads')
    )
    arch = dict(embed_dims=widths, depths=depths, num_heads=heads)
    return pooled(dict(type='mmdrloc.CvT', arch=arch), widths[-1], classes)


def golden_cvt_microsoft(arch, classes):
    widths = arch['DIM_EMBED']
    arch = dict(
        embed_dims=widths, depths=arch['DEPTH'], num_heads=arch['NUM_HEADS']
    )
    backbone = dict(
        type='mmdrloc.CvT',
        arch=arch,
        variant='microsoft',
        out_type='cls_token',
    )
    return of_tokens(backbone, widths[-1], classes, 'LinearClsHead')


def golden_vit_drloc(arch, classes):
    backbone = dict(
        type='mmdrloc.DRLocViT',
        arch=dict(
            embed_dims=arch['dim'],
            num_layers=arch['depth'],
            num_heads=arch['heads'],
            feedforward_channels=arch['mlp_dim'],
        ),
        img_size=arch['image_size'],
        patch_size=arch['patch_size'],
        qkv_bias=False,
        norm_cfg=dict(type='LN', eps=1e-5),
    )
    return of_tokens(backbone, arch['dim'], classes)


GOLDEN = {
    'swin-microsoft': ('swin_small_arch', golden_swin),
    't2t': ('t2t_performer_small', golden_t2t),
    'cvt-drloc': ('cvt_drloc_variant_small', golden_cvt_drloc),
    'cvt-microsoft': ('cvt_official_small', golden_cvt_microsoft),
    'vit-drloc': ('vit_drloc_small', golden_vit_drloc),
}


@pytest.mark.parametrize('origin', GOLDEN)
def test_the_authors_own_code(tool, origin):
    """Their weights give their logits here, and go back as they were."""
    place = os.environ.get('MMDRLOC_GOLDEN')
    if not place:
        pytest.skip('MMDRLOC_GOLDEN names no folder with golden tensors')
    name, model_of = GOLDEN[origin]
    golden = torch.load(Path(place, f'{name}.pt'), weights_only=True)
    theirs = golden['state_dict']
    ours, back = carried_there_and_back(tool, origin, theirs)
    classes = golden['logits'].shape[-1]
    found = logits(model_of(golden['arch'], classes), ours, golden['input'])
    torch.testing.assert_close(
        found.reshape(golden['logits'].shape),
        golden['logits'],
        rtol=1e-5,
        atol=1e-5,
    )
    assert_equal_but_derived(back, theirs)
