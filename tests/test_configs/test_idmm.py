"""IDMM's recipes: they train on any data, and weights flow between them."""

import copy
from functools import cache
from inspect import signature
from pathlib import Path

import fake_datasets as fake
import pytest
import torch
from digit_drawing import split_digits
from digits import write_digits
from mmengine.fileio import load as read_yaml
from mmengine.registry import MODELS, init_default_scope
from two_epochs import run_two_epochs

from mmdrloc.checkpoints.transfer import Audit, fit_to_config
from mmdrloc.checkpoints.transfer.fit import build_backbone
from mmdrloc.checkpoints.transfer.starting_weights import COPY, set_weights
from mmdrloc.datasets.recipes import read_recipe
from mmdrloc.models.batch_augments import FoldedCutMix

CONFIGS = Path(__file__).parents[2] / 'configs'
RECIPES = [
    *(
        path.relative_to(CONFIGS / 'idmm').with_suffix('').as_posix()
        for path in sorted((CONFIGS / 'idmm').glob('**/*.py'))
    ),
    *(
        f'../scratch_{n}e/{m}'
        for n in (100, 300)
        for m in ('deit-tiny', 'pvtv2-b0')
    ),
]
DIGITS, PHOTOS = 'digits-300', 'cifar10-500'
# By recipe: data, and what it starts from, with the data of that. The first
# ones are one of each method, network, size and start.
RUNS = {
    'pretrain/idmm_deit-tiny': ('flowers102', None),
    'pretrain/idmm_pvtv2-b0': ('sin-total-10k', None),
    'pretrain/idmm_t2t-vit-7': ('cars', None),
    'pretrain/idmm-official_deit-tiny': ('pets', None),
    'pretrain/simclr_deit-tiny': ('dtd', None),
    'pretrain/supcon_deit-tiny': ('indoor67', None),
    'pretrain/mocov2_deit-tiny': ('cub', None),
    'pretrain/mocov3_pvtv2-b0': ('sin-10k', None),
    'pretrain/dino_deit-tiny': ('aircraft', None),
    'finetune/deit-tiny': ('cars', None),
    'finetune/pvtv2-b0': ('sin-10k', None),
    'finetune/t2t-vit-7_200e': ('dtd', ('finetune/t2t-vit-7', 'sin-10k')),
    'finetune/deit-tiny_448px': ('pets', ('finetune/deit-tiny', 'pets')),
    'finetune/pvtv2-b0_448px': ('cub', ('finetune/pvtv2-b0', 'cub')),
    '../scratch_100e/pvtv2-b0': (
        'imagenet-1k',
        ('pretrain/idmm_pvtv2-b0', 'sin-10k'),
    ),
    'idmm_vit-narrow_16px': (PHOTOS, None),
    'idmm_vit-narrow_28px_drloc': (DIGITS, None),
    'vit-narrow_32px': (PHOTOS, ('idmm_vit-narrow_16px', PHOTOS)),
    'vit-narrow_56px_drloc': (DIGITS, ('idmm_vit-narrow_28px', DIGITS)),
    'pretrain/idmm_deit-tiny_drloc': ('flowers102', None),
    'finetune/deit-tiny_200e_drloc': (
        'flowers102',
        ('pretrain/dino_deit-tiny', 'flowers102'),
    ),
}
REPRESENTATIVES = list(RUNS)
RUNS.update(
    {
        'idmm_vit-narrow_28px': (DIGITS, None),
        'vit-narrow_56px': (DIGITS, None),
        'pretrain/idmm_deit-base': ('pets', None),
        'pretrain/idmm_pvtv2-b3': ('sin-10k', None),
        'pretrain/mocov3_deit-tiny': ('pets', None),
        'pretrain/mocov3_pvtv2-b3': ('sin-10k', None),
        'pretrain/dino_pvtv2-b0': ('sin-10k', None),
        'pretrain/dino_pvtv2-b3': ('sin-10k', None),
        'finetune/deit-base': (
            'indoor67',
            ('pretrain/idmm_deit-base', 'pets'),
        ),
        'finetune/deit-base_200e': ('cub', ('finetune/deit-base', 'cub')),
        'finetune/deit-tiny_200e': (
            'aircraft',
            ('pretrain/supcon_deit-tiny', 'aircraft'),
        ),
        'finetune/pvtv2-b0_200e': (
            'dtd',
            ('pretrain/dino_pvtv2-b0', 'sin-10k'),
        ),
        'finetune/pvtv2-b3': ('flowers102', None),
        'finetune/pvtv2-b3_200e': (
            'cars',
            ('pretrain/mocov3_pvtv2-b3', 'sin-10k'),
        ),
        'finetune/t2t-vit-7': ('pets', ('pretrain/idmm_t2t-vit-7', 'pets')),
        'finetune/t2t-vit-7_448px': ('pets', ('finetune/t2t-vit-7', 'pets')),
        '../scratch_100e/deit-tiny': ('imagenet-1k', None),
        '../scratch_300e/deit-tiny': (
            'imagenet-1k',
            ('pretrain/idmm_deit-tiny', 'sin-10k'),
        ),
        '../scratch_300e/pvtv2-b0': ('imagenet-1k', None),
    }
)


@pytest.fixture(autouse=True, scope='module')
def library_index_read_once():
    """MMEngine reads mmpretrain's 85 metafiles for each inherited file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr('mmengine.config.utils.load', cache(read_yaml))
        yield


@cache
def read(recipe, dataset):
    return read_recipe(CONFIGS / 'idmm' / f'{recipe}.py', dataset)


def load(recipe, dataset='flowers102'):
    # Building writes into configs.
    return copy.deepcopy(read(recipe, dataset))


def build(cfg):
    """The model with random weights; all that a checkpoint of it holds."""
    init_default_scope('mmpretrain')
    model = cfg.model.to_dict()
    model['backbone'].pop('init_cfg', None)
    (model.get('head') or {}).pop('init_cfg', None)
    model.setdefault('data_preprocessor', cfg.data_preprocessor.to_dict())
    return MODELS.build(model)


# ---- what they say -------------------------------------------------------


@pytest.mark.parametrize('recipe', [r for r in RECIPES if '/idmm' in r])
@pytest.mark.parametrize(
    'dataset, images',
    [('cub', 5994), ('sin-total-10k', 10_000), (DIGITS, 300)],
)
def test_instances_are_the_training_images(recipe, dataset, images):
    cfg = load(recipe, dataset)
    assert cfg.model.head.num_classes == images
    views = cfg.train_dataloader.dataset.pipeline[1].num_views
    assert tuple(views) == tuple(cfg.model.num_views) == (2, 4)


@pytest.mark.parametrize('recipe', [r for r in RECIPES if 'pretrain/' in r])
def test_pretraining_tests_nothing(recipe):
    cfg = load(recipe)
    for phase in ('val', 'test'):
        for part in ('dataloader', 'evaluator', 'cfg'):
            assert cfg[f'{phase}_{part}'] is None


def test_poster_smooths_labels_and_the_official_script_does_not():
    poster = load('pretrain/idmm_deit-tiny').model
    official = load('pretrain/idmm-official_deit-tiny').model
    assert poster.head.loss.label_smooth_val == 0.1
    loss = official.head.loss.to_dict()
    assert loss == dict(type='mmpretrain.CrossEntropyLoss', use_soft=True)
    assert {**official.head, 'loss': 0} == {**poster.head, 'loss': 0}


@pytest.mark.parametrize('dataset', ['pets', 'sin-10k', PHOTOS])
def test_data_and_classes_are_those_of_the_data_set(dataset):
    cfg = load('finetune/deit-tiny', dataset)
    for phase in ('train', 'val'):
        data = cfg[f'{phase}_dataloader'].dataset.to_dict()
        assert data.pop('pipeline')
        assert data == cfg[f'{phase}_dataset'].to_dict()
    for part in (cfg.model.head, cfg.data_preprocessor):
        assert part.num_classes == cfg.num_classes


def test_a_part_keeps_what_it_is_a_part_of():
    for part, whole, head in (
        (DIGITS, 'digits', 'vit-narrow_56px'),
        (PHOTOS, 'cifar10_photos', 'vit-narrow_32px'),
    ):
        some, everything = load(head, part), load(head, whole)
        assert some.val_dataloader == everything.val_dataloader
        train = some.train_dataloader.dataset.to_dict()
        indices = train.pop('indices')
        assert len(indices) == some.num_train
        # Files are sorted by class: from the first to the last alike.
        assert indices == [
            everything.num_train * number // some.num_train
            for number in range(some.num_train)
        ]
        assert train == everything.train_dataloader.dataset.to_dict()
        assert some.num_train < everything.num_train
        assert some.model == everything.model


def test_digits_are_counted_as_they_are_drawn():
    drawings = signature(write_digits).parameters['num_variants'].default
    digits = len(split_digits()['train'][0])
    assert load('vit-narrow_56px', 'digits').num_train == drawings * digits


# ---- they train ----------------------------------------------------------


@pytest.fixture(scope='module')
def starts(tmp_path_factory):
    """Where the checkpoints are that runs start from."""
    return tmp_path_factory.mktemp('starts')


def checkpoint_of(before, folder):
    """What a run of that recipe and data would leave."""
    path = folder / ('_'.join(before).replace('/', '_') + '.pth')
    if not path.is_file():
        torch.save(dict(state_dict=build(load(*before)).state_dict()), path)
    return path


def check_two_steps(recipe, starts, folder, monkeypatch):
    dataset, before = RUNS[recipe]
    cfg = load(recipe, dataset)
    highest = fake.write_set(dataset, folder / 'set', monkeypatch)
    if before:
        path = checkpoint_of(before, starts)
        audit = set_weights(cfg, str(path), copy=folder / COPY)
        assert audit.loaded
        assert cfg.run.weights['file'] == str(path)
    runner = run_two_epochs(cfg, folder / 'set', folder)
    scalars = runner.message_hub.log_scalars
    assert any('loss_drloc' in n for n in scalars) == ('drloc' in recipe)
    if 'finetune/' in recipe or recipe.startswith('vit-'):
        # Mixup in the first epoch, CutMix in the second.
        augments = runner.model.data_preprocessor.batch_augments
        assert isinstance(augments, FoldedCutMix)
    if 'narrow' not in recipe:
        labels = runner.train_dataloader.dataset.get_gt_labels()
        assert labels.tolist() in ([0, highest], [highest, 0])
    if runner.val_loop is not None:
        size = cfg.model.backbone.get('img_size', 224)
        if '_448px' in recipe:
            size = 448
        image = runner.val_dataloader.dataset[0]['inputs']
        assert image.shape == (3, size, size)


@pytest.mark.parametrize('recipe', REPRESENTATIVES)
def test_a_representative_runs(recipe, starts, tmp_path, monkeypatch):
    check_two_steps(recipe, starts, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize('recipe', sorted(set(RUNS) - set(REPRESENTATIVES)))
def test_it_runs(recipe, starts, tmp_path, monkeypatch):
    check_two_steps(recipe, starts, tmp_path, monkeypatch)


def test_every_recipe_runs_on_some_data():
    assert sorted(RUNS) == sorted(RECIPES)


# ---- weights flow --------------------------------------------------------


@pytest.mark.parametrize(
    'before, after, resized, tokens',
    [
        (
            'pretrain/idmm_deit-tiny',
            'finetune/deit-tiny',
            ['pos_embed'],
            1 + 14**2,
        ),
        (
            'finetune/t2t-vit-7',
            'finetune/t2t-vit-7_448px',
            ['pos_embed'],
            1 + 28**2,
        ),
        ('pretrain/idmm_pvtv2-b0', 'finetune/pvtv2-b0', [], None),
    ],
)
def test_positions_are_resized_on_the_way(before, after, resized, tokens):
    init_default_scope('mmpretrain')
    weights = build_backbone(load(before)).state_dict()
    checkpoint = dict(
        meta=dict(source=before),
        state_dict={f'backbone.{n}': t for n, t in weights.items()},
    )
    fitted, audit = fit_to_config(checkpoint, Audit(), load(after))
    assert audit.resized == resized
    assert len(audit.loaded) + len(resized) == len(weights)
    if resized:
        positions = fitted['state_dict']['backbone.pos_embed']
        assert positions.shape[1] == tokens


@pytest.mark.parametrize('network', ['deit-tiny', 'pvtv2-b0', 't2t-vit-7'])
def test_the_classifier_goes_along_to_448_pixels(network, tmp_path):
    low = build(load(f'finetune/{network}', 'pets'))
    path = tmp_path / 'epoch_800.pth'
    torch.save(dict(state_dict=low.state_dict()), path)
    cfg = load(f'finetune/{network}_448px', 'pets')
    set_weights(cfg, str(path), copy=tmp_path / COPY)
    init_default_scope('mmpretrain')
    head = MODELS.build(cfg.model.head)
    head.init_weights()
    for name, tensor in low.head.state_dict().items():
        assert head.state_dict()[name].equal(tensor), name


def flatten(value, prefix=''):
    if not isinstance(value, dict):
        return {prefix[:-1]: value}
    return {
        key: leaf
        for name, part in value.items()
        for key, leaf in flatten(part, f'{prefix}{name}.').items()
    }


@pytest.mark.parametrize('twin', [r for r in RECIPES if r.endswith('_drloc')])
def test_drloc_twins_differ_in_type_and_head_alone(twin):
    host = twin.removesuffix('_drloc')
    assert load(twin).run.baseline == f'idmm/{host}'
    a, b = (flatten(load(name).to_dict()) for name in (host, twin))
    keys = {key for key in a.keys() | b.keys() if a.get(key) != b.get(key)}
    assert {'.'.join(key.split('.')[:2]) for key in keys} == {
        'model.type',
        'model.auxiliary_head',
        'run.recipe',
        'run.baseline',
    }
