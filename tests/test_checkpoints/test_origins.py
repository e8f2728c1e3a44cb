"""Formats of others: tensors inside, round trips, positions, names.

That their weights give their logits, and go back as they were, is asked of
``tools/transfer.py`` in ``promises/test_carried_weights.py``.
"""

import os
import re
import tarfile
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import timm
import torch
from foreign_networks import (
    GOLDEN,
    THEIRS,
    golden_cvt_drloc,
    golden_cvt_microsoft,
    golden_t2t,
    golden_vit_drloc,
    swin,
    timm_vit,
    vit,
)
from golden import (
    assert_loads,
    assert_round_trip,
    load_golden,
    random_weights,
)
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS
from PIL import Image
from safetensors.torch import load_file
from timm.layers import resample_abs_pos_embed
from timm.models.swin_transformer import checkpoint_filter_fn
from timm.models.vision_transformer import VisionTransformer

from mmdrloc.checkpoints.load import load
from mmdrloc.checkpoints.origins import (
    ORIGINS,
    Origin,
    Rule,
    detect_origin,
)
from mmdrloc.models import GridTap


def build(config):
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    model = MODELS.build(config)
    model.eval()
    return model


# ---- the authors' tensors --------------------------------------------------


def tapped(source, channels):
    def grid(model, images):
        with GridTap(model.backbone, [source], [channels]) as tap:
            model(images, mode='tensor')
        return tap.grids()[0]

    return grid


# Where ours has what a golden file keeps of the network's inside.
INSIDE = {
    'swin-microsoft': ('pre_norm_grid', tapped('stages.3', 96)),
    't2t': ('post_norm_tokens', tapped('norm', 48)),
    'cvt-drloc': ('final_grid', lambda model, x: model.backbone(x)[0]),
    'cvt-microsoft': ('pre_logits', lambda m, x: m.extract_feat(x)[0][0]),
    'vit-drloc': ('pre_norm_tokens', tapped('layers.1', 64)),
}


@pytest.mark.parametrize('name', GOLDEN)
def test_golden_features(name):
    file, model_of = GOLDEN[name]
    golden = load_golden(f'{file}.pt')
    model = build(model_of(golden['arch'], golden['logits'].shape[-1]))
    assert detect_origin(golden['state_dict']) is ORIGINS[name]
    converted = ORIGINS[name].to_ours(golden['state_dict'])
    assert not converted.unknown
    assert_loads(model, converted.weights)
    key, inside = INSIDE[name]
    with torch.no_grad():
        found = inside(model, golden['input'])
    expected = golden[key]
    if 'tokens' in key:  # without the class token
        found = found.flatten(2).transpose(1, 2)
        expected = expected[:, 1:]
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


# ---- of other sizes than the files -----------------------------------------

T2T = dict(
    img_size=64,
    embed_dim=40,
    depth=3,
    token_dim=12,
    num_heads=5,
    mlp_ratio=2,
)
VIT = dict(image_size=24, patch_size=8, dim=30, depth=3, heads=5, mlp_dim=45)
SIZES = (8, 24, 40), (2, 1, 3), (2, 3, 5)
CVT = {
    f's{stage}_{name}': values[stage - 1]
    for name, values in zip(('emb_dim', 'depth', 'heads'), SIZES)
    for stage in (1, 2, 3)
}
AUTHORS_CVT = dict(zip(('DIM_EMBED', 'DEPTH', 'NUM_HEADS'), map(list, SIZES)))
OTHERS = {
    'swin-microsoft': swin(16, [2, 1, 1, 2], [2, 2, 4, 8], 6),
    't2t': golden_t2t(T2T, 7),
    'cvt-drloc': golden_cvt_drloc(CVT, 6),
    'cvt-microsoft': golden_cvt_microsoft(AUTHORS_CVT, 6),
    'vit-drloc': golden_vit_drloc(VIT, 7),
}


@pytest.mark.parametrize('name', OTHERS)
def test_there_and_back(name):
    origin, model = ORIGINS[name], build(OTHERS[name])
    theirs = origin.to_theirs(random_weights(model))
    assert not theirs.unknown
    assert detect_origin(theirs.weights) is origin
    assert_round_trip(origin, theirs.weights)
    assert_loads(model, origin.to_ours(theirs.weights).weights)


@pytest.mark.parametrize('name', sorted(INSIDE.keys() - {'cvt-microsoft'}))
@pytest.mark.parametrize('part', ['layers.0', 'layers.4'])
def test_drloc_mlps_come_along(name, part):
    mlp = {f'drloc.0.{part}.{k}': torch.rand(2) for k in ('weight', 'bias')}
    ours = ORIGINS[name].to_ours(mlp).weights
    assert set(ours) == {
        f'auxiliary_head.mlps.0.{part}.{kind}' for kind in ('weight', 'bias')
    }
    assert_round_trip(ORIGINS[name], mlp)


def test_timm_reads_what_is_written_as_microsofts():
    model = build(OTHERS['swin-microsoft'])
    model.load_state_dict(random_weights(model), strict=False)
    theirs = ORIGINS['swin-microsoft'].to_theirs(model.state_dict()).weights
    network = THEIRS['swin-timm'][0]().eval()
    network.load_state_dict(checkpoint_filter_fn(theirs, network))
    images = torch.rand(1, 3, 224, 224)
    with torch.no_grad():
        torch.testing.assert_close(
            model(images, mode='tensor'), network(images), rtol=1e-5, atol=1e-4
        )


def test_a_vit_without_biases_of_its_queries():
    origin = ORIGINS['vit-timm']
    theirs = timm_vit(VisionTransformer, qkv_bias=False).state_dict()
    assert_round_trip(origin, theirs)
    ours = vit('VisionTransformer', 'VisionTransformerClsHead', False)
    assert_loads(build(ours), origin.to_ours(theirs).weights)


@pytest.mark.parametrize(
    'name,model,tokens',
    [
        ('t2t', golden_t2t(dict(T2T, img_size=96), 7), 1),
        (
            'vit-timm',
            vit('VisionTransformer', 'VisionTransformerClsHead', size=48),
            1,
        ),
        (
            'deit-distilled-timm',
            vit('DistilledVisionTransformer', 'DeiTClsHead', size=48),
            2,
        ),
    ],
)
def test_positions_fit_a_larger_image(name, model, tokens):
    origin = ORIGINS[name]
    if name == 't2t':
        theirs = origin.to_theirs(random_weights(build(OTHERS[name]))).weights
    else:
        theirs = THEIRS[name][0]().state_dict()
    model = build(model)
    assert_loads(model, origin.to_ours(theirs).weights)
    positions = model.backbone.pos_embed
    assert positions.shape[1] == tokens + 36
    assert positions[:, :tokens].equal(theirs['pos_embed'][:, :tokens])


# ---- real files, where they are -------------------------------------------

REAL = {
    'vit_small_patch14_dinov2.lvd142m': (
        'vit_small_patch14_dinov2',
        dict(
            type='VisionTransformer',
            arch='dinov2-small',
            img_size=126,
            patch_size=14,
            layer_scale_init_value=1e-5,
            out_type='raw',
        ),
        126,
    ),
    'tiny_vit_5m_224.dist_in22k': (
        'tiny_vit_5m_224',
        dict(
            type='TinyViT',
            arch='5m',
            img_size=(224, 224),
            window_size=[7, 7, 14, 7],
            gap_before_final_norm=False,
        ),
        224,
    ),
}


@pytest.mark.parametrize('name', REAL)
def test_features_of_real_photos_are_those_of_timm(name):
    """Through the door, after eval()."""
    folder = os.environ.get('MMDRLOC_WEIGHTS')
    data = os.environ.get('MMDRLOC_DATA')
    if not folder or not data:
        pytest.skip('MMDRLOC_WEIGHTS and MMDRLOC_DATA name no folders')
    path = Path(folder, f'{name}.safetensors')
    network, backbone, side = REAL[name]
    options = dict(img_size=side) if backbone['type'][0] == 'V' else {}
    theirs = timm.create_model(network, num_classes=0, **options).eval()
    weights = {
        n: t.float() if t.is_floating_point() else t
        for n, t in load_file(path).items()
    }
    if 'pos_embed' in weights:
        weights['pos_embed'] = resample_abs_pos_embed(
            weights['pos_embed'], (side // 14, side // 14)
        )
    theirs.load_state_dict(weights)
    ours = build(backbone)
    content = dict(state_dict=weights)
    load(ours, path, 'test', place='the backbone', checkpoint=content)
    with tarfile.open(Path(data, 'coco_mini.tar.xz')) as archive:
        photos = (m for m in archive if m.name.endswith('.jpg'))
        opened = [
            Image.open(archive.extractfile(photo)).convert('RGB')
            for photo in islice(photos, 3)
        ]
    sized = [np.array(photo.resize((side, side))) for photo in opened]
    images = torch.from_numpy(np.stack(sized))
    images = images.permute(0, 3, 1, 2) / 255 * 4 - 2
    with torch.no_grad():
        found, expected = ours(images)[-1], theirs.forward_features(images)
        if 'Tiny' in backbone['type']:  # the norm is in timm's head
            expected = theirs.head.norm(expected)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)


# ---- names -----------------------------------------------------------------


def test_the_docs_list_every_origin():
    page = Path(__file__).parents[2] / 'docs/checkpoints.md'
    rows = re.findall(
        r'^\| `([\w-]+)` \| (.*) \| (.*) \|$', page.read_text(), re.MULTILINE
    )
    assert {name for name, *_ in rows} == {*ORIGINS}
    for name, _, becomes in rows:
        assert ORIGINS[name].network in becomes or name == 'openmmlab'


def test_names_of_none_or_of_two():
    assert detect_origin(['a', 'b']) is None
    names = ['backbone.a', 'conv1.weight', 'layer1.0.bn1.running_mean']
    assert detect_origin(names) is None


def test_what_our_network_lacks_is_named():
    weights = timm_vit(VisionTransformer).state_dict()
    weights['reg_token'] = torch.ones(30)
    unknown = ORIGINS['vit-timm'].to_ours(weights).unknown
    assert unknown == ['reg_token']


def test_derived_names_without_letters():
    origin = Origin(
        name='a',
        title='A',
        network='X',
        rules=(Rule('b.{t}', 'c.{t}'),),
        marks=('b.{t}',),
        derived=('mask',),
    )
    names = ['b.d', 'mask', 'b.d.e']
    converted = origin.to_ours(dict.fromkeys(names, torch.ones(1)))
    assert list(converted.weights) == ['c.d']
    assert converted.derived == ['mask']
    assert converted.unknown == ['b.d.e']
