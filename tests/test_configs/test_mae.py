"""The recipes of masked auto-encoding: sizes, data, twins, starts."""

import copy
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from mmengine.dataset import Compose, default_collate
from mmengine.optim import build_optim_wrapper
from mmengine.registry import MODELS, init_default_scope
from PIL import Image

from mmdrloc.checkpoints.transfer.starting_weights import COPY, set_weights
from mmdrloc.checkpoints.transfer.witness import not_arrived
from mmdrloc.datasets.recipes import read_recipe

FOLDER = Path(__file__).parents[2] / 'configs/mae'
NAMES = sorted(path.stem for path in FOLDER.glob('*.py'))
# What classifiers start from.
BEFORE = {
    'vit-light': 'mae_vit-light',
    'vit-light_drloc': 'mae_vit-light',
    'vit-light_probe': 'mae_vit-light',
    'vit-light-32px-p4': 'mae_vit-light-32px-p4',
    'vit-light-narrow': 'mae_vit-light-narrow',
    'vit-light-narrow_drloc': 'mae_vit-light-narrow',
    'vit-light-narrow_probe': 'mae_vit-light-narrow',
    'vit-light-narrow_56px': 'mae_vit-light-narrow_56px',
}


@cache
def read(name, dataset):
    return read_recipe(FOLDER / f'{name}.py', dataset)


def load(name, dataset='cifar10'):
    # Building writes into configs.
    return copy.deepcopy(read(name, dataset))


def build(cfg):
    init_default_scope(cfg.default_scope)
    model = dict(cfg.model, data_preprocessor=cfg.data_preprocessor)
    model['backbone'] = dict(model['backbone'], init_cfg=None)
    return MODELS.build(model)


def batch_of(cfg, split, side, tmp_path):
    """Two photos of that size through the pipeline of the config."""
    dataset = cfg[f'{split}_dataloader'].dataset
    dataset = dataset.get('dataset', dataset)
    photo = np.random.default_rng(0).integers(0, 255, (side, side, 3))
    path = tmp_path / 'photo.png'
    Image.fromarray(photo.astype(np.uint8)).save(path)
    pipeline = Compose(dataset.pipeline)
    return photo, default_collate(
        [pipeline(dict(img_path=str(path), gt_label=i)) for i in range(2)]
    )


@pytest.mark.parametrize('name', NAMES)
@pytest.mark.parametrize('side', [32, 75])
def test_images_of_any_size_have_the_networks(name, side, tmp_path):
    cfg = load(name)
    size = cfg.model.backbone.get('img_size', 36)
    for split in ('train', 'val'):
        _, batch = batch_of(cfg, split, side, tmp_path)
        assert batch['inputs'].shape == (2, 3, size, size)


@pytest.mark.parametrize(
    'name, side', [('-32px-p4', 32), ('-narrow', 32), ('-narrow_56px', 56)]
)
def test_images_of_that_size_are_as_they_are(name, side, tmp_path):
    for kind in ('vit-light', 'mae_vit-light'):
        photo, batch = batch_of(load(kind + name), 'val', side, tmp_path)
        bgr = batch['inputs'][0].numpy().transpose(1, 2, 0)
        np.testing.assert_array_equal(bgr[..., ::-1], photo)


@pytest.mark.parametrize('name', NAMES)
def test_one_training_step(name, tmp_path):
    torch.manual_seed(0)
    cfg = load(name)
    model = build(cfg)
    _, batch = batch_of(cfg, 'train', 32, tmp_path)
    before = {n: p.clone() for n, p in model.named_parameters()}
    logged = model.train().train_step(
        batch, build_optim_wrapper(model, cfg.optim_wrapper)
    )
    assert torch.isfinite(logged['loss'])
    moved = {n for n, p in model.named_parameters() if not p.equal(before[n])}
    if 'probe' in name:
        assert moved == {'head.layers.head.weight', 'head.layers.head.bias'}
    elif name.startswith('mae_'):
        assert {'backbone.pos_embed', 'neck.decoder_pos_embed'} <= moved


@pytest.mark.parametrize('name', BEFORE)
def test_the_encoder_goes_into_the_classifier(name, tmp_path):
    source = build(load(BEFORE[name]))
    path = tmp_path / 'epoch_2000.pth'
    torch.save(dict(state_dict=source.state_dict()), path)
    cfg = load(name)
    audit = set_weights(cfg, str(path), copy=tmp_path / COPY)
    assert not audit.resized
    init_default_scope(cfg.default_scope)
    backbone = MODELS.build(cfg.model.backbone)
    backbone.init_weights()
    weights = source.backbone.state_dict()
    assert not weights.keys() ^ backbone.state_dict().keys()
    assert not not_arrived(backbone, weights)


def test_every_classifier_says_what_it_starts_from():
    plain = {n for n in NAMES if not n.startswith('mae_')} - {'resnet-light'}
    assert set(BEFORE) == plain
    assert set(BEFORE.values()) == {n for n in NAMES if n.startswith('mae_')}
    # Nothing can be read from random features.
    for name in plain:
        start = load(name).model.backbone.get('init_cfg')
        assert (start is not None) == ('probe' in name)


def flatten(value, prefix=''):
    if not isinstance(value, dict):
        return {prefix[:-1]: value}
    return {
        key: leaf
        for name, part in value.items()
        for key, leaf in flatten(part, f'{prefix}{name}.').items()
    }


@pytest.mark.parametrize('name', [n for n in NAMES if n.endswith('_drloc')])
def test_twins_differ_in_type_and_head_alone(name):
    host = name.removesuffix('_drloc')
    assert load(name).run.baseline == f'mae/{host}'
    a, b = (flatten(load(n).to_dict()) for n in (host, name))
    keys = {key for key in a.keys() | b.keys() if a.get(key) != b.get(key)}
    assert {'.'.join(key.split('.')[:2]) for key in keys} == {
        'model.type',
        'model.auxiliary_head',
        'run.recipe',
        'run.baseline',
    }


@pytest.mark.parametrize(
    'name, dataset, classes',
    [
        ('vit-light', 'cifar100', 100),
        ('vit-light_probe', 'svhn', 10),
        ('resnet-light', 'cifar100', 100),
        ('vit-light-narrow', 'cifar10-5k', 10),
        ('vit-light-narrow_56px', 'digits', 10),
        ('vit-light-narrow', 'pets', 37),
    ],
)
def test_the_classifier_has_the_classes_of_the_data(name, dataset, classes):
    cfg = load(name, dataset)
    assert cfg.dataset_name == dataset
    assert cfg.model.head.num_classes == classes
    assert cfg.data_preprocessor.num_classes == classes
    train = cfg.train_dataloader.dataset
    assert {'pipeline', *cfg.train_dataset} == set(train)


def test_the_published_network():
    backbone = load('mae_vit-light').model.backbone
    assert (backbone.img_size, backbone.mask_ratio) == (36, 0.75)
    assert backbone.arch.num_layers == 12
    assert backbone.arch.feedforward_channels == 2 * backbone.arch.embed_dims
