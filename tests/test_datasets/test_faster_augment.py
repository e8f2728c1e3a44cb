"""The faster augmentations against the ones they stand for."""

import cv2
import numpy as np
import pytest
from mmengine.registry import init_default_scope
from mmpretrain.registry import TRANSFORMS
from scipy.stats import ks_2samp

from mmdrloc.datasets import faster_augment
from mmdrloc.utils.errors import UsageError

CROP = dict(scale=64, backend='pillow', interpolation='bicubic')
AUGMENT = dict(
    policies='timm_increasing',
    num_policies=2,
    total_level=10,
    magnitude_level=9,
    magnitude_std=0.5,
    hparams=dict(pad_val=[104, 116, 124], interpolation='bicubic'),
)
ERASE = dict(
    erase_prob=1.0,
    mode='rand',
    fill_color=[104.0, 116.0, 124.0],
    fill_std=[57.0, 57.0, 58.0],
)


@pytest.fixture(autouse=True)
def scope():
    init_default_scope('mmpretrain')


def photo(seed, size=(96, 80)):
    """Smooth noise that leaves out some values."""
    noise = np.random.default_rng(seed).integers(0, 256, (*size, 3))
    return cv2.GaussianBlur(noise.astype(np.uint8), (9, 9), 0)


def both(kind, options, image, seed):
    """What parent and twin make of an image with the same random numbers."""
    images = []
    for name in (kind, f'mmdrloc.{kind}'):
        transform = TRANSFORMS.build(dict(options, type=name))
        np.random.seed(seed)
        images.append(transform(dict(img=image.copy()))['img'])
    assert images[1].dtype == np.uint8 and images[1].flags.c_contiguous
    return images


@pytest.mark.parametrize('kind', faster_augment.FASTER_POLICIES)
@pytest.mark.parametrize(
    'image',
    [
        photo(0),
        np.full((8, 8, 3), 7, np.uint8),
        np.zeros((8, 8, 3), np.uint8),
        np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8),
        np.arange(48, dtype=np.uint8).reshape(4, 4, 3) * 5,
    ],
)
def test_policies_are_equal_bit_by_bit(kind, image):
    options = dict(prob=1.0)
    if kind == 'Contrast':
        options.update(magnitude_range=(0, 0.9), magnitude_std=3.0)
    for seed in range(20):
        stock, faster = both(kind, options, image, seed)
        np.testing.assert_array_equal(faster, stock)


def test_rand_augment_is_equal_bit_by_bit():
    changed = 0
    for seed in range(200):
        image = photo(seed)
        stock, faster = both('RandAugment', AUGMENT, image, seed)
        np.testing.assert_array_equal(faster, stock)
        changed += not np.array_equal(stock, image)
    assert changed > 100


def test_crops_differ_by_rounding():
    differences = []
    for seed in range(60):
        size = (32, 32) if seed % 2 else (200, 150)  # up and down
        stock, faster = both(
            'RandomResizedCrop', CROP, photo(seed, size), seed
        )
        assert faster.shape == (64, 64, 3)
        differences.append(faster.astype(int) - stock)
    differences = np.stack(differences)
    assert np.abs(differences).max() <= 2
    assert abs(differences.mean()) < 0.02


@pytest.mark.parametrize(
    'options', [dict(backend='cv2'), dict(interpolation='lanczos')]
)
def test_crop_that_it_cannot_stand_for(options):
    with pytest.raises(UsageError, match="write type='RandomResizedCrop'"):
        TRANSFORMS.build(
            dict(CROP, type='mmdrloc.RandomResizedCrop') | options
        )


def test_erased_places_are_equal_and_noise_is_drawn_alike():
    grey = np.full((64, 64, 3), 254, np.uint8)
    noise = [[], []]
    for seed in range(60):
        images = both('RandomErasing', ERASE, grey, seed)
        places = [(image != grey).any(-1) for image in images]
        boxes = [cv2.boundingRect(place.astype(np.uint8)) for place in places]
        assert boxes[0] == boxes[1]
        left, top, width, height = boxes[0]
        for values, image in zip(noise, images):
            values.append(image[top : top + height, left : left + width])
    for channel in range(3):
        stock, faster = (
            np.concatenate([box[..., channel].ravel() for box in values])
            for values in noise
        )
        assert ks_2samp(stock, faster).pvalue > 1e-3
        # At both ends stand the values that were cut off.
        for end in (0, 255):
            share = [(values == end).mean() for values in (stock, faster)]
            assert abs(share[0] - share[1]) < 0.005


def test_erasing_follows_the_global_seed():
    transform = TRANSFORMS.build(dict(ERASE, type='mmdrloc.RandomErasing'))
    images = []
    for seed in (3, 3, 4):
        np.random.seed(seed)
        images.append(transform(dict(img=photo(0)))['img'])
    np.testing.assert_array_equal(images[0], images[1])
    assert (images[0] != images[2]).any()
