"""The digits as written: same bytes each time, valid, split cleanly."""

import hashlib
import json

import cv2
import digits
import numpy as np
import pytest
from digit_drawing import split_digits
from digits import write_digits
from mmengine.registry import DATASETS, init_default_scope
from pycocotools.coco import COCO

from mmdrloc.utils.errors import UsageError

SMALL = dict(num_variants=1, num_train_scenes=12, num_val_scenes=6)


def content(folder):
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).digest()
        for path in folder.rglob('*')
        if path.is_file()
    }


@pytest.fixture(scope='module', autouse=True)
def few_digits():
    """Let each split have twenty digits, two a class."""

    def split():
        few = {}
        for name, (images, labels) in split_digits().items():
            chosen = np.concatenate(
                [np.flatnonzero(labels == label)[:2] for label in range(10)]
            )
            few[name] = images[chosen], labels[chosen]
        return few

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digits, 'split_digits', split)
        yield


@pytest.fixture(scope='module')
def root(tmp_path_factory, few_digits):
    folder = tmp_path_factory.mktemp('digits') / 'set'
    write_digits(folder, **SMALL)
    return folder


def test_same_seed_same_bytes(root, tmp_path):
    write_digits(tmp_path / 'again', **SMALL)
    assert content(tmp_path / 'again') == content(root)


def test_other_seed_other_images_of_the_same_digits(root, tmp_path):
    write_digits(tmp_path / 'other', seed=1, **SMALL)
    ours, others = content(root), content(tmp_path / 'other')
    assert {path.name for path in ours} == {path.name for path in others}
    same = [path for path in ours if ours[path] == others.get(path)]
    assert not [path for path in same if path.suffix == '.png']


def test_validation_does_not_depend_on_the_size_of_the_training_set(
    root, tmp_path
):
    write_digits(tmp_path / 'set', **{**SMALL, 'num_train_scenes': 5})
    folder = 'segmentation/images/validation'
    assert content(tmp_path / 'set' / folder) == content(root / folder)


def test_no_source_digit_in_both_splits():
    split = split_digits()
    train, val = [
        {image.tobytes() for image in split[name][0]}
        for name in ('train', 'val')
    ]
    assert not train & val
    assert len(split['train'][0]) == 1397 and len(split['val'][0]) == 400
    assert np.bincount(split['val'][1]).min() >= 38


def test_counts_and_manifest(root):
    manifest = json.loads((root / 'manifest.json').read_text())
    counts = manifest['counts']
    drawing = manifest['request'].pop('drawing')
    assert drawing['scene_size'] == 128
    assert manifest['request'] == dict(seed=0, **SMALL)
    for split in ('train', 'val'):
        images = root.glob(f'classification/{split}/*/*.png')
        assert counts[f'classification/{split}'] == len(list(images))
    assert counts['scenes/train'] == 12


def test_a_finished_set_is_left_alone(root):
    before = {path: path.stat().st_mtime_ns for path in root.rglob('*')}
    assert write_digits(root, **SMALL)['scenes/val'] == 6
    assert before == {
        path: path.stat().st_mtime_ns for path in root.rglob('*')
    }


def test_overwrite_replaces_a_set_with_another(tmp_path):
    out = tmp_path / 'set'
    write_digits(out, **SMALL)
    other = {**SMALL, 'num_val_scenes': 3}
    with pytest.raises(UsageError, match='--overwrite'):
        write_digits(out, **other)
    write_digits(out, **other, overwrite=True)
    assert len(list(out.glob('detection/val/*.png'))) == 3
    assert [path.name for path in tmp_path.iterdir()] == ['set']


@pytest.mark.parametrize('overwrite', [False, True])
def test_a_folder_of_someone_else_is_refused(tmp_path, overwrite):
    (tmp_path / 'thesis.tex').write_text('years of work')
    with pytest.raises(UsageError, match='--out'):
        write_digits(tmp_path, **SMALL, overwrite=overwrite)
    assert (tmp_path / 'thesis.tex').exists()


def test_an_interrupted_run_leaves_nothing(tmp_path, monkeypatch):

    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(digits, 'write_scenes', interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_digits(tmp_path / 'set', **SMALL)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize('split', ['train', 'val'])
def test_coco_masks_boxes_and_label_maps_agree(root, split):
    coco = COCO(root / f'detection/annotations/instances_{split}.json')
    assert [cat['name'] for cat in coco.dataset['categories']] == list(
        digits.CLASSES
    )
    maps = root / 'segmentation/annotations' / digits.SPLITS[split]
    for image in coco.dataset['images']:
        labels = np.zeros((128, 128), np.uint8)
        anns = coco.imgToAnns[image['id']]
        assert anns
        for ann in anns:
            mask = coco.annToMask(ann).astype(bool)
            rows, cols = np.where(mask.any(1))[0], np.where(mask.any(0))[0]
            assert ann['bbox'] == [
                cols[0],
                rows[0],
                cols[-1] + 1 - cols[0],
                rows[-1] + 1 - rows[0],
            ]
            assert ann['area'] == mask.sum() > 50
            assert ann['iscrowd'] == 0
            assert not labels[mask].any(), 'visible masks may not overlap'
            labels[mask] = ann['category_id']
        written = cv2.imread(
            str(maps / image['file_name']), cv2.IMREAD_UNCHANGED
        )
        assert written.dtype == np.uint8
        assert np.array_equal(written, labels)


def test_later_digits_hide_earlier_ones_but_never_most_of_them():
    images, labels = split_digits()['val']
    hidden = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        scene, instances = digits.draw_scene(rng, images, labels)
        visible = sum(mask.sum() for _, mask in instances)
        assert visible == np.any([mask for _, mask in instances], 0).sum()
        assert all(scene[mask].mean() > scene.mean() for _, mask in instances)
        hidden += len(instances) > 1 and any(
            cv2.connectedComponents(mask.astype(np.uint8))[0] > 2
            for _, mask in instances
        )
    assert hidden, 'no scene has a digit cut in pieces'


def test_the_libraries_own_classes_read_them(root):
    init_default_scope('mmengine')
    for name in ('mmpretrain', 'mmdet', 'mmseg'):
        __import__(f'{name}.datasets')
    classification = DATASETS.build(
        dict(
            type='mmpretrain.CustomDataset',
            data_root=str(root / 'classification'),
            data_prefix='val',
        )
    )
    assert len(classification) == 20
    assert classification.metainfo['classes'] == digits.CLASSES
    detection = DATASETS.build(
        dict(
            type='mmdet.CocoDataset',
            data_root=str(root / 'detection'),
            ann_file='annotations/instances_val.json',
            data_prefix=dict(img='val/'),
            metainfo=dict(classes=digits.CLASSES),
        )
    )
    assert len(detection) == 6
    assert all(info['instances'] for info in detection)
    segmentation = DATASETS.build(
        dict(
            type='mmseg.BaseSegDataset',
            data_root=str(root / 'segmentation'),
            img_suffix='.png',
            data_prefix=dict(
                img_path='images/validation',
                seg_map_path='annotations/validation',
            ),
        )
    )
    assert len(segmentation) == 6
