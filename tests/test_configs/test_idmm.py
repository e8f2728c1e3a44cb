"""IDMM's configs: every record claimed, bases that fit, weights that flow."""

import copy
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path

import fake_datasets as fake
import pytest
import torch
import yaml
from mmengine.config import Config
from mmengine.fileio import load as read_yaml
from mmengine.registry import MODELS, init_default_scope
from two_epochs import run_two_epochs, write_weights

from mmdrloc.datasets.published import PUBLISHED
from mmdrloc.models.batch_augments import FoldedCutMix
from mmdrloc.transfer import Audit, fit_to_config
from mmdrloc.transfer.fit import build_backbone

ROOT = Path(__file__).parents[2]
GENERATED = ('idmm_pretrain', 'idmm_finetune', 'idmm_imagenet')
FOLDERS = ('idmm', *GENERATED)
PATHS = {
    path.stem: path
    for folder in FOLDERS
    for path in sorted((ROOT / 'configs' / folder).glob('*.py'))
}
ENTRIES = {
    entry['Name']: entry
    for folder in FOLDERS
    for entry in yaml.safe_load(
        (ROOT / 'configs' / folder / 'metafile.yml').read_text()
    )['Models']
}

# One of each method, network, size and start.
REPRESENTATIVES = (
    'idmm_deit-tiny_800e_flowers102',
    'idmm_pvtv2-b0_800e_sin-total-10k',
    'idmm_t2t-vit-7_800e_cars',
    'idmm-official_deit-tiny_800e_pets',
    'simclr_deit-tiny_800e_dtd',
    'supcon_deit-tiny_800e_indoor67',
    'mocov2_deit-tiny_800e_cub',
    'mocov3_pvtv2-b0_800e_sin-10k',
    'dino_deit-tiny_800e_aircraft',
    'deit-tiny_ft-200e_cars',
    'pvtv2-b0_ft-800e_sin-10k',
    't2t-vit-7_super-sin-10k_ft-200e_dtd',
    'deit-tiny_idmm_ft448-100e_pets',
    'pvtv2-b0_idmm_ft448-100e_cub',
    'pvtv2-b0_idmm-sin-10k_100e_imagenet-1k',
    'idmm_vit-narrow_160e_cifar10-500',
    'idmm-drloc_vit-narrow_80e_digits-300',
    'vit-narrow_idmm_ft-40e_cifar10-500',
    'vit-narrow_idmm-drloc_ft-40e_digits-300',
    'idmm-drloc_deit-tiny_800e_flowers102',
    'deit-tiny_idmm-drloc_ft-200e_flowers102',
)
TRIAL = 'vit-narrow{}_ft-40e_digits-300'
# tests/test_configs/test_idmm_dense.py trains the others.
DENSE = ('_coco', '_ade20k')
CLASSIFIERS = {name for name in PATHS if not name.endswith(DENSE)}


@pytest.fixture(autouse=True, scope='module')
def library_index_read_once():
    """MMEngine reads mmpretrain's 85 metafiles for each inherited file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr('mmengine.config.utils.load', cache(read_yaml))
        yield


@cache
def load(name):
    return Config.fromfile(PATHS[name])


# ---- files ---------------------------------------------------------------


def test_index_and_headers():
    assert ENTRIES.keys() == PATHS.keys()
    for name, entry in ENTRIES.items():
        assert ROOT / entry['Config'] == PATHS[name]
        header = PATHS[name].read_text()
        claimed = re.findall('^# Published: ([0-9.]+) %', header, re.M)
        assert [float(value) for value in claimed] == [
            claim['Value'] for claim in entry.get('Published', [])
        ]
        assert f'# Measured: {entry["Measured"]}.' in header
        assert entry['Config'] in header


@pytest.mark.parametrize('folder', FOLDERS)
def test_readme_links_to_every_config(folder):
    readme = (ROOT / 'configs' / folder / 'README.md').read_text()
    linked = set(re.findall(r'\(([^()/]+)\.py\)', readme))
    here = (ROOT / 'configs' / folder).glob('*.py')
    assert linked == {path.stem for path in here}


# ---- what is published ---------------------------------------------------

TABLES = {
    'A-pretrain-methods': 'pre-training methods',
    'B-transfer': 'transfer',
    'C-sota-scratch': 'training from scratch',
    'D-imagenet': 'ImageNet',
}
STARTS = {'random-init': '', 'in1k-supervised': 'in1k', 'supervised': 'super'}


def expected_claim(record):
    """Table, config and value of a record."""
    dataset = {'flowers': 'flowers102'}.get(
        record['dataset'], record['dataset']
    )
    # The label that the poster most likely meant.
    model = record['model'].replace('deit-tiny?', 'pvtv2-b0')
    method, _, subset = record['method'].rstrip(')').partition('(')
    subset = subset.lower() or record.get('pretrain', '').lower()
    start = STARTS.get(method, method) + (f'-{subset}' if subset else '')
    protocol = {
        'A-pretrain-methods': 'ft-200e',
        'B-transfer': 'ft-200e',
        'D-imagenet': f'{record["epochs"]}e',
    }.get(record['table'], f'ft-{record["epochs"]}e')
    if record['epochs'] == '800->100':
        protocol = 'ft448-100e'
    parts = (model, start, protocol, dataset)
    name = '_'.join(part for part in parts if part)
    return TABLES[record['table']], name, record['value']


def test_every_record_is_claimed_by_exactly_one_config():
    if 'MMDRLOC_RECORDS' not in os.environ:
        pytest.skip('MMDRLOC_RECORDS names no file of published records')
    content = yaml.safe_load(Path(os.environ['MMDRLOC_RECORDS']).read_text())
    records = [
        expected_claim(record)
        for record in content['results']
        if record['src'] == '001' and record['metric'] == 'top1'
    ]
    assert len(records) == 234
    claims = [
        (claim['Table'], name, claim['Value'])
        for name, entry in ENTRIES.items()
        for claim in entry.get('Published', [])
    ]
    assert Counter(claims) == Counter(records)


# ---- what they say -------------------------------------------------------


def test_instances_are_the_training_images():
    subsets = {
        'sin-10k': 10_000,
        'sin-total-10k': 10_000,
        'digits-300': 300,
        'cifar10-500': 500,
    }
    names = [name for name in PATHS if re.match('idmm.*(10k|0|s102)$', name)]
    assert len(names) > 10
    for name in names:
        cfg = load(name)
        dataset = cfg.dataset_name
        images = subsets.get(dataset) or PUBLISHED[dataset].num_train
        assert cfg.model.head.num_classes == images, name
        views = cfg.train_dataloader.dataset.pipeline[1].num_views
        assert tuple(views) == tuple(cfg.model.num_views) == (2, 4)


def test_poster_smooths_labels_and_the_official_script_does_not():
    poster = load('idmm_deit-tiny_800e_cub').model
    official = load('idmm-official_deit-tiny_800e_cub').model
    assert poster.head.loss.label_smooth_val == 0.1
    loss = official.head.loss.to_dict()
    assert loss == dict(type='mmpretrain.CrossEntropyLoss', use_soft=True)
    assert {**official.head, 'loss': 0} == {**poster.head, 'loss': 0}


def test_data_sets_are_the_published_ones():
    for name in ('pets', 'dtd', 'cub', 'aircraft', 'cars', 'indoor67'):
        images = load(f'idmm_pvtv2-b0_800e_{name}').model.head.num_classes
        assert images == PUBLISHED[name].num_train
        cfg, published = load(f'deit-tiny_ft-200e_{name}'), PUBLISHED[name]
        for loader, split in zip(
            (cfg.train_dataloader, cfg.val_dataloader), published.splits
        ):
            dataset = loader.dataset
            assert (dataset.type, dataset.split, dataset.data_root) == (
                published.dataset,
                split,
                f'data/{published.folder}',
            )
        assert cfg.model.head.num_classes == published.num_classes
        assert cfg.data_preprocessor.num_classes == published.num_classes


# ---- they train ----------------------------------------------------------


@pytest.fixture(scope='module')
def starts(tmp_path_factory):
    """Where the weights are that runs start from, a file a network."""
    return tmp_path_factory.mktemp('starts')


def give_weights(cfg, name, starts, folder):
    """Write what a run starts from, as its command of the header would."""
    backbone, head = cfg.model.backbone, cfg.model.get('head') or {}
    if backbone.get('init_cfg'):
        network = f'{name.split("_")[0]}_{backbone.get("img_size", "any")}'
        path = starts / f'{network}.pth'
        if not path.is_file():
            write_weights(cfg, path)
        backbone.init_cfg.checkpoint = str(path)
    # The classifier comes from 224 pixels.
    if (head.get('init_cfg') or {}).get('type') == 'Pretrained':
        weights = MODELS.build(dict(head, init_cfg=None)).state_dict()
        head.init_cfg.checkpoint = str(folder / 'head.pth')
        torch.save(
            {f'head.{n}': t for n, t in weights.items()},
            head.init_cfg.checkpoint,
        )


def check_two_steps(name, starts, folder, monkeypatch):
    cfg = copy.deepcopy(load(name))
    highest = fake.write_set(cfg.dataset_name, folder / 'set', monkeypatch)
    give_weights(cfg, name, starts, folder)
    runner = run_two_epochs(cfg, folder / 'set', folder)
    scalars = runner.message_hub.log_scalars
    assert any('loss_drloc' in n for n in scalars) == ('drloc' in name)
    if '_ft' in name:
        # Mixup in the first epoch, CutMix in the second.
        augments = runner.model.data_preprocessor.batch_augments
        assert isinstance(augments, FoldedCutMix)
    if 'narrow' in name:
        # The small photos of the trials are tested at their own size.
        return
    labels = runner.train_dataloader.dataset.get_gt_labels()
    assert labels.tolist() in ([0, highest], [highest, 0])
    if runner.val_loop is not None:
        size = 448 if '_ft448' in name else 224
        image = runner.val_dataloader.dataset[0]['inputs']
        assert image.shape == (3, size, size)


@pytest.mark.parametrize('name', REPRESENTATIVES)
def test_a_representative_runs(name, starts, tmp_path, monkeypatch):
    check_two_steps(name, starts, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize('name', sorted(CLASSIFIERS - set(REPRESENTATIVES)))
def test_it_runs(name, starts, tmp_path, monkeypatch):
    check_two_steps(name, starts, tmp_path, monkeypatch)


# ---- weights flow --------------------------------------------------------


STARTED = [n for n in PATHS if 'checkpoint = ' in PATHS[n].read_text()]


def slow_unless(condition):
    return () if condition else pytest.mark.slow


@pytest.mark.parametrize(
    'name',
    [
        # The other data sets' differ in the data set alone.
        pytest.param(n, marks=slow_unless(n.endswith(('-300', 's102', '-1k'))))
        for n in STARTED
    ],
)
def test_what_a_config_starts_from_exists(name):
    cfg = load(name)
    (hook,) = (
        h for h in cfg.custom_hooks if h.type.endswith('TransferCheckHook')
    )
    # A twin fits the positions just as the config that it is a twin of.
    host = name.replace('idmm-drloc', 'idmm')
    assert hook.made_by == (
        f'python tools/transfer.py {cfg.source} {cfg.checkpoint} --config '
        f'{PATHS[host].relative_to(ROOT)}'
    )
    assert cfg.model.backbone.init_cfg == dict(
        type='Pretrained', checkpoint=cfg.checkpoint, prefix='backbone.'
    )
    if '_in1k_' in name:
        return
    _, source, epoch = cfg.source.split('/')
    before = load(source)
    assert epoch == f'epoch_{before.train_cfg.max_epochs}.pth'
    backbones = [c.model.backbone.to_dict() for c in (before, cfg)]
    for backbone in backbones:
        for key in ('img_size', 'drop_path_rate', 'init_cfg'):
            backbone.pop(key, None)
    assert backbones[0] == backbones[1]


@pytest.mark.parametrize(
    'source, target, resized, tokens',
    [
        (
            'idmm_deit-tiny_800e_flowers102',
            'deit-tiny_idmm_ft-800e_flowers102',
            ['pos_embed'],
            1 + 14**2,
        ),
        (
            't2t-vit-7_idmm_ft-800e_flowers102',
            't2t-vit-7_idmm_ft448-100e_flowers102',
            ['pos_embed'],
            1 + 28**2,
        ),
        (
            'idmm_pvtv2-b0_800e_flowers102',
            'pvtv2-b0_idmm_ft-800e_flowers102',
            [],
            None,
        ),
    ],
)
def test_positions_are_resized_on_the_way(source, target, resized, tokens):
    init_default_scope('mmpretrain')
    weights = build_backbone(load(source)).state_dict()
    checkpoint = dict(
        meta=dict(source=source),
        state_dict={f'backbone.{n}': t for n, t in weights.items()},
    )
    fitted, audit = fit_to_config(checkpoint, Audit(), load(target))
    assert audit.resized == resized
    assert len(audit.loaded) + len(resized) == len(weights)
    if resized:
        positions = fitted['state_dict']['backbone.pos_embed']
        assert positions.shape[1] == tokens


def test_the_classifier_goes_along_to_448_pixels(tmp_path):
    cfg = load('deit-tiny_idmm_ft448-100e_flowers102')
    assert cfg.model.head.init_cfg.checkpoint == cfg.source
    init_default_scope('mmpretrain')
    low = MODELS.build(load(cfg.source.split('/')[1]).model.head)
    path = str(tmp_path / 'epoch_800.pth')
    weights = {f'head.{n}': t for n, t in low.state_dict().items()}
    torch.save(dict(state_dict=weights), path)
    init_cfg = dict(cfg.model.head.init_cfg, checkpoint=path)
    head = MODELS.build(dict(cfg.model.head, init_cfg=init_cfg))
    head.init_weights()
    assert head.layers.head.weight.equal(low.layers.head.weight)


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


def test_the_trial_differs_in_the_start_alone():
    assert differing(TRIAL.format(''), TRIAL.format('_idmm')) == {
        'model.backbone.init_cfg',
        'source',
        'checkpoint',
        'this',
        'command',
        'custom_hooks',
    }


@pytest.mark.parametrize(
    'host, twin',
    [
        (TRIAL.format('_idmm'), TRIAL.format('_idmm-drloc')),
        (
            'idmm_vit-narrow_80e_digits-300',
            'idmm-drloc_vit-narrow_80e_digits-300',
        ),
    ],
)
def test_drloc_twins_differ_in_type_and_head_alone(host, twin):
    keys = {'.'.join(key.split('.')[:2]) for key in differing(host, twin)}
    assert keys == {'model.type', 'model.auxiliary_head'}
