"""Every quickstart config trains a step; twins differ only as they say."""

from pathlib import Path

import pytest
import torch
from mmengine.config import Config
from mmengine.optim import build_optim_wrapper
from mmengine.registry import MODELS, init_default_scope
from mmengine.runner import Runner

from mmdrloc.datasets import write_digits

CONFIGS = Path(__file__).parents[2] / 'configs/quickstart'
NAMES = sorted(path.stem for path in CONFIGS.glob('*.py'))


def load(name):
    return Config.fromfile(CONFIGS / f'{name}.py')


def flatten(value, prefix=''):
    """Give {dotted key: leaf} of nested dicts; lists count as leaves."""
    if not isinstance(value, dict):
        return {prefix[:-1]: value}
    return {
        key: leaf
        for name, part in value.items()
        for key, leaf in flatten(part, f'{prefix}{name}.').items()
    }


def differing(name_a, name_b):
    a, b = (flatten(load(name).to_dict()) for name in (name_a, name_b))
    return {key for key in a.keys() | b.keys() if a.get(key) != b.get(key)}


@pytest.fixture(scope='module')
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp('data') / 'digits'
    write_digits(root, num_variants=1, num_train_scenes=2, num_val_scenes=1)
    return root


def test_the_promised_configs_exist():
    assert NAMES == sorted(
        ['swin-2stage_digits', 'swin-2stage_drloc_digits']
        + [
            f'{host}_swin-2stage{origin}_digits'
            for host in ('mask-rcnn', 'upernet')
            for origin in ('', '_plain', '_drloc', '_dense-drloc')
        ]
    )


def test_classification_twins_differ_in_type_and_head_alone():
    keys = differing('swin-2stage_digits', 'swin-2stage_drloc_digits')
    assert {'.'.join(key.split('.')[:2]) for key in keys} == {
        'model.type',
        'model.auxiliary_head',
    }


@pytest.mark.parametrize('host', ['mask-rcnn', 'upernet'])
@pytest.mark.parametrize('origin', ['plain', 'drloc'])
def test_dense_configs_differ_in_where_the_backbone_comes_from(host, origin):
    random, carried = (
        f'{host}_swin-2stage_digits',
        f'{host}_swin-2stage_{origin}_digits',
    )
    keys = differing(random, carried)
    assert {key for key in keys if '.init_cfg.' not in key} == {
        'custom_hooks',
        'checkpoint',
    }
    twin = {'plain': '', 'drloc': '_drloc'}[origin]
    assert load(carried).model.backbone.init_cfg == dict(
        type='Pretrained',
        prefix='backbone.',
        checkpoint=f'work_dirs/swin-2stage{twin}_digits/backbone.pth',
    )


@pytest.mark.parametrize('host', ['mask-rcnn', 'upernet'])
def test_dense_twins_differ_in_type_and_head_alone(host):
    keys = differing(
        f'{host}_swin-2stage_digits', f'{host}_swin-2stage_dense-drloc_digits'
    )
    assert {'.'.join(key.split('.')[:2]) for key in keys} == {
        'model.type',
        'model.drloc_head',
    }


def test_dense_backbones_are_the_pretrained_one():
    pretrained = load('swin-2stage_digits').model.backbone.to_dict()
    for host in ('mask-rcnn', 'upernet'):
        dense = load(f'{host}_swin-2stage_digits').model.backbone.to_dict()
        assert dense == {**pretrained, 'out_indices': (0, 1)}


@pytest.mark.parametrize('name', NAMES)
def test_one_training_step(name, data):
    config = load(name)
    init_default_scope(config.default_scope)
    torch.manual_seed(0)
    model = MODELS.build(
        dict(data_preprocessor=config.get('data_preprocessor'), **config.model)
        if 'data_preprocessor' not in config.model
        else config.model
    )

    loader = config.train_dataloader
    loader.batch_size = 2
    loader.dataset.data_root = loader.dataset.data_root.replace(
        'data/digits', str(data)
    )
    batch = next(iter(Runner.build_dataloader(loader, seed=0)))

    before = model.backbone.stages[0].blocks[0].attn.w_msa.qkv.weight.clone()
    model.train()
    losses = model.train_step(
        batch, build_optim_wrapper(model, config.optim_wrapper)
    )
    assert torch.isfinite(losses['loss'])
    after = model.backbone.stages[0].blocks[0].attn.w_msa.qkv.weight
    assert not torch.equal(before, after)
