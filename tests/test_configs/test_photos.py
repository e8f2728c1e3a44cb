"""The twins for one's own photos; docs/for_photos.md is trained elsewhere."""

import itertools
from pathlib import Path

import pytest
import torch
from fake_datasets import write_image, write_set
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmengine.runner import Runner

FOLDER = Path(__file__).parents[2] / 'configs/photos'


def load(name='swin-mini'):
    return Config.fromfile(FOLDER / f'{name}.py')


@pytest.mark.parametrize(
    'name, source',
    [
        ('swin-mini', 'stages.1'),
        ('cvt-mini_32px', 'stages.1'),
        ('cvt-mini_64px', 'stages.2'),
        ('cvt-mini_128px', 'stages.2'),
        ('cvt-mini_224px', 'stages.2'),
    ],
)
def test_twins_differ_in_the_method_alone(name, source):
    plain, twin = load(name).to_dict(), load(f'{name}_drloc').to_dict()
    assert twin['model'].pop('auxiliary_head')['source'] == source
    assert twin['model'].pop('type') == 'mmdrloc.DRLocClassifier'
    assert plain['model'].pop('type') == 'ImageClassifier'
    assert twin == plain


def shapes(loader):
    init_default_scope('mmpretrain')
    loader.batch_size = 2
    batch = next(iter(Runner.build_dataloader(loader, seed=0)))
    return [tuple(image.shape) for image in batch['inputs']]


def test_photos_of_any_shape_in_as_many_classes_as_folders(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert load().model.head.num_classes == 2  # no photos as yet
    for name, size in (('a', (90, 300)), ('b', (300, 50)), ('c', (9, 9))):
        for split in ('train', 'val'):
            write_image(tmp_path / f'data/photos/{split}/{name}/1.jpg', size)
    for name, size in (
        ('swin-mini', 64),
        ('cvt-mini_64px', 64),
        ('cvt-mini_128px', 128),
        ('cvt-mini_224px', 224),
    ):
        cfg = load(name)
        assert cfg.model.head.num_classes == 3
        assert cfg.data_preprocessor.num_classes == 3
        for key in ('train_dataloader', 'val_dataloader'):
            assert shapes(cfg[key]) == [(3, size, size)] * 2


@pytest.mark.parametrize(
    'name, steps',
    [('cifar10', ['Resize']), ('flowers102', ['ResizeEdge', 'CenterCrop'])],
)
def test_other_data_by_their_name(name, steps, tmp_path, monkeypatch):
    """Small test images are taken whole."""
    write_set(name, tmp_path / 'set', monkeypatch)
    monkeypatch.setenv('DATASET', name)
    cfg = load()
    assert cfg.model.head.num_classes == cfg.num_classes != 2
    kinds = [step.type.split('.')[-1] for step in cfg.test_pipeline]
    assert kinds == ['LoadImage', *steps, 'PackInputs']
    for key in ('train_dataloader', 'val_dataloader'):
        cfg[key].dataset.data_root = str(tmp_path / 'set')
        assert shapes(cfg[key]) == [(3, 64, 64)] * 2


SIZES = {
    'cvt-mini_32px': 32,
    'cvt-mini_32px_drloc': 32,
    'resnet-mini_32px': 32,
    'cvt-mini_64px': 64,
    'cvt-mini_64px_drloc': 64,
    'resnet-mini_64px': 64,
    'cvt-mini_128px_drloc': 128,
    'cvt-mini_224px_drloc': 224,
}


@pytest.mark.parametrize('name', SIZES)
def test_photos_are_learnt(name, tmp_path, monkeypatch):
    """A step of each recipe, on photos of another shape and classes."""
    for split, kind in itertools.product(('train', 'val'), 'ab'):
        for number in range(2):
            path = tmp_path / f'data/photos/{split}/{kind}/{number}.jpg'
            write_image(path, (40, 60))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('DATASET', 'photos')
    cfg = load(name)
    assert cfg.model.head.num_classes == 2
    assert shapes(cfg.val_dataloader) == [(3, SIZES[name], SIZES[name])] * 2
    cfg.train_dataloader.batch_size = 2
    # Two updates: too few for the schedule.
    cfg.train_cfg.update(max_epochs=1, val_interval=1)
    cfg.param_scheduler = []
    cfg.default_hooks.checkpoint = None
    cfg.test_dataloader = cfg.test_evaluator = cfg.test_cfg = None
    cfg.work_dir, cfg.experiment_name = str(tmp_path / 'work'), tmp_path.name
    runner = Runner.from_cfg(cfg)
    runner.train()
    assert runner.iter == 2


@pytest.mark.parametrize(
    'size, cells', [(32, 4), (64, 4), (128, 8), (224, 14)]
)
def test_a_grid_is_where_the_question_is_asked(size, cells):
    """The last stage of CvT-mini."""
    init_default_scope('mmpretrain')
    cfg = load(f'cvt-mini_{size}px_drloc')
    model = MODELS.build(cfg.model)
    (grid,) = model.backbone(torch.zeros(1, 3, size, size))
    head = cfg.model.auxiliary_head
    assert grid.shape == (1, head.in_channels, cells, cells)
    assert head.source == f'stages.{len(model.backbone.stages) - 1}'
