"""Folders in COCO's format."""

import shutil
from pathlib import Path

import pytest
from mmengine.registry import DATASETS
from tiny_data import coco_content
from tiny_recipes import COCO_LAYOUTS
from tiny_recipes import write_objects as write

from mmdrloc.datasets.folders.coco import describe
from mmdrloc.utils.errors import UsageError


@pytest.mark.parametrize('layout', COCO_LAYOUTS)
def test_usual_layouts(tmp_path, layout):
    said, notes = describe(write(tmp_path, layout))
    # The images are small, and there both parts name the same ones.
    assert 'a side under 32 px (4) or without objects (0)' in notes[0]
    assert len(notes) == 1 + (layout == 'together')
    assert (said['num_classes'], said['has_masks']) == (2, True)
    assert said['train_dataset']['metainfo']['classes'] == ['cat', 'dog']
    for part in ('train', 'val'):
        dataset = DATASETS.build(
            dict(said[f'{part}_dataset'], pipeline=[], filter_cfg=None)
        )
        assert len(dataset) == said[f'num_{part}'] == 4
        assert all(Path(sample['img_path']).is_file() for sample in dataset)
        labels = [box['bbox_label'] for box in dataset[0]['instances']]
        assert labels == [0, 1]


def test_validation_images_that_are_training_images_are_counted(tmp_path):
    write(tmp_path, 'images')
    train, val = (tmp_path / 'images' / part for part in ('train', 'val'))
    shutil.copy(train / '0.jpg', val / '3.jpg')
    note = describe(tmp_path)[1][-1]
    assert '1 of 4 validation images are training images' in note


def test_names_and_numbers_come_from_the_file(tmp_path):
    """Ids need not begin with 1 nor be in a row."""
    content = coco_content()
    content['categories'] = [
        dict(id=1, name='zebra'),
        dict(id=90, name='ant'),
        dict(id=2, name='yak'),
    ]
    said, _ = describe(write(tmp_path, train=content, val=content))
    assert said['train_dataset']['metainfo']['classes'] == [
        'zebra',
        'ant',
        'yak',
    ]
    assert said['num_classes'] == 3
    dataset = DATASETS.build(dict(said['val_dataset'], pipeline=[]))
    assert dataset.cat2label == {1: 0, 90: 1, 2: 2}


def test_corrected_annotations_make_other_data(tmp_path):
    then, again = (
        describe(write(tmp_path))[0]['data_files'] for _ in range(2)
    )
    assert then == again
    corrected = coco_content()
    corrected['annotations'][0]['category_id'] += 1
    for part in ('train', 'val'):
        changed = describe(write(tmp_path, **{part: corrected}))
        assert changed[0]['data_files'] != then


def test_images_without_objects_and_tiny_ones_are_not_trained_on(tmp_path):
    content = coco_content()
    content['annotations'] = content['annotations'][2:]
    for image in content['images'][:3]:
        image.update(width=64, height=48)
    said, notes = describe(write(tmp_path, train=content, val=content))
    assert 'under 32 px (1) or without objects (1) are not' in notes[0]
    for part, count in (('train', 2), ('val', 4)):
        dataset = DATASETS.build(dict(said[f'{part}_dataset'], pipeline=[]))
        assert len(dataset) == count


def renamed(at, **changes):
    content = coco_content()
    content['categories'][at].update(changes)
    return content


@pytest.mark.parametrize(
    'val,words',
    [
        (renamed(0, name='lion'), r'\(cat, dog\), .*\(lion, dog\): labels'),
        (dict(coco_content(), images=[], annotations=[]), 'no image or no'),
        (dict(images=[]), 'no annotations in COCO format .*: it needs'),
        (renamed(0, name=0), 'names of categories that are no text'),
        (renamed(0, name='dog'), 'two categories of one name'),
    ],
)
def test_annotations_that_do_not_fit(tmp_path, val, words):
    with pytest.raises(UsageError, match=words):
        describe(write(tmp_path, val=val))


def test_categories_in_another_order(tmp_path):
    """mmdet numbers them as the file lists them, and says nothing."""
    val = coco_content()
    val['categories'].reverse()
    with pytest.raises(UsageError, match='labels would mean different things'):
        describe(write(tmp_path, val=val))


def test_unfit_folders(tmp_path):
    with pytest.raises(UsageError, match='looked for annotations/instances_'):
        describe(tmp_path)
    write(tmp_path)
    (tmp_path / 'annotations/instances_val.json').unlink()
    with pytest.raises(UsageError, match='instances_val.json, .*valid, '):
        describe(tmp_path)


def test_annotations_of_several_years(tmp_path):
    file = write(tmp_path, 'coco') / 'annotations/instances_train2017.json'
    shutil.copy(file, file.with_name('instances_train2014.json'))
    words = 'several annotation files .instances_train2014.json, inst'
    with pytest.raises(UsageError, match=words):
        describe(tmp_path)


def test_images_that_are_elsewhere(tmp_path):
    (write(tmp_path) / 'train').rename(tmp_path / 'photos')
    with pytest.raises(UsageError, match='0.jpg, which is in none of .*train'):
        describe(tmp_path)


def test_pascal_voc_is_told_what_to_do_with(tmp_path):
    (tmp_path / 'ImageSets/Main').mkdir(parents=True)
    with pytest.raises(UsageError, match='voc_to_coco.py .* OUT'):
        describe(tmp_path)
