"""The models of ``configs/_base_/models`` are what docs/backbones.md says."""

import re
from pathlib import Path

import pytest
from model_configs import CONFIGS, build, size

DOCS = (Path(__file__).parents[2] / 'docs/backbones.md').read_text()
COUNTS = re.findall(
    r'^\| `([\w-]+)` \|.*\| ([\d,]+) \| ([\d.]+) \|$', DOCS, re.MULTILINE
)


@pytest.mark.parametrize('name, count, millions', COUNTS)
def test_parameter_counts(name, count, millions):
    model = build(name)
    counted = size(model.parameters())
    if name.startswith('t2t'):
        counted += size(model.buffers())
    assert f'{counted:,}' == count
    assert f'{counted / 1e6:.3f}' == millions


def test_the_table_has_every_model():
    plain = [path.stem for path in CONFIGS.glob('*.py')]
    plain = [
        name
        for name in plain
        if name not in SMALL
        and not name.startswith((*PRETRAINING, *DENSE))
        and not name.endswith('_dense')
    ]
    assert sorted(name for name, *_ in COUNTS) == sorted(plain)


# For two processor cores, or small images.
SMALL = (
    'cvt-mini',
    'cvt-mini-3stages_cls',
    'cvt-mini_cls',
    'resnet-mini',
    'resnet-light',
    'swin-2stage',
    'swin-2stage_cls',
    'swin-4layers',
    'swin-mini',
    'swin-mini_cls',
    'vit-4layers',
    'vit-light',
    'vit-light-narrow',
    'vit-narrow',
)
# Detectors and segmentors.
DENSE = ('cascade-mask-rcnn', 'mask-rcnn_', 'upernet_')
# Methods whose backbones are in the table.
PRETRAINING = ('dino_', 'idmm_', 'mae_', 'moco', 'simclr_', 'supcon_')
RECIPES = re.findall(r'^\| added by the MLP \| (.*) \|$', DOCS, re.MULTILINE)
NAMES = ('swin-tiny', 't2t-vit-14', 'cvt-13', 'vit-b16', 'resnet-50')


@pytest.mark.parametrize(
    'name, added', list(zip(NAMES, RECIPES[0].split(' | '), strict=True))
)
@pytest.mark.parametrize('folder', ['scratch_100e', 'official'])
def test_the_recipes_add_an_mlp(name, added, folder):
    model = build(f'{folder}/{name}_drloc')
    assert f'{size(model.auxiliary_head.parameters()):,}' == added
