"""Detectors and segmentors of a few real photos read them and train."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch
from coco_to_label_maps import write_label_maps
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmengine.runner import Runner
from photo_packs import unpack

CONFIGS = Path(__file__).parents[2] / 'configs'
# Recipes, and the packs of their data.
PACKS = {
    'coco_mini/mask-rcnn_swin-mini': 'coco_mini',
    'coco_mini/upernet_swin-mini': 'coco_mini',
    'camvid/upernet_swin-mini': 'camvid240',
    'camvid/upernet_cvt-mini': 'camvid240',
    'nuclei/mask-rcnn_swin-mini': 'nuclei',
    'nuclei/mask-rcnn_cvt-mini': 'nuclei',
}
CLASSIFIERS = {
    'swin': 'coco_mini/swin-mini_drloc',
    'cvt': 'photos/cvt-mini_32px_drloc',
}
every_recipe = pytest.mark.parametrize('name', PACKS)


def load(name):
    cfg = Config.fromfile(CONFIGS / f'{name}.py')
    init_default_scope(cfg.default_scope)
    return cfg


@pytest.fixture(scope='module')
def data_root(tmp_path_factory):
    """Unpack what a recipe reads, once each; give its folder."""
    parent = tmp_path_factory.mktemp('packs')

    def find(name):
        root = parent / PACKS[name]
        if not root.exists():
            unpack(PACKS[name], parent)
        if name != 'coco_mini/upernet_swin-mini':
            return root
        for split in ('train', 'val'):
            write_label_maps(
                root / f'annotations/instances_{split}.json',
                root / split,
                root / 'people' / split,
                ['person'],
            )
        return root / 'people'

    return find


def first_batch(loader, root, batch_size):
    loader.batch_size = batch_size
    loader.dataset.data_root = str(root)
    loader = Runner.build_dataloader(loader, seed=0)
    return next(iter(loader)), loader.dataset


@every_recipe
def test_a_step_and_a_prediction(name, data_root):
    cfg, root = load(name), data_root(name)
    torch.manual_seed(0)
    model = MODELS.build(cfg.model)
    model.init_weights()
    batch, _ = first_batch(cfg.train_dataloader, root, 2)
    data = model.data_preprocessor(batch, training=True)
    total, _ = model.parse_losses(model(**data, mode='loss'))
    assert total.isfinite()
    total.backward()
    batch, dataset = first_batch(cfg.val_dataloader, root, 1)
    assert len(dataset) == cfg.num_val
    model.eval()
    with torch.no_grad():
        (sample,) = model.val_step(batch)
    assert sample.ori_shape[0] > 100


@every_recipe
def test_the_backbone_is_that_of_the_classifier(name):
    """So that what it learnt can be carried."""
    network = name.split('_')[-1].split('-')[0]
    backbones = [
        load(other).model.backbone.to_dict()
        for other in (name, CLASSIFIERS[network])
    ]
    for backbone in backbones:
        backbone.pop('out_indices', None)
    assert backbones[0] == backbones[1]


def test_every_nucleus_is_one(data_root):
    """The counts that the README states, of the one category."""
    cfg, root = (
        load('nuclei/mask-rcnn_swin-mini'),
        data_root('nuclei/mask-rcnn_swin-mini'),
    )
    _, dataset = first_batch(cfg.train_dataloader, root, 2)
    assert len(dataset) == cfg.num_train
    for split, count in (('train', 9_043), ('val', 3_457)):
        file = root / f'annotations/instances_{split}.json'
        content = json.loads(file.read_text())
        (category,) = content['categories']
        assert category['name'] in cfg.metainfo.classes
        assert len(content['annotations']) == count


def test_streets_have_eleven_classes_and_pixels_of_none(data_root):
    """Value 11 is ignored: it would be a class beyond the head's."""
    cfg = load('camvid/upernet_swin-mini')
    root = data_root('camvid/upernet_swin-mini')
    values = {
        value
        for path in (root / 'ann/train').iterdir()
        for value in np.unique(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE))
    }
    assert values == set(range(12))
    for head in (cfg.model.decode_head, cfg.model.auxiliary_head):
        assert head.num_classes == 11
    assert cfg.model.data_preprocessor.seg_pad_val == 255
    cfg.train_dataloader.sampler.shuffle = False
    batch, dataset = first_batch(cfg.train_dataloader, root, 20)
    assert len(dataset) == cfg.num_train
    labels = torch.cat(
        [sample.gt_sem_seg.data.unique() for sample in batch['data_samples']]
    ).unique()
    # Not each class is on so few photos, but pixels of none are.
    assert 255 in labels and labels[labels != 255].max() < 11
