"""The configs of masked auto-encoding: sizes, data, twins, starts."""

import copy
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from mmengine.config import Config
from mmengine.dataset import Compose, default_collate
from mmengine.optim import build_optim_wrapper
from mmengine.registry import MODELS, init_default_scope
from PIL import Image

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / 'configs/mae'
NAMES = sorted(path.stem for path in FOLDER.glob('*.py'))
STARTED = [name for name in NAMES if '_mae' in name]
TRIAL = 'vit-light-narrow{}_10e_cifar10-5k'


@cache
def read(name):
    return Config.fromfile(FOLDER / f'{name}.py')


def load(name):
    # Building writes into configs.
    return copy.deepcopy(read(name))


def build(name):
    cfg = load(name)
    init_default_scope(cfg.default_scope)
    model = dict(cfg.model, data_preprocessor=cfg.data_preprocessor)
    model['backbone'] = dict(model['backbone'], init_cfg=None)
    return MODELS.build(model)


def pretraining_of(name):
    """Name of the config whose checkpoint this one starts from."""
    return Path(load(name).checkpoint).parent.name


def batch_of(cfg, split, tmp_path):
    """Two photos through the pipeline of the config."""
    dataset = cfg[f'{split}_dataloader'].dataset
    dataset = dataset.get('dataset', dataset)
    side = 56 if cfg.dataset_name == 'digits' else 32
    photo = np.random.default_rng(0).integers(0, 255, (side, side, 3))
    path = tmp_path / 'photo.png'
    Image.fromarray(photo.astype(np.uint8)).save(path)
    pipeline = Compose(dataset.pipeline)
    return default_collate(
        [pipeline(dict(img_path=str(path), gt_label=i)) for i in range(2)]
    )


@pytest.mark.parametrize('name', NAMES)
def test_one_training_step_on_images_of_the_networks_size(name, tmp_path):
    torch.manual_seed(0)
    cfg, model = load(name), build(name)
    size = cfg.model.backbone.get('img_size', 36)
    for split in ('train', 'val'):
        batch = batch_of(cfg, split, tmp_path)
        assert batch['inputs'].shape == (2, 3, size, size)
    batch = batch_of(cfg, 'train', tmp_path)
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


@pytest.mark.parametrize('name', STARTED)
def test_the_encoder_fits_the_classifier(name):
    source = pretraining_of(name)
    checkpoint = f'work_dirs/{source}/backbone.pth'
    cfg = load(name)
    assert cfg.model.backbone.init_cfg == dict(
        type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
    )
    epochs = load(source).train_cfg.max_epochs
    (hook,) = cfg.custom_hooks
    assert hook == dict(
        type='mmdrloc.TransferCheckHook',
        made_by=f'python tools/transfer.py '
        f'work_dirs/{source}/epoch_{epochs}.pth {checkpoint} '
        f'--config configs/mae/{re.sub("_mae-[a-z]+", "_mae", name)}.py',
    )
    # As the header says it.
    if '_mae_' in name:
        header = (FOLDER / f'{name}.py').read_text().split('_base_')[0]
        command = hook['made_by'].removeprefix('python ')
        assert command in re.sub(r'[#\\\s]+', ' ', header)
    assert cfg.dataset_name == load(source).dataset_name
    state, target = (build(n).backbone.state_dict() for n in (source, name))
    assert {n: t.shape for n, t in state.items()} == {
        n: t.shape for n, t in target.items()
    }


def flatten(value, prefix=''):
    if not isinstance(value, dict):
        return {prefix[:-1]: value}
    return {
        key: leaf
        for name, part in value.items()
        for key, leaf in flatten(part, f'{prefix}{name}.').items()
    }


def differing(name_a, name_b):
    a, b = (flatten(load(name).to_dict()) for name in (name_a, name_b))
    keys = {key for key in a.keys() | b.keys() if a.get(key) != b.get(key)}
    return {'.'.join(key.split('.')[:3]) for key in keys}


@pytest.mark.parametrize(
    'name', [TRIAL, 'vit-light{}_100e_cifar10', 'vit-light{}_100e_cifar100']
)
def test_four_ways_differ_in_start_and_head_alone(name):
    start = {'model.backbone.init_cfg', 'checkpoint', 'custom_hooks'}
    plain, mae, drloc, both = (
        name.format(kind) for kind in ('', '_mae', '_drloc', '_mae-drloc')
    )
    assert differing(plain, mae) == differing(drloc, both) == start
    for pair in ((plain, drloc), (mae, both)):
        keys = {'.'.join(key.split('.')[:2]) for key in differing(*pair)}
        assert keys == {'model.type', 'model.auxiliary_head'}


def test_the_published_network():
    backbone = load('mae_vit-light_2000e_cifar10').model.backbone
    assert (backbone.img_size, backbone.mask_ratio) == (36, 0.75)
    assert backbone.arch.num_layers == 12
    assert backbone.arch.feedforward_channels == 2 * backbone.arch.embed_dims


def test_headers_metafile_and_readme_name_every_config():
    metafile = yaml.safe_load((FOLDER / 'metafile.yml').read_text())
    entries = {entry['Name']: entry for entry in metafile['Models']}
    assert sorted(entries) == NAMES
    readme = (FOLDER / 'README.md').read_text()
    assert set(re.findall(r'\(([^()/]+)\.py\)', readme)) == set(NAMES)
    for name, entry in entries.items():
        assert entry['Config'] == f'configs/mae/{name}.py'
        header = (FOLDER / f'{name}.py').read_text()
        claimed = re.findall('^# Published: ([0-9.]+) %', header, re.M)
        published = [c['Value'] for c in entry.get('Published', [])]
        assert [float(value) for value in claimed] == published
        assert f'# Measured: {entry["Measured"]}.' in header
