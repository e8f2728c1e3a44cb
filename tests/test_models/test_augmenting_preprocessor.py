"""The batch that a model gets, augmented by the loader or by itself."""

import numpy as np
import pytest
import torch
from mmengine.dataset import default_collate
from mmengine.registry import MODELS, TRANSFORMS, init_default_scope

from mmdrloc.errors import UsageError

STEPS = [
    dict(type='RandomCrop', crop_size=(24, 32), padding=4),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='RandomErasing', fill_color=[1.0, 2.0, 3.0]),
]
NORMAL = dict(mean=[9.0, 8.0, 7.0], std=[3.0, 2.0, 1.0], to_rgb=True)
PACK = dict(type='mmpretrain.PackInputs')


@pytest.fixture(autouse=True)
def scope():
    init_default_scope('mmpretrain')


def batch(*steps):
    """Of twelve images, each drawn for from a seed of its own."""
    pixels = np.random.default_rng(0)
    pipeline = [TRANSFORMS.build(dict(step)) for step in steps]
    packed = []
    for seed in range(12):
        results = dict(
            img=pixels.integers(0, 256, (28, 30, 3), np.uint8), gt_label=seed
        )
        np.random.seed(seed)
        for step in pipeline:
            results = step(results)
        packed.append(results)
    return default_collate(packed)


def preprocessor(**options):
    options.setdefault('type', 'mmdrloc.AugmentingPreprocessor')
    return MODELS.build(dict(NORMAL, **options))


def test_the_batch_is_the_loaders():
    stock = preprocessor(type='ClsDataPreprocessor')
    expected = stock(batch(*STEPS, PACK), training=True)
    data = batch(PACK, dict(type='mmdrloc.DrawSteps', steps=STEPS))
    raw = data['inputs'].clone()
    ours = preprocessor(steps=STEPS)
    found = ours(data, training=True)
    assert torch.equal(found['inputs'], expected['inputs'])
    assert found['inputs'].shape == (12, 3, 24, 32)
    labels = [sample.gt_label.item() for sample in found['data_samples']]
    assert labels == list(range(12))
    # Nothing is changed in place, and nothing outside of training.
    assert torch.equal(data['inputs'], raw)
    assert torch.equal(ours(data)['inputs'], stock(data)['inputs'])


@pytest.mark.parametrize('collate', [True, False])
def test_a_batch_that_nothing_was_drawn_for(collate):
    data = batch(PACK)
    if not collate:
        data.update(inputs=list(data['inputs']), drawn=[])
    with pytest.raises(UsageError, match='--augment-on-device'):
        preprocessor(steps=STEPS)(data, training=True)


def test_a_step_without_a_twin():
    with pytest.raises(UsageError, match='ColorJitter has no twin'):
        preprocessor(steps=[dict(type='ColorJitter')])


def test_what_a_pipeline_says_of_itself():
    draw = TRANSFORMS.build(dict(type='mmdrloc.DrawSteps', steps=STEPS))
    assert repr(draw) == 'DrawSteps(RandomCrop, RandomFlip, RandomErasing)'
