"""The twins for one's own photos; docs/own_images.md is trained elsewhere."""

from pathlib import Path

import pytest
from fake_datasets import write_image, write_set
from mmengine.config import Config
from mmengine.registry import init_default_scope
from mmengine.runner import Runner

FOLDER = Path(__file__).parents[2] / 'configs/photos'


def load(name='swin-mini'):
    return Config.fromfile(FOLDER / f'{name}.py')


def test_twins_differ_in_the_method_alone():
    plain, twin = load().to_dict(), load('swin-mini_drloc').to_dict()
    assert twin['model'].pop('auxiliary_head')['source'] == 'stages.1'
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
    cfg = load()
    assert cfg.model.head.num_classes == 3
    assert cfg.data_preprocessor.num_classes == 3
    for key in ('train_dataloader', 'val_dataloader'):
        assert shapes(cfg[key]) == [(3, 64, 64)] * 2


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
