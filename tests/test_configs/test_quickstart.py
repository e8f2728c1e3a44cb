"""Every quickstart recipe trains a step; twins differ only as they say."""

from pathlib import Path

import pytest
import torch
from digits import write_digits
from mmengine.config import Config
from mmengine.optim import build_optim_wrapper
from mmengine.registry import MODELS, init_default_scope
from mmengine.runner import Runner

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


def test_the_promised_recipes_exist():
    assert NAMES == sorted(
        ['swin-2stage', 'swin-2stage_drloc']
        + [
            f'{host}_swin-2stage{method}'
            for host in ('mask-rcnn', 'upernet')
            for method in ('', '_dense-drloc')
        ]
    )


def test_classification_twins_differ_in_type_and_head_alone():
    keys = differing('swin-2stage', 'swin-2stage_drloc')
    assert {'.'.join(key.split('.')[:2]) for key in keys} == {
        'model.type',
        'model.auxiliary_head',
    }


@pytest.mark.parametrize('host', ['mask-rcnn', 'upernet'])
def test_dense_twins_differ_in_type_and_head_alone(host):
    keys = differing(f'{host}_swin-2stage', f'{host}_swin-2stage_dense-drloc')
    assert {'.'.join(key.split('.')[:2]) for key in keys} == {
        'model.type',
        'model.drloc_head',
    }


def test_dense_backbones_are_the_pretrained_one():
    pretrained = load('swin-2stage').model.backbone.to_dict()
    for host in ('mask-rcnn', 'upernet'):
        dense = load(f'{host}_swin-2stage').model.backbone.to_dict()
        assert dense == {**pretrained, 'out_indices': (0, 1)}


def batch_of(loader, data, batch_size=2):
    loader.update(batch_size=batch_size)
    loader.dataset.data_root = loader.dataset.data_root.replace(
        'data/digits', str(data)
    )
    return next(iter(Runner.build_dataloader(loader, seed=0)))


@pytest.mark.parametrize(
    'name', ['swin-2stage', 'mask-rcnn_swin-2stage', 'upernet_swin-2stage']
)
def test_digits_are_not_resized(name, data):
    """What resizes images of other data leaves these as they are."""
    init_default_scope(load(name).default_scope)
    for key in ('train_dataloader', 'val_dataloader'):
        loader, whole = load(name)[key], load(name)[key]
        loader.sampler.shuffle = whole.sampler.shuffle = False
        steps = loader.dataset.pipeline
        assert sum(step.type.endswith('Resize') for step in steps) == 1
        loader.dataset.pipeline = [
            step for step in steps if not step.type.endswith('Resize')
        ]
        if key == 'val_dataloader' and name.startswith('mask'):
            loader.dataset.pipeline[-1].meta_keys = ('img_id',)
        one, other = (
            batch_of(part, data, batch_size=1) for part in (loader, whole)
        )
        assert torch.equal(one['inputs'][0], other['inputs'][0])
        one, other = one['data_samples'][0], other['data_samples'][0]
        if name.startswith('upernet'):
            assert torch.equal(one.gt_sem_seg.data, other.gt_sem_seg.data)
        if name.startswith('mask'):
            one, other = one.gt_instances, other.gt_instances
            assert torch.equal(one.bboxes.tensor, other.bboxes.tensor)
            drawn, same = one.masks.to_ndarray(), other.masks.to_ndarray()
            assert len(drawn) and (drawn == same).all()


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

    batch = batch_of(config.train_dataloader, data)

    before = model.backbone.stages[0].blocks[0].attn.w_msa.qkv.weight.clone()
    model.train()
    losses = model.train_step(
        batch, build_optim_wrapper(model, config.optim_wrapper)
    )
    assert torch.isfinite(losses['loss'])
    after = model.backbone.stages[0].blocks[0].attn.w_msa.qkv.weight
    assert not torch.equal(before, after)
