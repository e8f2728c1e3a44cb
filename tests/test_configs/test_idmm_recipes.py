"""IDMM's recipes beside the facts of its official scripts.

The scripts are those of CupidJay/Training-Vision-Transformers-with-only-
2040-images: ``main_*.py`` and ``utils/data_utils.py`` of the branch ``main``,
``DINO_exp/main_dino.py`` of ``DINO-exp``.
"""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch
from mmengine.fileio import load as read_yaml
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.registry import TRANSFORMS
from PIL import Image, ImageEnhance, ImageOps
from torch import nn

from mmdrloc.datasets.recipes import read_recipe

CONFIGS = Path(__file__).parents[2] / 'configs'


@pytest.fixture(autouse=True, scope='module')
def library_index_read_once():
    """MMEngine reads mmpretrain's 85 metafiles for each inherited file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr('mmengine.config.utils.load', cache(read_yaml))
        yield


@cache
def load(recipe, dataset='pets'):
    return read_recipe(CONFIGS / f'idmm/{recipe}.py', dataset)


# ---- fine-tuning ---------------------------------------------------------


@pytest.mark.parametrize(
    'recipe',
    [
        path.stem
        for path in sorted((CONFIGS / 'idmm/finetune').glob('*.py'))
        # Of a size and a length each has all that matters here.
        if path.stem not in ('deit-base', 'pvtv2-b3')
    ],
)
def test_a_tenth_of_the_paths_is_dropped(recipe):
    cfg = load(f'finetune/{recipe}')
    assert cfg.model.backbone.drop_path_rate == 0.1
    init_default_scope('mmpretrain')
    backbone = dict(cfg.model.backbone, init_cfg=None)
    with torch.device('meta'):
        backbone = MODELS.build(backbone)
    rates = [
        module.drop_prob
        for module in backbone.modules()
        if 'DropPath' in type(module).__name__
    ]
    assert max(rates) == pytest.approx(0.1)


@pytest.mark.parametrize(
    'network, warmup, rate, images',
    [
        ('deit-tiny', 2, 5e-5, 128),
        ('pvtv2-b0', 10, 5e-5, 128),
        ('t2t-vit-7', 10, 1.25e-5, 32),
    ],
)
def test_448_pixels(network, warmup, rate, images):
    cfg = load(f'finetune/{network}_448px')
    first, second = cfg.param_scheduler
    assert (first.end, second.begin) == (warmup, warmup)
    assert cfg.optim_wrapper.optimizer.lr == rate
    assert cfg.train_cfg.max_epochs == 100
    assert cfg.auto_scale_lr.base_batch_size == images
    assert 4 * cfg.train_dataloader.batch_size == images


def test_what_starts_from_weights_alone_says_so():
    """Where a network is published from random weights too, it need not."""
    open_starts = {
        path.stem
        for path in (CONFIGS / 'idmm/finetune').glob('*.py')
        if load(f'finetune/{path.stem}').model.backbone.get('init_cfg')
    }
    assert open_starts == {
        'deit-base_200e',
        'pvtv2-b0_200e',
        'pvtv2-b3_200e',
        't2t-vit-7_200e',
        'deit-tiny_448px',
        'pvtv2-b0_448px',
        't2t-vit-7_448px',
    }


# ---- its augmentation ----------------------------------------------------

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
SIGNED = {'Shear', 'Translate', *'ColorTransform Contrast'.split()}
SIGNED |= {'Sharpness', 'Brightness'}
PLAIN = {
    'AutoContrast': ImageOps.autocontrast,
    'Equalize': ImageOps.equalize,
    'Invert': ImageOps.invert,
}


def policies():
    init_default_scope('mmpretrain')
    cfg = load('finetune/deit-tiny_200e')
    (step,) = (
        s
        for s in cfg.train_dataloader.dataset.pipeline
        if s['type'] == 'mmdrloc.LevelRandAugment'
    )
    # Nothing else: two operations, nine levels, each with probability 0.5.
    assert set(step) == {'type', 'policies'}
    assert not any('prob' in policy for policy in step['policies'])
    names = [
        f'{p["type"].split(".")[1]} {p.get("direction", "")}'.strip()
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
    levels = dict(magnitude_level=level, total_level=9)
    if 'magnitude_range' not in policy:
        levels = {}
    operation = TRANSFORMS.build(dict(policy, prob=1.0, **levels))
    bgr = np.ascontiguousarray(image[..., ::-1])
    return operation(dict(img=bgr))['img'][..., ::-1].astype(int)


def distance(image, other):
    return abs(image - np.asarray(other, int)).mean()


def test_operations_are_the_scripts():
    assert set(policies()) == {*REFERENCES, *PLAIN, 'Cutout'}
    assert len(policies()) == 15


@pytest.mark.parametrize('name', PLAIN)
def test_an_operation_without_magnitude_is_pillows(name):
    image = photo()
    expected = PLAIN[name](Image.fromarray(image))
    assert distance(applied(policies()[name], 5, image), expected) < 0.5


@pytest.mark.parametrize('name', REFERENCES)
def test_a_level_has_the_scripts_magnitude(name):
    """It is nearest to what Pillow does at that level, and near to it."""
    image = photo()
    ends, operation = REFERENCES[name]
    signs = (1, -1) if name.split()[0] in SIGNED else (1,)
    magnitudes = np.linspace(*ends, 10)
    expected = {
        (level, sign): operation(sign * magnitudes[level])(
            Image.fromarray(image)
        )
        for level in range(1, 10)
        for sign in signs
    }
    np.random.seed(0)
    seen = set()
    for level in [*range(1, 10)] * 3:
        found = applied(policies()[name], level, image)
        distances = {
            key: distance(found, other) for key, other in expected.items()
        }
        nearest = min(distances, key=distances.get)
        seen.add(nearest[1])
        same_level = min(distances[level, sign] for sign in signs)
        # Neighbours of Sharpness are nearer than OpenCV 5 rounds.
        near = pytest.approx(distances[nearest], abs=1e-3)
        assert same_level == near and same_level < 1.5, (level, distances)
    assert seen == set(signs)


def test_cutout_is_a_square_in_the_mean_colour():
    np.random.seed(0)
    black = np.zeros((96, 96, 3), np.uint8)
    for level, magnitude in enumerate(np.linspace(0, 20, 10)[1:], 1):
        cut = [applied(policies()['Cutout'], level, black) for _ in range(9)]
        colours = {tuple(c) for image in cut for c in image.reshape(-1, 3)}
        assert colours == {(0, 0, 0), (125, 122, 113)}
        # What sticks out is cut off.
        pixels = max((image[..., 0] > 0).sum() for image in cut)
        assert pixels == round(magnitude) ** 2


# ---- DINO ----------------------------------------------------------------


def test_dino_sees_the_authors_crops():
    views = load('pretrain/dino_deit-tiny').train_dataloader.dataset
    views = views.pipeline[1]
    assert views['num_views'] == [1, 1, 2]
    scales, blurs = [], []
    for steps in views['transforms']:
        crop, flip, jitter, grey, blur, *rest = steps
        assert (crop['scale'], crop['interpolation']) == (112, 'bicubic')
        scales.append(tuple(crop['crop_ratio_range']))
        assert (flip['prob'], jitter['prob'], grey['prob']) == (0.5, 0.8, 0.2)
        (colours,) = jitter['transforms']
        assert colours == dict(
            type='mmpretrain.ColorJitter',
            brightness=0.4,
            contrast=0.4,
            saturation=0.2,
            hue=0.1,
        )
        assert tuple(blur['magnitude_range']) == (0.1, 2.0)
        blurs.append(blur['prob'])
        solarize = dict(type='mmpretrain.Solarize', thr=128, prob=0.2)
        assert rest == ([solarize] if len(blurs) == 2 else [])
    assert scales == [(0.4, 1.0), (0.4, 1.0), (0.05, 0.4)]
    assert blurs == [1.0, 0.1, 0.5]


@pytest.mark.parametrize('recipe', ['dino_deit-tiny', 'dino_pvtv2-b3'])
def test_dino_trains_as_its_authors_do(recipe):
    cfg = load(f'pretrain/{recipe}')
    assert cfg.train_cfg.max_epochs == 800
    assert cfg.auto_scale_lr.base_batch_size == 256
    assert cfg.train_dataloader.batch_size == 64
    assert cfg.train_dataloader.drop_last
    assert cfg.optim_wrapper == dict(
        optimizer=dict(type='AdamW', lr=5e-4, weight_decay=0.04),
        paramwise_cfg=dict(flat_decay_mult=0.0),
    )
    assert cfg.custom_hooks == [
        dict(type='mmdrloc.DINOGradientsHook', max_norm=3.0, frozen_epochs=1)
    ]


@pytest.mark.parametrize('recipe', ['dino_deit-tiny', 'dino_pvtv2-b0'])
def test_dinos_teacher_gives_a_crop_one_target(recipe):
    init_default_scope('mmpretrain')
    model = load(f'pretrain/{recipe}').model.to_dict()
    model['neck'].update(num_prototypes=16, hid_channels=8)
    torch.manual_seed(0)
    model = MODELS.build(model).train()
    model.init_weights()
    model.teacher.update_parameters(nn.Sequential(model.backbone, model.neck))
    crops = torch.randn(16, 3, 112, 112)
    with torch.no_grad():
        first, second = (model.teacher(crops) for _ in range(2))
        assert first.equal(second)
        first, second = (model.backbone(crops)[-1] for _ in range(2))
    assert not first.equal(second)
