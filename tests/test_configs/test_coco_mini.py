"""The recipes for a part of COCO fit it, and each other."""

from pathlib import Path

import cv2
import pytest
from coco_to_label_maps import write_label_maps
from mmengine.config import Config
from mmengine.registry import init_default_scope
from mmengine.runner import Runner
from photo_packs import unpack

CONFIGS = Path(__file__).parents[2] / 'configs/coco_mini'
# Of the 180 to train on.
PHOTOS_OF_PEOPLE = 88


@pytest.fixture(scope='module')
def photos(tmp_path_factory):
    """Real photos with instances and label maps."""
    root = unpack('coco_mini', tmp_path_factory.mktemp('photos'))
    for split in ('train', 'val'):
        write_label_maps(
            root / f'annotations/instances_{split}.json',
            root / split,
            root / 'people' / split,
            ['person'],
        )
    return root


def test_every_label_is_a_class(photos):
    detector = Config.fromfile(CONFIGS / 'mask-rcnn_swin-mini.py')
    init_default_scope(detector.default_scope)
    loader = detector.train_dataloader
    loader.dataset.data_root = str(photos)
    dataset = Runner.build_dataloader(loader, seed=0).dataset
    assert len(dataset) == PHOTOS_OF_PEOPLE
    roi_head = detector.model.roi_head
    assert len(dataset.metainfo['classes']) == roi_head.bbox_head.num_classes
    assert len(dataset.metainfo['classes']) == roi_head.mask_head.num_classes

    segmentor = Config.fromfile(CONFIGS / 'upernet_swin-mini.py')
    classes = segmentor.train_dataloader.dataset.metainfo.classes
    for head in ('decode_head', 'auxiliary_head'):
        assert segmentor.model[head].num_classes == len(classes)
    drawn = [
        cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        for path in (photos / 'people/train/annotations').iterdir()
    ]
    assert max(label_map.max() for label_map in drawn) == len(classes) - 1
    assert sum(label_map.any() for label_map in drawn) == PHOTOS_OF_PEOPLE


def test_classifiers_differ_in_the_method_alone():
    plain, twin = (
        Config.fromfile(CONFIGS / f'{name}.py').to_dict()
        for name in ('swin-mini', 'swin-mini_drloc')
    )
    assert twin['model'].pop('auxiliary_head')['source'] == 'stages.1'
    assert twin['model'].pop('type') == 'mmdrloc.DRLocClassifier'
    assert plain['model'].pop('type') == 'ImageClassifier'
    assert twin == plain


def test_what_is_padded_is_ignored_where_classes_are_not_weighted(monkeypatch):
    path = CONFIGS / 'upernet_swin-mini.py'
    weighted = Config.fromfile(path).model
    assert weighted.decode_head.loss_decode.class_weight == [1.0, 7.0]
    assert weighted.data_preprocessor.seg_pad_val == 0
    monkeypatch.setenv('DATASET', 'ade20k')
    other = Config.fromfile(path).model
    for head in (other.decode_head, other.auxiliary_head):
        assert head.num_classes == 150
        assert head.loss_decode.class_weight is None
    assert other.data_preprocessor.seg_pad_val == 255
