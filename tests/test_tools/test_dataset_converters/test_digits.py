"""The digits as written: same bytes each time, valid, split cleanly."""

import hashlib
import json

import cv2
import digits
import numpy as np
import pytest
from digit_drawing import split_digits
from digits import write_digits
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
