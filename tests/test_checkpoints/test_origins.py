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
    timm_vit,
    vit,
)
from golden import (
    assert_round_trip,
    random_weights,
)
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS
from PIL import Image
from safetensors.torch import load_file
from timm.layers import SwiGLUPacked
from torch import nn
from torch.nn import functional as F  # noqa: N812

from mmdrloc.checkpoints.load import load
from mmdrloc.checkpoints.origins import (
    ORIGINS,
    detect_origin,
)
from mmdrloc.utils.errors import UsageError


def build(config):
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    model = MODELS.build(config)
    model.eval()
    return model


@pytest.mark.parametrize('name', sorted(GOLDEN.keys() - {'cvt-microsoft'}))
@pytest.mark.parametrize('part', ['layers.0', 'unshared.4'])
def test_drloc_mlps_come_along(name, part):
    mlp = {f'drloc.0.{part}.{k}': torch.rand(2) for k in ('weight', 'bias')}
    assert all(
        ours.startswith('auxiliary_head.mlps.0.')
        for ours in ORIGINS[name].to_ours(mlp).weights
    )
    assert_round_trip(ORIGINS[name], mlp)


# ---- ViT with LayerScale, by the names of several authors ------------------


def timm_s(weights):
    return weights


def dinov2(weights):
    return {**weights, 'mask_token': torch.ones(1, 30)}


def of_a_teacher(weights):
    weights = {f'backbone.{n}': t for n, t in dinov2(weights).items()}
    return {**weights, 'dino_head.mlp.0.weight': torch.ones(2, 2)}


def deit3(weights):
    return {
        re.sub(r'ls(\d)\.gamma', r'gamma_\1', name): tensor
        for name, tensor in weights.items()
    }


def of_16_bits(weights):
    return {name: tensor.half() for name, tensor in weights.items()}


def dinov2_giant(weights):
    """SwiGLU by its authors' names; timm calls the layers fc1 and fc2."""
    return {
        name.replace('mlp.fc1', 'mlp.w12').replace('mlp.fc2', 'mlp.w3'): tensor
        for name, tensor in weights.items()
    }


def with_layer_scale(**more):
    more.update(layer_scale_init_value=0.1, out_type='raw')
    return build({**vit('VisionTransformer')['backbone'], **more})


FORMS = [timm_s, dinov2, of_a_teacher, of_16_bits]
DEIT3 = dict(no_embed_class=True)
SWIGLU = dict(mlp_layer=SwiGLUPacked, act_layer=nn.SiLU, mlp_ratio=8 / 3)
OUR_SWIGLU = dict(layer_cfgs=dict(ffn_type='swiglu_fused'))


@pytest.mark.parametrize(
    'form,of_theirs,of_ours',
    [(form, {}, {}) for form in FORMS]
    + [(timm_s, DEIT3, {}), (deit3, DEIT3, {})]
    + [(dinov2_giant, SWIGLU, OUR_SWIGLU)],
)
def test_layer_scale(form, of_theirs, of_ours):
    """Through the door; DeiT III has no position for its class token."""
    network = timm_vit(init_values=0.1, **of_theirs).eval()
    values = random_weights(network)
    weights = {n: (t / 8).half().float() for n, t in values.items()}
    network.load_state_dict(weights)
    ours, images = with_layer_scale(**of_ours), torch.rand(2, 3, 32, 32)
    content = dict(state_dict=form(weights))
    audit = load(ours, 'a.pth', 'test', place='a part', checkpoint=content)
    assert len(audit.loaded) == len(weights) - 2  # the head's
    with torch.no_grad():
        torch.testing.assert_close(
            ours(images)[0],
            network.forward_features(images),
            rtol=1e-4,
            atol=1e-4,
        )


@pytest.mark.parametrize(
    'form,origin',
    [(dinov2, 'vit-timm'), (timm_s, 'deit3-timm'), (deit3, 'deit3')],
)
def test_layer_scale_goes_back(form, origin):
    is_deit3 = 'deit3' in origin
    network = timm_vit(init_values=0.1, no_embed_class=is_deit3)
    weights = form(network.state_dict())
    assert detect_origin(weights) is ORIGINS[origin]
    assert_round_trip(ORIGINS[origin], weights)
    if is_deit3:  # there is no place for what a training has made of it
        ours = ORIGINS[origin].to_ours(weights).weights
        ours['backbone.pos_embed'] += 1
        with pytest.raises(UsageError, match='pos_embed of shape'):
            ORIGINS[origin].to_theirs(ours)


def test_a_wide_dinov2_is_no_deit3():
    """8 x 10 cells and the class token are 9 x 9, as without the token."""
    network = timm.create_model(
        'vit_small_patch14_dinov2',
        img_size=(112, 140),
        embed_dim=30,
        depth=1,
        num_heads=3,
    )
    assert detect_origin(network.state_dict()) is ORIGINS['vit-timm']


def test_the_huge_deit3_has_cells_of_dinov2():
    with torch.device('meta'):
        network = timm.create_model('deit3_huge_patch14_224', depth=1)
    assert detect_origin(network.state_dict()) is ORIGINS['deit3-timm']


def test_layer_scale_has_no_place_in_mmseg():
    ours = {
        f'backbone.{n}': t for n, t in with_layer_scale().named_parameters()
    }
    converted = ORIGINS['vit-mmseg'].to_theirs(ours)
    assert converted.unknown
    assert all('.gamma' in name for name in converted.unknown)


@pytest.mark.parametrize('name', ['reg_token', 'register_tokens'])
def test_registers_have_a_place_in_timm_alone(tmp_path, name):
    weights = timm_vit(init_values=0.1).state_dict()
    weights[name] = torch.ones(1, 4, 30)
    torch.save(weights, tmp_path / 'a.pth')
    words = 'whose place is mmpretrain.TIMMBackbone'
    with pytest.raises(UsageError, match=words):
        load(with_layer_scale(), tmp_path / 'a.pth', 'train', place='a part')


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
    """Through the door, after eval(), of 16 bits and with more positions."""
    folder = os.environ.get('MMDRLOC_WEIGHTS')
    data = os.environ.get('MMDRLOC_DATA')
    if not folder or not data:
        pytest.skip('MMDRLOC_WEIGHTS and MMDRLOC_DATA name no folders')
    path = Path(folder, f'{name}.safetensors')
    network, backbone, side = REAL[name]
    ours, is_vit = build(backbone), backbone['type'] == 'VisionTransformer'
    audit = load(ours, path, 'test', place='the backbone')
    assert audit.resized == ['pos_embed'] * is_vit
    weights = load_file(path)
    options = {}
    if is_vit:  # the authors' positions, in between; timm smoothes them
        positions, options = weights['pos_embed'].float(), dict(img_size=side)
        grid = positions[0, 1:].T.view(1, -1, 37, 37)
        grid = F.interpolate(grid, size=(9, 9), mode='bicubic')
        expected = torch.cat([positions[:, :1], grid.flatten(2).mT], dim=1)
        torch.testing.assert_close(ours.pos_embed, expected, rtol=0, atol=1e-6)
        weights['pos_embed'] = ours.pos_embed
    theirs = timm.create_model(network, num_classes=0, **options).eval()
    theirs.load_state_dict(weights)
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
        if not is_vit:  # the norm is in timm's head
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
    assert detect_origin(dict.fromkeys(['a', 'b'])) is None
    names = ['backbone.a', 'conv1.weight', 'layer1.0.bn1.running_mean']
    assert detect_origin(dict.fromkeys(names)) is None
