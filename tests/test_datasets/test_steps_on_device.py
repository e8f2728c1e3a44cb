"""The device's twins of transforms against what they stand for."""

import cv2
import numpy as np
import pytest
import torch
from mmengine.dataset import default_collate
from mmengine.registry import init_default_scope
from mmpretrain.datasets.transforms.auto_augment import RANDAUG_POLICIES
from mmpretrain.registry import TRANSFORMS

from mmdrloc.datasets.on_device import build_steps
from mmdrloc.utils.errors import UsageError

# OpenCV 5 interpolates where a pixel comes from, not at the next 1/32.
EXACT = int(cv2.__version__.split('.')[0]) < 5
SIZES = [(32, 32), (24, 40)]
NUMBER = 40
FILL = [104, 116, 124]


@pytest.fixture(autouse=True)
def scope():
    init_default_scope('mmpretrain')


def noise(size):
    """The worst case: each pixel by itself."""
    generator = np.random.default_rng(0)
    return generator.integers(0, 256, (NUMBER, *size, 3), np.uint8)


def smooth(size):
    """As photos are: neighbours are alike, and some values never come."""
    return np.stack(
        [cv2.GaussianBlur(image, (9, 9), 0) for image in noise(size)]
    )


IMAGES = [
    pytest.param(make(size), id=f'{make.__name__}-{size[0]}x{size[1]}')
    for make in (noise, smooth)
    for size in SIZES
]


def both(config, images):
    """A batch by the transform and by its twin, as (N, H, W, 3) integers."""
    transform = TRANSFORMS.build(dict(config))
    (twin,) = build_steps([config])
    expected, drawn, sizes = [], [], set()
    for seed, image in enumerate(images):
        np.random.seed(seed)
        expected.append(transform(dict(img=image.copy()))['img'])
        after = np.random.rand()
        np.random.seed(seed)
        one, size = twin.draw(*image.shape[:2])
        if getattr(transform, 'mode', 'const') == 'const':
            assert np.random.rand() == after  # as many numbers are drawn
        drawn.append(one)
        sizes.add(tuple(size))
    batch = torch.from_numpy(images).permute(0, 3, 1, 2)
    before = batch.clone()
    found = twin.apply(batch, default_collate(drawn))
    assert torch.equal(batch, before)
    assert found.dtype == torch.uint8
    assert sizes == {tuple(found.shape[2:])}
    return np.stack(expected).astype(int), found.permute(
        0, 2, 3, 1
    ).numpy().astype(int)


def changed(images, expected):
    return images.shape != expected.shape or (images != expected).any()


# ---- crops, flips, erasing


@pytest.mark.parametrize('images', IMAGES)
@pytest.mark.parametrize(
    'options',
    [
        dict(crop_size=24, padding=4),
        dict(crop_size=(20, 30), padding=(3, 5), pad_val=7),
        dict(crop_size=(24, 22), padding=(1, 2, 3, 4), pad_val=(9, 8, 7)),
        dict(crop_size=16),
    ],
)
def test_random_crop(options, images):
    expected, found = both(dict(options, type='RandomCrop'), images)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize('images', IMAGES)
@pytest.mark.parametrize('mode', ['bilinear', 'bicubic'])
@pytest.mark.parametrize('size', [36, (20, 28)])
@pytest.mark.parametrize(
    'kind, backend, most',
    [
        ('mmpretrain', 'pillow', 2),
        ('mmpretrain', 'cv2', 1),
        ('mmdrloc', 'pillow', 2),
    ],
)
def test_random_resized_crop(images, mode, size, kind, backend, most):
    options = dict(scale=size, interpolation=mode, backend=backend)
    config = dict(options, type=f'{kind}.RandomResizedCrop')
    expected, found = both(config, images)
    difference = found - expected
    # Pillow 13 takes rows and columns in another order.
    beyond = np.abs(difference) > most
    assert beyond.mean() < (0.01 if kind == 'mmpretrain' else 1e-9)
    # OpenCV cuts what it interpolates linearly.
    cuts = backend == 'cv2' and mode == 'bilinear'
    assert abs(difference.mean()) < (0.2 if cuts else 0.05)


@pytest.mark.parametrize(
    'options',
    [
        dict(prob=0.5, direction='horizontal'),
        dict(prob=1.0, direction='vertical'),
        dict(prob=0.9, direction=['horizontal', 'vertical', 'diagonal']),
        dict(prob=0.0),
    ],
)
def test_random_flip(options):
    images = noise((24, 40))
    expected, found = both(dict(options, type='mmcv.RandomFlip'), images)
    np.testing.assert_array_equal(found, expected)
    assert changed(images, expected) == (options['prob'] > 0)


@pytest.mark.parametrize('kind', ['mmpretrain', 'mmdrloc'])
def test_erasing_with_one_colour(kind):
    images = smooth((24, 40))
    config = dict(type=f'{kind}.RandomErasing', fill_color=[9.9, 0.0, 255.0])
    expected, found = both(config, images)
    np.testing.assert_array_equal(found, expected)
    assert changed(images, expected)


@pytest.mark.parametrize('deviation', [None, [57.0, 30.0, 0.0]])
def test_erasing_with_noise(deviation):
    images = np.full((NUMBER, 24, 40, 3), 254, np.uint8)
    config = dict(
        type='RandomErasing',
        erase_prob=0.8,
        mode='rand',
        fill_color=[104.0, 116.0, 124.0],
        fill_std=deviation,
    )
    torch.manual_seed(0)
    expected, found = both(config, images)
    places = [(batch != 254).any(-1) for batch in (expected, found)]
    # Noise may be 254 in all channels, one time in thousands.
    assert (places[0] != places[1]).mean() < 1e-3
    erased = places[0] & places[1]
    for channel in range(3):
        stock, twin = expected[erased, channel], found[erased, channel]
        assert abs(stock.mean() - twin.mean()) < 1
        assert abs(stock.std() - twin.std()) < 1
        for end in (0, 255):  # values that were cut off
            assert abs((stock == end).mean() - (twin == end).mean()) < 0.01


# ---- RandAugment


def augment(policy, **options):
    """RandAugment with one operation, applied to nearly all images."""
    hparams = dict(pad_val=FILL, interpolation='bicubic')
    policy = dict(policy, prob=0.95)
    return dict(
        dict(
            type='RandAugment',
            policies=[policy],
            num_policies=1,
            total_level=10,
            magnitude_level=7,
            magnitude_std=3.0,
            hparams=hparams,
        ),
        **options,
    )


POLICIES = [
    pytest.param(p, id=p['type'] + p.get('direction', '')[:1])
    for p in RANDAUG_POLICIES['timm_increasing']
]
# By how many grey levels they may differ, and how many values at most.
ROUNDED = {
    'Contrast': (1, 0.01),
    'ColorTransform': (1, 0.01),
    'Sharpness': (1, 0.03),
    'Shear': (1, 0.01),
    'Translate': (1, 0.01),
    'Rotate': (1, 0.01),
}


@pytest.mark.parametrize('images', IMAGES)
@pytest.mark.parametrize('policy', POLICIES)
def test_each_operation(policy, images):
    expected, found = both(augment(policy), images)
    most, share = ROUNDED.get(policy['type'], (0, 0))
    difference = np.abs(found - expected)
    assert changed(images, found)
    if EXACT or most == 0:
        assert difference.max() <= most
        assert (difference > 0).mean() <= share
    else:
        assert difference.mean() < 1 and difference.max() < 9


@pytest.mark.skipif(not EXACT, reason='OpenCV 5 moves otherwise')
@pytest.mark.parametrize('mode, share', [('nearest', 0), ('bilinear', 0.01)])
@pytest.mark.parametrize('kind', ['Shear', 'Translate', 'Rotate'])
def test_pixels_moved_in_other_ways(kind, mode, share):
    ends = dict(Shear=0.3, Translate=0.45, Rotate=30)
    policy = dict(type=kind, magnitude_range=(0, ends[kind]), pad_val=5)
    config = augment(policy, hparams=dict(interpolation=mode))
    expected, found = both(config, noise((24, 40)))
    assert np.abs(found - expected).max() <= (share > 0)
    assert (found != expected).mean() <= share


@pytest.mark.parametrize('kind', ['AutoContrast', 'Equalize', 'Contrast'])
@pytest.mark.parametrize(
    'image',
    [
        np.full((8, 8, 3), 7),
        np.zeros((8, 8, 3)),
        np.arange(48).reshape(4, 4, 3) * 5,
        np.eye(30)[..., None] * [255, 1, 20],
    ],
    ids=['one value', 'black', 'few pixels', 'two values'],
)
def test_images_with_few_values(kind, image):
    policy = dict(type=kind)
    if kind == 'Contrast':
        policy.update(magnitude_range=(0, 0.9))
    images = np.repeat(image[None].astype(np.uint8), NUMBER, 0)
    expected, found = both(augment(policy), images)
    assert np.abs(found - expected).max() <= ROUNDED.get(kind, (0, 0))[0]


@pytest.mark.parametrize('kind', ['RandAugment', 'mmdrloc.RandAugment'])
@pytest.mark.parametrize('make', [noise, smooth])
def test_several_operations_one_after_the_other(kind, make):
    images = make((32, 32))
    config = augment(
        {},
        type=kind,
        policies='timm_increasing',
        num_policies=2,
        magnitude_std=0.5,
    )
    expected, found = both(config, images)
    difference = np.abs(found - expected)
    # What differs by a level may be stretched by the next operation.
    assert (difference > 1).mean() < (0.01 if EXACT else 0.05)
    assert difference.mean() < 0.1


def test_what_is_drawn_follows_the_global_seed():
    (twin,) = build_steps([augment(dict(type='Rotate', angle=9.0))])
    numbers = []
    for seed in (3, 3, 4, 5, 6):
        np.random.seed(seed)
        numbers.append(str(twin.draw(32, 32)))
    assert numbers[0] == numbers[1] and len(set(numbers)) > 1


# ---- what has no twin


@pytest.mark.parametrize(
    'config, words',
    [
        (dict(type='ColorJitter'), 'the step ColorJitter has no twin'),
        (
            dict(type='EfficientNetRandomCrop', scale=32),
            'EfficientNetRandomCrop has no twin',
        ),
        (
            dict(type='RandomCrop', crop_size=32, pad_if_needed=True),
            'RandomCrop with pad_if_needed=True',
        ),
        (
            dict(type='RandomResizedCrop', scale=9, interpolation='lanczos'),
            "interpolation='lanczos'",
        ),
        (
            augment(dict(type='Cutout', shape=3)),
            'Cutout of RandAugment has no twin',
        ),
        (
            augment(dict(type='Rotate', angle=3.0, interpolation='lanczos')),
            "Rotate with interpolation='lanczos'",
        ),
    ],
)
def test_what_has_no_twin(config, words):
    with pytest.raises(UsageError, match=f'{words}.*--augment-on-device'):
        build_steps([config])


def test_an_image_too_small_for_its_crop():
    (twin,) = build_steps([dict(type='RandomCrop', crop_size=32)])
    with pytest.raises(UsageError, match='20 x 40 pixels is too small'):
        twin.draw(40, 20)
