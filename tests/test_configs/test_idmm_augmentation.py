"""IDMM's RandAugment does what its official scripts do with Pillow.

The scripts are ``main_*.py`` and ``utils/data_utils.py`` of
CupidJay/Training-Vision-Transformers-with-only-2040-images.
"""

import cv2
import numpy as np
import pytest
from mmengine.registry import init_default_scope
from mmpretrain.registry import TRANSFORMS
from PIL import Image, ImageEnhance, ImageOps
from recipe_configs import resolve

FILL = (128, 128, 128)
AFFINE = Image.Transform.AFFINE


def affine(kind, *data):
    """Pillow's affine transform as an operation."""
    return lambda image: image.transform(
        image.size, AFFINE, data, kind, fillcolor=FILL
    )


def enhancing(kind):
    """A range of factors about 1."""
    return (0, 0.9), lambda m: lambda image: kind(image).enhance(1 + m)


# By type and direction: the scripts' range, and Pillow's operation for one
# of its ten values.
BICUBIC, NEAREST = Image.Resampling.BICUBIC, Image.Resampling.NEAREST
REFERENCES = {
    'Shear horizontal': (
        (0, 0.3),
        lambda m: affine(BICUBIC, 1, m, 0, 0, 1, 0),
    ),
    'Shear vertical': ((0, 0.3), lambda m: affine(BICUBIC, 1, 0, 0, m, 1, 0)),
    'Translate horizontal': (
        (0, 150 / 331),
        lambda m: affine(NEAREST, 1, 0, m * 96, 0, 1, 0),
    ),
    'Translate vertical': (
        (0, 150 / 331),
        lambda m: affine(NEAREST, 1, 0, 0, 0, 1, m * 96),
    ),
    'Rotate': ((0, 30), lambda m: lambda i: i.rotate(m, fillcolor=FILL)),
    'ColorTransform': enhancing(ImageEnhance.Color),
    'Contrast': enhancing(ImageEnhance.Contrast),
    'Sharpness': enhancing(ImageEnhance.Sharpness),
    'Brightness': enhancing(ImageEnhance.Brightness),
    'Solarize': ((256, 0), lambda m: lambda i: ImageOps.solarize(i, m)),
    'Posterize': (
        (8, 4),
        lambda m: lambda i: ImageOps.posterize(i, int(round(m))),
    ),
}
SIGNED = ('Shear', 'Translate', 'ColorTransform', 'Contrast', 'Sharpness')
SIGNED += ('Brightness',)


def policies():
    init_default_scope('mmpretrain')
    cfg = resolve('idmm/finetune/deit-tiny_800e')
    (step,) = (
        s
        for s in cfg.train_dataloader.dataset.pipeline
        if s['type'] == 'mmdrloc.LevelRandAugment'
    )
    # Nothing else: two operations, nine levels, each with probability 0.5.
    assert set(step) == {'type', 'policies'}
    assert not any('prob' in policy for policy in step['policies'])
    names = [
        f'{p["type"].split(".")[-1]} {p.get("direction", "")}'.strip()
        for p in step['policies']
    ]
    return dict(zip(names, step['policies'], strict=True))


def photo():
    """Smooth noise with a wide range of values, RGB."""
    noise = np.random.default_rng(0).integers(0, 256, (96, 96, 3))
    noise = cv2.GaussianBlur(noise.astype(np.float32), (15, 15), 0)
    noise -= noise.min((0, 1))
    return (noise * 250 / noise.max((0, 1)) + 2).astype(np.uint8)


def applied(policy, level, image):
    """What a policy makes of an RGB image at a level."""
    level = dict(magnitude_level=level, total_level=9)
    operation = TRANSFORMS.build(dict(policy, prob=1.0, **level))
    bgr = np.ascontiguousarray(image[..., ::-1])
    return operation(dict(img=bgr))['img'][..., ::-1].astype(int)


def distance(image, other):
    return abs(image - np.asarray(other, int)).mean()


def test_operations_are_the_scripts():
    plain = {'AutoContrast', 'Equalize', 'Invert', 'Cutout'}
    assert set(policies()) == {*REFERENCES, *plain}


@pytest.mark.parametrize('name', REFERENCES)
def test_a_level_has_the_scripts_magnitude(name):
    """What Pillow does at that level, in one direction or the other."""
    image = photo()
    ends, operation = REFERENCES[name]
    np.random.seed(0)
    for level in range(1, 10):
        found = applied(policies()[name], level, image)
        magnitude = np.linspace(*ends, 10)[level]
        signs = (1, -1) if name.split()[0] in SIGNED else (1,)
        expected = [
            operation(sign * magnitude)(Image.fromarray(image))
            for sign in signs
        ]
        assert min(distance(found, other) for other in expected) < 1.5, level
