"""``--augment-on-device``: what moves, what stays, and the same training."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from interrupted import DRAWING, assert_equal, assert_resumed_equals, train
from mmengine.config import Config
from mmengine.utils import digit_version
from recipe_configs import resolve
from tiny_run import write_config

from mmdrloc import apis
from mmdrloc.apis import moved_steps
from mmdrloc.apis.moved_steps import set_augment_on_device
from mmdrloc.export.plain import plain_model
from mmdrloc.preflight.step_memory import OLDEST_TORCH
from mmdrloc.utils.errors import UsageError

# Equal to the last bit on the device.
EXACT = """
train_dataloader['dataset']['pipeline'][1:1] = [
    dict(type='Resize', scale=24),
    dict(type='RandomCrop', crop_size=24, padding=4, pad_val=7),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='RandAugment', num_policies=2, magnitude_level=5, policies=[
        dict(type='Posterize', magnitude_range=(4, 0)),
        dict(type='Equalize')])]
"""
NOISY = """
train_dataloader['dataset']['pipeline'].pop(3)
train_dataloader['dataset']['pipeline'].insert(1,
    dict(type='Resize', scale=24))
train_dataloader['dataset']['pipeline'].insert(-1,
    dict(type='RandomErasing', mode='rand', fill_std=[9., 9., 9.]))
"""


def moved(cfg):
    cfg = Config(cfg.to_dict())
    set_augment_on_device(cfg)
    return cfg


def read(folder, *texts):
    config = write_config(folder)
    with config.open('a') as file:
        file.write(''.join(texts))
    return Config.fromfile(config)


def kinds(steps):
    return [step['type'].rpartition('.')[2] for step in steps]


# ---- recipes


@pytest.mark.parametrize(
    'recipe, dataset, stay, go',
    [
        (
            'photos/cvt-mini_32px',
            None,
            'LoadImage Resize',
            'RandomCrop RandomFlip',
        ),
        (
            'evidence/vit-4layers_drloc',
            None,
            'LoadImage Resize',
            'RandomCrop RandomFlip',
        ),
        (
            'mae/mae_vit-light',
            'cifar10',
            'LoadImage',
            'RandomResizedCrop RandomFlip',
        ),
        (
            'mae/mae_vit-light',
            'flowers102',
            'LoadImage RandomResizedCrop',
            'RandomFlip',
        ),
        (
            'scratch_100e/swin-tiny_drloc',
            'cifar10',
            'LoadImage',
            'RandomResizedCrop RandomFlip RandAugment RandomErasing',
        ),
        (
            'scratch_100e/swin-tiny_drloc',
            'flowers102',
            'LoadImage RandomResizedCrop',
            'RandomFlip RandAugment RandomErasing',
        ),
    ],
)
def test_what_goes_to_the_device(recipe, dataset, stay, go):
    before = resolve(recipe, dataset)
    cfg = moved(before)
    *here, pack, draw = cfg.train_dataloader.dataset.pipeline
    assert ' '.join(kinds(here)) == stay
    assert ' '.join(kinds(draw.steps)) == go
    assert pack.type.endswith('PackInputs')
    preprocessor = cfg.data_preprocessor
    assert preprocessor.type == 'mmdrloc.AugmentingPreprocessor'
    assert preprocessor.steps == draw.steps
    assert preprocessor.get('mean') == before.data_preprocessor.get('mean')
    assert cfg.val_dataloader == before.val_dataloader


@pytest.mark.parametrize('has_gpu', [True, False])
def test_the_rest_stays_as_it_is(has_gpu, monkeypatch):
    cuda = SimpleNamespace(is_available=lambda: has_gpu)
    monkeypatch.setattr(moved_steps, 'torch', SimpleNamespace(cuda=cuda))
    before = resolve('evidence/mae_vit-4layers')
    cfg = moved(before)
    assert cfg.train_dataloader.pin_memory == has_gpu
    for key in ('model', 'optim_wrapper', 'train_cfg'):
        assert cfg.get(key) == before.get(key)


@pytest.mark.parametrize(
    'recipe, words',
    [
        ('idmm/idmm_vit-narrow_28px', 'MultiView has no twin'),
        ('idmm/finetune/deit-tiny', 'RandomApply has no twin'),
        ('quickstart/swin-2stage', 'draws nothing once'),
        ('quickstart/mask-rcnn_swin-2stage', 'not with PackDetInputs'),
    ],
)
def test_recipes_for_which_there_is_nothing(recipe, words):
    refused(Config(resolve(recipe).to_dict()), words)


def refused(cfg, words):
    before = cfg.to_dict()
    with pytest.raises(UsageError, match=f'{words}.*--augment-on-device'):
        set_augment_on_device(cfg)
    assert cfg.to_dict() == before


@pytest.mark.parametrize(
    'change, words',
    [
        (
            "train_dataloader['dataset']['pipeline'].pop(1)\n"
            "train_dataloader['dataset']['pipeline'].pop(1)",
            'when RandomFlip comes: put a Resize before it',
        ),
        ("train_dataloader.pop('collate_fn')", 'collate_fn=dict'),
        ("train_dataloader['dataset'].pop('pipeline')", 'which has 0'),
        (
            "data_preprocessor['type'] = 'mmpretrain.SelfSupDataPreprocessor'",
            'cannot replace mmpretrain.SelfSupDataPreprocessor',
        ),
    ],
)
def test_configs_that_must_be_changed(tmp_path, change, words):
    refused(read(tmp_path, EXACT, change), words)


# ---- trainings


def test_the_same_training(tmp_path):
    """Also with a preprocessor inside the model, and below a wrapper."""
    cfg = read(tmp_path, EXACT)
    cfg.model.train_cfg = dict(augments=[dict(type='Mixup', alpha=0.8)])
    here = train(cfg, tmp_path / 'here')
    cfg.model.data_preprocessor = cfg.pop('data_preprocessor')
    cfg.train_dataloader.dataset = dict(
        type='RepeatDataset', times=1, dataset=cfg.train_dataloader.dataset
    )
    cfg = moved(cfg)
    assert cfg.get('data_preprocessor') is None
    there = train(cfg, tmp_path / 'there')
    assert_equal(there.steps, here.steps)
    assert_equal(there.weights, here.weights)


def test_a_resumed_one_is_the_same(tmp_path):
    """Noise of the device's own generator and all."""
    cfg = moved(read(tmp_path, DRAWING, NOISY))
    assert_resumed_equals(cfg, tmp_path, cut_after=2)


def test_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    read(tmp_path, EXACT)
    once = {'train_cfg.max_epochs': 1}
    asked = dict(options=once, augment_on_device=True)
    assert apis.train('tiny.py', check=True, **asked) is None
    said = capsys.readouterr().out
    reckoned = digit_version(torch.__version__) >= digit_version(OLDEST_TORCH)
    assert ('a training step takes about' in said) == reckoned
    run = apis.train('tiny.py', **asked)
    assert run.result['finished']
    assert '--augment-on-device' in run.result['command'].split()
    with pytest.raises(UsageError, match='begun with other settings'):
        apis.train('tiny.py', resume='auto')
    [said] = apis.predict(run, sorted(Path('data/val').glob('*/*.png'))[:1])
    assert said['pred_class'].startswith('class')


def test_what_is_published_knows_nothing_of_it(tmp_path):
    cfg = read(tmp_path, EXACT)
    assert plain_model(moved(cfg)) == plain_model(cfg)
