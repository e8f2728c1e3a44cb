"""The digits as written: same bytes each time, valid, split cleanly."""

import hashlib

import cv2
import digits
import numpy as np
import pytest
from digits import split_digits, write_digits
from pycocotools.coco import COCO

from mmdrloc.utils.errors import UsageError

SMALL = dict(num_variants=1, num_train_scenes=12, num_val_scenes=6)


def content(folder):
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).digest()
        for path in folder.rglob('*')
        if path.is_file()
    }


def few_digits():
    """Let each split have twenty digits, two a class."""
    few = {}
    for name, (images, labels) in split_digits().items():
        places = [np.flatnonzero(labels == n)[:2] for n in range(10)]
        chosen = np.concatenate(places)
        few[name] = images[chosen], labels[chosen]
    return few


@pytest.fixture(scope='module')
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp('digits') / 'set'
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digits, 'split_digits', few_digits)
        write_digits(folder, **SMALL)
        yield folder


def test_same_seed_same_bytes(root, tmp_path):
    assert write_digits(tmp_path / 'again', **SMALL)
    assert content(tmp_path / 'again') == content(root)
    # Validation does not depend on the size of the training set.
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


def test_a_finished_set_is_left_alone(root):
    before = {path: path.stat().st_mtime_ns for path in root.rglob('*')}
    assert not write_digits(root, **SMALL)
    assert before == {
        path: path.stat().st_mtime_ns for path in root.rglob('*')
    }


def test_a_folder_of_someone_else_is_refused(tmp_path):
    (tmp_path / 'thesis.tex').write_text('years of work')
    with pytest.raises(UsageError, match='give another folder'):
        write_digits(tmp_path, **SMALL)
    assert (tmp_path / 'thesis.tex').exists()


@pytest.mark.parametrize('split', ['train', 'val'])
def test_coco_masks_boxes_and_label_maps_agree(root, split):
    coco = COCO(root / f'detection/annotations/instances_{split}.json')
    names = [category['name'] for category in coco.dataset['categories']]
    assert names == list('0123456789')
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
