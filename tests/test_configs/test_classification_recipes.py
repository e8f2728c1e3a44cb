"""The recipes of the DRLoc document: fair twins, short files, and they run."""

from pathlib import Path

import fake_datasets as fake
import pytest
from mmengine.config import Config
from two_epochs import run_two_epochs, write_weights

ROOT = Path(__file__).parents[2] / 'configs'
FOLDERS = ('scratch_100e', 'scratch_300e', 'finetune_100e', 'official')
RECIPES = [
    f'{folder}/{path.stem}'
    for folder in FOLDERS
    for path in sorted((ROOT / folder).glob('*.py'))
]
TWINS = [name for name in RECIPES if name.endswith('_drloc')]
VARIANTS = [name for name in RECIPES if '_drloc-' in name]
# Every protocol, every network and every kind of data set.
REPRESENTATIVES = (
    ('scratch_100e/swin-tiny_drloc-all', 'imagenet-100'),
    ('scratch_300e/t2t-vit-14_310e_drloc', 'imagenet-1k'),
    ('finetune_100e/resnet-50_drloc', 'flowers102'),
    ('official/cvt-13_drloc', 'svhn'),
    ('scratch_100e/vit-b16_drloc', 'cifar10'),
    ('finetune_100e/swin-tiny', 'cifar100'),
    ('scratch_300e/resnet-50_drloc', 'domainnet-infograph'),
)


def load(name):
    return Config.fromfile(ROOT / f'{name}.py')


def test_every_network_has_its_recipes():
    drloc = {'swin-tiny', 'cvt-13', 't2t-vit-14', 'resnet-50', 'vit-b16'}
    idmm = {'deit-tiny', 'pvtv2-b0'}
    expected = {
        'scratch_100e': drloc | idmm,
        'scratch_300e': (drloc | idmm | {'t2t-vit-14_310e'}) - {'vit-b16'},
        'finetune_100e': {'swin-tiny', 't2t-vit-14', 'resnet-50'},
        'official': drloc,
    }
    baselines = {
        f'{folder}/{name}' for folder in expected for name in expected[folder]
    }
    assert set(RECIPES) - {*TWINS, *VARIANTS} == baselines
    assert set(TWINS) == {
        f'{name}_drloc' for name in baselines if name.split('/')[1] not in idmm
    }


@pytest.mark.parametrize('name', TWINS)
def test_twins_differ_in_the_method_alone(name):
    with_drloc, baseline = (
        load(recipe).to_dict() for recipe in (name, name[: -len('_drloc')])
    )
    model = with_drloc['model']
    assert model.pop('type') == 'mmdrloc.DRLocClassifier'
    assert baseline['model'].pop('type').endswith('ImageClassifier')
    assert model.pop('auxiliary_head')['type'] == 'mmdrloc.DRLocHead'
    if name.startswith('official/'):
        assert with_drloc.pop('custom_hooks') == [
            dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)
        ]
        # What the head was made of.
        del with_drloc['official_head'], with_drloc['official_loss']
    assert with_drloc == baseline


@pytest.mark.parametrize('name', VARIANTS)
def test_variants_differ_in_the_head_alone(name):
    variant, twin = (
        load(recipe).to_dict() for recipe in (name, name.rpartition('-')[0])
    )
    ours = variant['model'].pop('auxiliary_head')
    assert ours != twin['model'].pop('auxiliary_head')
    assert variant == twin


def test_fine_tuning_waits_for_weights():
    for name in RECIPES:
        backbone = load(name).model.backbone
        waits = backbone.get('init_cfg') == dict(
            type='Pretrained', prefix='backbone.'
        )
        assert waits == name.startswith('finetune_100e/')


def check_two_steps_and_an_evaluation(name, dataset, folder, monkeypatch):
    monkeypatch.setenv('DATASET', dataset)
    cfg = load(name)
    fake.write_set(dataset, folder / 'set', monkeypatch)
    if 'init_cfg' in cfg.model.backbone:
        path = cfg.model.backbone.init_cfg.checkpoint = str(folder / 'in1k')
        write_weights(cfg, path)
    runner = run_two_epochs(cfg, folder / 'set', folder)
    scalars = runner.message_hub.log_scalars
    assert ('train/loss_drloc' in scalars) == ('_drloc' in name)


@pytest.mark.parametrize('name, dataset', REPRESENTATIVES)
def test_a_representative_runs(name, dataset, tmp_path, monkeypatch):
    check_two_steps_and_an_evaluation(name, dataset, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(
    'name', sorted(set(RECIPES) - {name for name, _ in REPRESENTATIVES})
)
def test_it_runs(name, tmp_path, monkeypatch):
    check_two_steps_and_an_evaluation(name, 'svhn', tmp_path, monkeypatch)
