"""The batch that a model gets, augmented by the loader or by itself."""

from itertools import islice

import cv2
import numpy as np
import pytest
import torch
from mmengine.dataset import default_collate
from mmengine.registry import MODELS, TRANSFORMS, init_default_scope
from photo_packs import open_pack
from recipe_configs import resolve

from mmdrloc.utils.errors import UsageError

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


NOISE = np.random.default_rng(0).integers(0, 256, (12, 28, 30, 3), np.uint8)


def batch(*steps, images=NOISE):
    """Of images, each drawn for from a seed of its own."""
    pipeline = [TRANSFORMS.build(dict(step)) for step in steps]
    packed = []
    for seed, image in enumerate(images):
        results = dict(img=image.copy(), gt_label=seed)
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


def test_photos_through_the_pipeline_of_a_recipe():
    """Two operations and more, one after the other, on real photos."""
    with open_pack('cifar10') as pack:
        files = (member for member in pack if member.name.endswith('.jpg'))
        bytes_of = [pack.extractfile(f).read() for f in islice(files, 200)]
    photos = [cv2.imdecode(np.frombuffer(b, np.uint8), 1) for b in bytes_of]
    cfg = resolve('mae/vit-light', 'cifar10')
    _, *steps, pack = cfg.train_dataloader.dataset.pipeline
    # Noise is drawn elsewhere.
    steps = [*steps[:-1], dict(steps[-1], mode='const')]
    draw = dict(type='mmdrloc.DrawSteps', steps=steps)
    data = batch(*steps, pack, images=photos)
    expected = data['inputs'].numpy().astype(int)
    ours = MODELS.build(
        dict(type='mmdrloc.AugmentingPreprocessor', steps=steps)
    )
    found = ours(batch(pack, draw, images=photos), training=True)['inputs']
    difference = np.abs(found.numpy() - expected)
    assert found.shape == (200, 3, 36, 36)
    assert difference.mean() < 0.01
    assert (difference > 1).mean() < 1e-3


def test_half_precision_is_for_the_model_alone():
    """A training step preprocesses where it autocasts."""
    steps = [
        dict(type='RandomResizedCrop', scale=24, interpolation='bicubic'),
        dict(
            type='RandAugment',
            policies='timm_increasing',
            num_policies=2,
            magnitude_level=9,
            hparams=dict(pad_val=[1, 2, 3], interpolation='bicubic'),
        ),
    ]
    data = batch(PACK, dict(type='mmdrloc.DrawSteps', steps=steps))
    ours = preprocessor(steps=steps)
    expected = ours(data, training=True)['inputs']
    with torch.autocast('cpu', torch.bfloat16):
        assert torch.equal(ours(data, training=True)['inputs'], expected)


@pytest.mark.parametrize('what', ['not drawn for', 'a list', 'grey'])
def test_a_batch_that_cannot_be_augmented(what):
    data = batch(PACK)
    if what == 'a list':
        data.update(inputs=list(data['inputs']), drawn=[])
    elif what == 'grey':
        data.update(inputs=data['inputs'][:, :1], drawn=[])
    with pytest.raises(UsageError, match='--augment-on-device'):
        preprocessor(steps=STEPS)(data, training=True)


def test_a_step_without_a_twin():
    with pytest.raises(UsageError, match='ColorJitter has no twin'):
        preprocessor(steps=[dict(type='ColorJitter')])


def test_what_a_pipeline_says_of_itself():
    draw = TRANSFORMS.build(dict(type='mmdrloc.DrawSteps', steps=STEPS))
    assert repr(draw) == 'DrawSteps(RandomCrop, RandomFlip, RandomErasing)'
