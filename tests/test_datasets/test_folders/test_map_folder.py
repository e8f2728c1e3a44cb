"""Folders of images and label maps."""

import shutil

import numpy as np
import pytest
from mmengine.registry import DATASETS
from PIL import Image
from tiny_data import write_photo
from tiny_recipes import MAP_LAYOUTS
from tiny_recipes import write_maps as write

from mmdrloc.datasets.folders.label_maps import describe
from mmdrloc.utils.errors import UsageError


def built(said, part='train'):
    load = [dict(type='LoadImageFromFile'), dict(type='mmseg.LoadAnnotations')]
    return DATASETS.build(dict(said[f'{part}_dataset'], pipeline=load))


def values_of(dataset):
    return sorted(
        {int(v) for s in dataset for v in np.unique(s['gt_seg_map'])}
    )


@pytest.mark.parametrize('layout', MAP_LAYOUTS)
def test_usual_layouts(tmp_path, layout):
    said, notes = describe(write(tmp_path, layout))
    assert notes == [] and said['num_classes'] == 2
    for part in ('train', 'val'):
        dataset = built(said, part)
        assert type(dataset).__name__ == 'BaseSegDataset'
        assert dataset.metainfo['classes'] == ['sky', 'sea']
        assert len(dataset) == said[f'num_{part}'] == 2
        assert values_of(dataset) == [0, 1, 255]


def test_validation_images_that_are_training_images_are_counted(tmp_path):
    write(tmp_path)
    train, val = (tmp_path / 'images' / part for part in ('train', 'val'))
    shutil.copy(train / '0.jpg', val / '1.jpg')
    (note,) = describe(tmp_path)[1]
    assert '1 of 2 validation images are training images' in note


def test_images_in_hidden_folders_are_refused(tmp_path):
    """mmseg reads them: the names are those of Jupyter."""
    write(tmp_path)
    for part in ('images', 'annotations'):
        hidden = tmp_path / part / 'train/.ipynb_checkpoints'
        shutil.copytree(tmp_path / part / 'train', hidden)
    with pytest.raises(UsageError, match='.ipynb_checkpoints/0.*Remove'):
        describe(tmp_path)


def test_other_files_are_no_label_maps(tmp_path):
    write(tmp_path)
    (tmp_path / 'annotations/train/notes.txt').write_text('by hand')
    assert describe(tmp_path)[1] == []


@pytest.mark.parametrize(
    'lines,values,expected',
    [
        (['sky', 'sea', '(ignored)'], (0, 1, 2), [0, 1, 255]),
        (['(ignored)', 'sky', 'sea'], (0, 1, 2), [0, 1, 255]),
        (['sky', '(ignored)', 'sea'], (1, 2, 255), [0, 1, 255]),
        (['(ignored)', 'sky', '(ignored)', 'sea'], (1, 3), [0, 1, 255]),
    ],
)
def test_values_that_are_no_class(tmp_path, lines, values, expected):
    classes = '\n'.join(lines)
    said, _ = describe(write(tmp_path, values=values, classes=classes))
    assert said['num_classes'] == 2
    assert said['train_dataset']['metainfo']['classes'] == ['sky', 'sea']
    assert values_of(built(said)) == expected


def test_a_corrected_label_map_makes_other_data(tmp_path):
    write(tmp_path)
    then, again = (describe(tmp_path)[0]['data_files'] for _ in range(2))
    assert then == again
    path = next(tmp_path.glob('annotations/val/*.png'))
    values = np.array(Image.open(path))
    values[0, :3] = 0, 1, 0
    Image.fromarray(values).save(path)
    assert describe(tmp_path)[0]['data_files'] != then


def test_suffixes_are_those_of_the_files(tmp_path):
    write(tmp_path)
    for path in tmp_path.glob('images/*/*.jpg'):
        Image.open(path).save(path.with_suffix('.PNG'))
        path.unlink()
    for path in tmp_path.glob('annotations/*/*.png'):
        path.rename(path.with_name(f'{path.stem}_gt.png'))
    said, _ = describe(tmp_path)
    assert said['train_dataset']['img_suffix'] == '.PNG'
    assert said['train_dataset']['seg_map_suffix'] == '_gt.png'
    assert values_of(built(said)) == [0, 1, 255]


@pytest.mark.parametrize(
    'classes', ['sky\n\nsea', 'sky\nsky', 'sky\n(ignored)', '']
)
def test_classes_that_do_not_fit(tmp_path, classes):
    write(tmp_path, classes=classes)
    with pytest.raises(UsageError, match='classes.txt names [013] class'):
        describe(tmp_path)


def test_a_mark_at_the_beginning_is_no_letter(tmp_path):
    """Editors on Windows write one."""
    write(tmp_path, classes='\ufeffsky\nsea\n')
    said, _ = describe(tmp_path)
    assert said['train_dataset']['metainfo']['classes'] == ['sky', 'sea']


def test_label_maps_without_their_image_are_told(tmp_path):
    write(tmp_path)
    (tmp_path / 'images/train/1.jpg').unlink()
    (note,) = describe(tmp_path)[1]
    assert 'without an image: 1.png' in note


def no_classes(folder):
    (folder / 'classes.txt').unlink()


def no_maps(folder):
    (folder / 'annotations').rename(folder / 'truth')


def no_validation(folder):
    (folder / 'images/val').rename(folder / 'images/later')


def two_kinds(folder):
    write_photo(folder / 'images/train/more.png')


def other_names(folder):
    for path in folder.glob('annotations/*/*.png'):
        path.rename(path.with_name(f'map_{path.name}'))


def two_files_an_image(folder):
    for path in folder.glob('annotations/*/*.png'):
        Image.open(path).save(path.with_name(f'{path.stem}_color.png'))


def one_map_less(folder):
    (folder / 'annotations/val/1.png').unlink()


@pytest.mark.parametrize(
    'spoil,words',
    [
        (one_map_less, '1 image without a label map in .*val: 1.jpg'),
        (no_classes, 'classes.txt is missing: write the names'),
        (no_maps, 'it has no label maps for train: looked for images/train'),
        (no_validation, 'it has no images for val: looked for'),
        (two_kinds, 'images that end in .jpg, .png: mmseg reads one kind'),
        (other_names, 'annotations/train has 0 label maps for 0.jpg: an'),
        (two_files_an_image, '2 label maps .* end in .png, _color.png.: an'),
    ],
)
def test_unfit_folders(tmp_path, spoil, words):
    spoil(write(tmp_path))
    with pytest.raises(UsageError, match=words):
        describe(tmp_path)
