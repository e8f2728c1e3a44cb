"""The generated configs: up to date, complete, fair twins, and they run."""

import os
import re
import runpy
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import fake_datasets as fake
import pytest
import yaml
from mmengine.config import Config
from mmengine.fileio import load as read_yaml
from two_epochs import run_two_epochs, write_weights

ROOT = Path(__file__).parents[2]
TOOL = ROOT / 'tools/misc/generate_configs.py'
FOLDERS = ('scratch_100e', 'scratch_300e', 'finetune_100e', 'official')
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
TWINS = [name for name in PATHS if '_drloc' in name]

# Every network, protocol and class of data sets occurs.
REPRESENTATIVES = (
    'swin-tiny_drloc-all_100e_imagenet-100',
    't2t-vit-14_drloc_300e_imagenet-1k',
    'resnet-50_drloc_ft-100e_flowers102',
    'cvt-13_drloc_official-101e_svhn',
    'vit-b16_drloc_100e_cifar10',
    'swin-tiny_ft-100e_cifar100',
    'resnet-50_drloc_300e_domainnet-infograph',
)


@pytest.fixture(autouse=True, scope='module')
def library_index_read_once():
    """MMEngine reads mmpretrain's 85 metafiles for each inherited file."""
    with pytest.MonkeyPatch.context() as patch:
        # As when the tool is called from the command line.
        patch.syspath_prepend(TOOL.parent)
        patch.setattr('mmengine.config.utils.load', cache(read_yaml))
        yield


@cache
def load(name):
    return Config.fromfile(PATHS[name])


# ---- files ---------------------------------------------------------------


def test_they_are_up_to_date(monkeypatch, capsys):
    monkeypatch.setattr(sys, 'argv', [str(TOOL), '--check'])
    runpy.run_path(str(TOOL), run_name='__main__')
    assert 'are up to date' in capsys.readouterr().out


def test_differences_are_found():
    tool = runpy.run_path(str(TOOL))
    files = tool['generate']()
    first, second, *_ = files
    files[first] += '# edited'
    del files[second]
    files['configs/scratch_100e/missing.py'] = ''
    assert set(tool['differences'](files)) == {
        first,
        second,
        'configs/scratch_100e/missing.py',
    }


def test_every_config_is_in_the_index():
    assert ENTRIES.keys() == PATHS.keys()
    for name, entry in ENTRIES.items():
        assert ROOT / entry['Config'] == PATHS[name]
    imported = yaml.safe_load((ROOT / 'model-index.yml').read_text())['Import']
    assert imported == sorted(
        path.relative_to(ROOT).as_posix()
        for path in ROOT.glob('configs/*/metafile.yml')
    )


def test_names_are_unique():
    """`mim train mmdrloc NAME` finds a config by its name alone."""
    counts = Counter(path.stem for path in (ROOT / 'configs').rglob('*.py'))
    assert not [name for name in PATHS if counts[name] > 1]


@pytest.mark.parametrize('folder', FOLDERS)
def test_readme_links_to_every_config(folder):
    readme = (ROOT / 'configs' / folder / 'README.md').read_text()
    linked = set(re.findall(r'\(([^()/]+)\.py\)', readme))
    here = (ROOT / 'configs' / folder).glob('*.py')
    assert linked == {path.stem for path in here}


@pytest.mark.parametrize('folder', FOLDERS)
def test_headers_say_what_is_published_and_measured(folder):
    for path in (ROOT / 'configs' / folder).glob('*.py'):
        header, entry = path.read_text(), ENTRIES[path.stem]
        claimed = re.findall('^# Published: ([0-9.]+) %', header, re.M)
        assert [float(value) for value in claimed] == [
            claim['Value'] for claim in entry.get('Published', [])
        ]
        assert f'# Measured: {entry["Measured"]}.' in header
        assert f'configs/{folder}/{path.name}\n' in header


# ---- what is published ---------------------------------------------------

SOURCES = {'main paper': '000', 'supplement': '003'}
TABLES = {'2a', '2b', '3', '4', '5', '6', '7', '8', '9', '16'}
BACKBONES = {
    'SwinTransformer': 'swin-t',
    'mmdrloc.CvT': 'cvt-13',
    'mmdrloc.PerformerT2TViT': 't2t-vit-14',
    'mmdrloc.DRLocViT': 'vit-b16',
    'ResNet': 'resnet-50',
}
LOSSES = {
    'mmdrloc.DRLocL1Loss': 'drloc',
    'mmdrloc.DRLocCrossEntropyLoss': 'drloc-ce',
    'mmdrloc.DRLocGaussianLoss': 'drloc-reg',
}
# The paper gives none for ResNet-50.
OUR_LAMBDA = 0.1


def method_of(head):
    if '*' in head.source:
        return 'drloc-all'
    return (
        'drloc-star-signed'
        if head.loss.get('signed')
        else (LOSSES[head.loss.type])
    )


def claims_of(name):
    """Everything that identifies the records a config claims."""
    cfg = load(name)
    head = cfg.model.get('auxiliary_head')
    run = (
        cfg.dataset_name,
        BACKBONES[cfg.model.backbone.type],
        # The cool-down behind the cosine is not counted.
        cfg.param_scheduler[0].get('total', cfg.train_cfg.max_epochs),
        'in1k-finetune' if 'init_cfg' in cfg.model.backbone else 'scratch',
    )
    method = ('baseline',)
    if head is not None:
        method = (
            method_of(head),
            head.get('num_pairs', 64),
            head.loss.loss_weight,
            head.get('hidden_channels', 512),
        )
    return [
        (
            SOURCES[claim['Source']],
            claim['Table'],
            *run,
            *method,
            claim['Value'],
            *(claim.get(key) for key in ('Delta', 'Std', 'Seeds')),
        )
        for claim in ENTRIES[name].get('Published', [])
    ]


def expected_claim(record, defaults):
    """The same of a record."""
    method = ('baseline',)
    if record['method'] != 'baseline':
        weight = defaults['drloc_lambda'][record['model']]
        method = (
            record['method'],
            record.get('m', defaults['drloc_m']),
            record.get('lam', OUR_LAMBDA if weight == 'unstated' else weight),
            record.get('mlp_width', 512),
        )
    return (
        record['src'],
        str(record['table']),
        record['dataset'],
        record['model'],
        record['epochs'],
        record.get('init', 'scratch'),
        *method,
        record['value'],
        *(record.get(key) for key in ('delta', 'std', 'seeds')),
    )


def test_every_record_is_claimed_by_exactly_one_config():
    if 'MMDRLOC_RECORDS' not in os.environ:
        pytest.skip('MMDRLOC_RECORDS names no file of published records')
    content = yaml.safe_load(Path(os.environ['MMDRLOC_RECORDS']).read_text())
    records = [
        expected_claim(record, content['defaults_not_repeated'])
        for record in content['results']
        if record['src'] in SOURCES.values()
        and record['metric'] == 'top1'
        and str(record['table']) in TABLES
    ]
    assert len(records) == 202
    claims = [claim for name in PATHS for claim in claims_of(name)]
    assert Counter(claims) == Counter(records)


def test_variants_point_to_configs_of_the_paper():
    variants = {
        name: entry['Variant Of']
        for name, entry in ENTRIES.items()
        if 'Variant Of' in entry
    }
    assert len(variants) == 91
    for name, paper in variants.items():
        assert 'Published' in ENTRIES[paper]
        assert 'Published' not in ENTRIES[name]
        # The code has every stage where the paper has every block.
        name = name.replace('drloc-stages', 'drloc-all')
        assert name.replace('official-101e', '100e') == paper


# ---- twins ---------------------------------------------------------------


def twin_of(name):
    return re.sub('_drloc[^_]*', '', name)


@pytest.mark.parametrize('folder', FOLDERS)
def test_twins_differ_in_the_method_alone(folder):
    names = [name for name in TWINS if PATHS[name].parent.name == folder]
    assert names
    for name in names:
        with_drloc = load(name).to_dict()
        baseline = load(twin_of(name)).to_dict()
        model = with_drloc['model']
        assert model.pop('type') == 'mmdrloc.DRLocClassifier'
        assert baseline['model'].pop('type').endswith('ImageClassifier')
        model.pop('auxiliary_head')
        if folder == 'official':
            assert with_drloc.pop('custom_hooks') == [
                dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)
            ]
        assert with_drloc == baseline


# ---- they run ------------------------------------------------------------


def check_two_steps_and_an_evaluation(name, folder, monkeypatch):
    cfg = Config.fromfile(PATHS[name])
    fake.write_set(cfg.dataset_name, folder / 'set', monkeypatch)
    if 'init_cfg' in cfg.model.backbone:
        path = cfg.model.backbone.init_cfg.checkpoint = str(folder / 'in1k')
        write_weights(cfg, path)
    runner = run_two_epochs(cfg, folder / 'set', folder)
    scalars = runner.message_hub.log_scalars
    assert ('train/loss_drloc' in scalars) == ('_drloc' in name)


def test_representatives_leave_nothing_out():
    def kinds(name):
        cfg = load(name)
        model, *_, protocol, _ = name.split('_')
        return model, protocol, cfg.train_dataloader.dataset.type

    def values(names):
        return [set(column) for column in zip(*map(kinds, names))]

    assert values(REPRESENTATIVES) == values(PATHS)


@pytest.mark.parametrize('name', REPRESENTATIVES)
def test_a_representative_runs(name, tmp_path, monkeypatch):
    check_two_steps_and_an_evaluation(name, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize('name', sorted(PATHS.keys() - set(REPRESENTATIVES)))
def test_it_runs(name, tmp_path, monkeypatch):
    check_two_steps_and_an_evaluation(name, tmp_path, monkeypatch)
