"""Photos in class folders."""

import os
import shutil
from pathlib import Path

import pytest
from mmengine.registry import DATASETS
from PIL import Image
from tiny_recipes import write_classes

from mmdrloc.datasets.choice import choose
from mmdrloc.datasets.folders import splits
from mmdrloc.datasets.folders.classes import describe
from mmdrloc.utils.errors import UsageError

TASK = 'classification'


def built(config):
    return DATASETS.build(dict(config, pipeline=[]))


def paths(dataset):
    return [sample['img_path'] for sample in dataset]


@pytest.mark.parametrize('train', ['train', 'Training'])
@pytest.mark.parametrize('val', ['val', 'valid', 'test'])
def test_with_a_part_to_validate(tmp_path, train, val):
    write_classes(tmp_path / train, dict(bee=3, ant=4))
    write_classes(tmp_path / val, dict(ant=2, bee=1))
    said, notes = describe(tmp_path)
    told = [] if val == 'val' else [f'{tmp_path / val} is the validation set.']
    assert notes == told
    assert said['num_classes'] == 2
    assert said['train_dataset']['metainfo'] == dict(classes=['ant', 'bee'])
    train_set = built(said['train_dataset'])
    val_set = built(said['val_dataset'])
    assert said['num_train'] == len(train_set) == 7
    assert said['num_val'] == len(val_set) == 3
    for dataset in (train_set, val_set):
        assert dataset.CLASSES == ['ant', 'bee']
        for sample in dataset:
            name = ('ant', 'bee')[sample['gt_label']]
            assert f'/{name}/' in sample['img_path']


def test_a_class_of_any_name(tmp_path):
    """But folders that programs make are none."""
    write_classes(tmp_path, dict(bee=3, __other=4, __MACOSX=1))
    said, _ = describe(tmp_path)
    assert said['train_dataset']['metainfo']['classes'] == ['__other', 'bee']


def test_a_class_without_an_image_to_validate(tmp_path):
    write_classes(tmp_path / 'train', dict(bee=3, ant=4, fly=2))
    write_classes(tmp_path / 'val', dict(ant=2))
    (tmp_path / 'val/fly').mkdir()
    (tmp_path / 'val/none').mkdir()
    [note] = describe(tmp_path)[1]
    assert 'no image of bee, fly' in note


def test_an_image_of_another_class_makes_other_data(tmp_path):
    write_classes(tmp_path, dict(bee=3, ant=4))
    then, again = (describe(tmp_path)[0]['data_files'] for _ in range(2))
    assert then == again
    ant = next((tmp_path / 'ant').iterdir())
    ant.rename(tmp_path / 'bee' / f'moved_{ant.name}')
    assert describe(tmp_path)[0]['data_files'] != then


def test_a_link_keeps_its_name(tmp_path):
    write_classes(tmp_path / 'export', dict(bee=3, ant=4))
    (tmp_path / 'insects').symlink_to('export')
    assert choose(f'{tmp_path}/insects/', TASK)[0]['dataset_name'] == 'insects'


@pytest.mark.parametrize('inside', ['', 'train'])
def test_a_fifth_of_each_class_is_held_out(tmp_path, inside):
    write_classes(tmp_path / inside, dict(ant=20, bee=4, cat=2))
    said, (note,) = describe(tmp_path)
    assert '6 of 26 images, a fifth of each class' in note
    train_set = built(said['train_dataset'])
    val_set = built(said['val_dataset'])
    assert (said['num_train'], said['num_val']) == (20, 6)
    held_out = paths(val_set)
    assert len(held_out) == 6 and len(train_set) == 20
    assert not set(held_out) & set(paths(train_set))
    # Of each class, the small ones too.
    labels = [sample['gt_label'] for sample in val_set]
    assert [labels.count(label) for label in range(3)] == [4, 1, 1]


def test_the_same_images_are_held_out_elsewhere(tmp_path):
    """Neither the folder nor the order in which a disk lists it matter."""
    names = []
    for place in ('a', 'b'):
        folder = write_classes(tmp_path / place, dict(ant=20, bee=10))
        val_set = built(describe(folder)[0]['val_dataset'])
        names.append([path[len(str(folder)) :] for path in paths(val_set)])
    assert names[0] == names[1]
    # A new image moves hardly another one.
    write_classes(tmp_path / 'b', dict(ant=21))
    val_set = built(describe(tmp_path / 'b')[0]['val_dataset'])
    new = {path[len(str(tmp_path / 'b')) :] for path in paths(val_set)}
    assert len(new ^ set(names[0])) <= 2


def test_what_is_no_image_is_left_out(tmp_path):
    write_classes(tmp_path, dict(ant=4, bee=4))
    (tmp_path / 'ant/note.txt').write_text('x')
    (tmp_path / 'bee/0.HEIC').write_bytes(b'x')
    (tmp_path / 'bee/.DS_Store').write_bytes(b'x')
    (tmp_path / '.ipynb_checkpoints').mkdir()
    said, notes = describe(tmp_path)
    assert said['num_classes'] == 2
    assert said['num_train'] + said['num_val'] == 8
    assert '2 files' in notes[0] and '.heic, .txt' in notes[0]


def test_suffixes_and_folders_below(tmp_path):
    write_classes(tmp_path, dict(ant=2), suffix='.WEBP')
    write_classes(tmp_path / 'bee', dict(left=1, right=2), suffix='.png')
    said, _ = describe(tmp_path)
    assert said['num_train'] + said['num_val'] == 5
    assert said['train_dataset']['metainfo']['classes'] == ['ant', 'bee']


def test_names_of_an_old_archive_that_are_no_utf8(tmp_path):
    write_classes(tmp_path, dict(ant=6, bee=6))
    old = os.fsencode(tmp_path / 'ant/0.jpg')
    os.rename(old, os.fsencode(tmp_path) + b'/ant/caf\xe9.jpg')
    said, _ = describe(tmp_path)
    assert (said['num_train'], said['num_val']) == (10, 2)
    for dataset in (said['train_dataset'], said['val_dataset']):
        images = DATASETS.build(
            dict(dataset, pipeline=[dict(type='mmdrloc.LoadImage')])
        )
        assert all(sample['img'].any() for sample in images)


def test_a_single_image_of_a_class_is_trained_on(tmp_path):
    write_classes(tmp_path, dict(ant=40, bee=1))
    said, _ = describe(tmp_path)
    assert (said['num_train'], said['num_val']) == (33, 8)
    labels = [sample['gt_label'] for sample in built(said['train_dataset'])]
    assert labels.count(1) == 1


def test_few_images_are_said_in_one_line(tmp_path):
    def notes(folder, **counts):
        said = choose(str(write_classes(folder, counts)), TASK)[1]
        return [note for note in said if note.startswith('few images')]

    assert notes(tmp_path / 'many', ant=130, bee=120) == []
    (note,) = notes(tmp_path / 'two', ant=300, bee=3)
    assert '3 of the smallest class' in note and 'validation' not in note
    (note,) = notes(tmp_path / 'few', ant=20, bee=20)
    assert '8 for validation' in note and 'class' not in note


BOTH = dict(ant=2, bee=2)


@pytest.mark.parametrize(
    'photos,words',
    [
        ({'': dict(ant=4)}, 'found 1 class folder .*/ant.* at least 2 class'),
        ({'': dict(train=4, val=4)}, 'found 0 class folders .*train/<class>/'),
        (
            {'': dict(ant=4, bee=4, cat=0)},
            'no image in 1 of its 3 class folders .cat.: put',
        ),
        (
            dict(train=BOTH, val=dict(ant=2, Bee=2)),
            'has images of Bee, and .*train has no such folder',
        ),
        (dict(train=BOTH, val={}), 'val has no images in class folders'),
        (dict(val=BOTH), 'found val, which are no classes'),
        (
            {'': dict(images=2, labels=2)},
            'found images, labels, which are no classes',
        ),
    ],
)
def test_unfit_folders(tmp_path, photos, words):
    for place, counts in photos.items():
        (tmp_path / place).mkdir(exist_ok=True)
        write_classes(tmp_path / place, counts)
    with pytest.raises(UsageError, match=words) as caught:
        describe(tmp_path)
    assert '\n' not in str(caught.value)


@pytest.mark.parametrize('side,is_small', [(64, True), (65, False)])
def test_small_images(tmp_path, side, is_small):
    write_classes(tmp_path, dict(ant=2, bee=2), size=(side, 20))
    said, _ = describe(tmp_path)
    assert said['small_images'] is is_small


def test_images_whose_size_is_not_told(tmp_path, monkeypatch):
    """What is damaged is named later; what is huge is not opened."""
    write_classes(tmp_path, dict(ant=2, bee=2))
    (tmp_path / 'ant/0.jpg').write_bytes(b'no picture')
    assert describe(tmp_path)[0]['small_images'] is True
    monkeypatch.setattr(Image, 'MAX_IMAGE_PIXELS', 9)
    assert describe(tmp_path)[0]['small_images'] is False


@pytest.mark.parametrize('place', ['', 'data'])
def test_parquet_files_are_told_what_to_do_with(tmp_path, place):
    (tmp_path / place).mkdir(exist_ok=True)
    (tmp_path / place / 'train-00000-of-00001.parquet').touch()
    with pytest.raises(UsageError, match='parquet_to_folders.py .* OUT'):
        describe(tmp_path)


def test_results_beside_the_classes_are_no_class(tmp_path):
    """Of a command with ``--dataset .``."""
    write_classes(tmp_path, dict(ant=3, bee=3))
    write_classes(tmp_path / 'work_dirs', dict(report=1))
    said, notes = describe(tmp_path)
    assert said['num_classes'] == 2 and said['num_train'] == 4
    assert 'work_dirs' not in ' '.join(notes)


@pytest.mark.parametrize(
    'classes', [['bus', 'train', 'truck'], ['invalid', 'valid']]
)
def test_a_class_called_as_a_part_of_the_data(tmp_path, classes):
    write_classes(tmp_path, dict.fromkeys(classes, 3))
    said, _ = describe(tmp_path)
    assert said['train_dataset']['metainfo']['classes'] == classes
    assert said['num_train'] == 2 * len(classes)


def test_a_folder_too_deep_or_not_deep_enough(tmp_path):
    photos = write_classes(tmp_path / 'deep/photos', dict(ant=2, bee=2, cat=2))
    near = f'did you mean {photos}, which has 3'
    for folder in (photos.parent, photos / 'bee'):
        with pytest.raises(UsageError, match=near):
            describe(folder)
    parts = write_classes(tmp_path / 'parts/a/train', dict(ant=2, bee=2))
    near = f'did you mean {parts.parent}, which has 2'
    with pytest.raises(UsageError, match=near):
        describe(tmp_path / 'parts')


def test_a_class_of_another_format_is_refused_by_that_format(tmp_path):
    write_classes(tmp_path, dict(ant=2, bee=2))
    (tmp_path / 'cat').mkdir()
    (tmp_path / 'cat/IMG_1.HEIC').write_bytes(b'ftypheic')
    with pytest.raises(UsageError, match=r'\(cat\): convert .*\.heic'):
        describe(tmp_path)


def test_one_image_for_each_class_leaves_none_for_validation(tmp_path):
    write_classes(tmp_path, dict(ant=1, bee=1))
    with pytest.raises(UsageError, match='one image for each class'):
        describe(tmp_path)


def test_validation_images_that_are_training_images_are_counted(
    tmp_path, monkeypatch
):
    write_classes(tmp_path / 'train', dict(ant=4, bee=4))
    write_classes(tmp_path / 'val', dict(ant=2))
    for name in ('0.jpg', '1.jpg', '2.jpg'):
        (tmp_path / 'val/bee').mkdir(exist_ok=True)
        shutil.copy(tmp_path / 'train/bee' / name, tmp_path / 'val/bee' / name)
    (note,) = describe(tmp_path)[1]
    assert '3 of 5 validation images are training images' in note
    monkeypatch.setattr(splits, 'SEARCHED', 7)  # a look at each takes time
    assert not describe(tmp_path)[1]


def test_copies_among_the_images_that_are_held_out_are_counted(tmp_path):
    write_classes(tmp_path, dict(ant=10, bee=10))
    assert len(describe(tmp_path)[1]) == 1
    for path in [*tmp_path.glob('*/*.jpg')]:
        shutil.copy(path, path.with_name(f'{path.stem} (1).jpg'))
    notes = ' '.join(describe(tmp_path)[1])
    assert ' of 8 validation images are training images too' in notes


def test_linked_folders_are_followed(tmp_path):
    """As torchvision and mmpretrain do; a circle is gone round once."""
    more = write_classes(tmp_path / 'elsewhere', dict(more=10)) / 'more'
    folder = write_classes(tmp_path / 'photos', dict(ant=12, bee=12))
    (folder / 'ant/more').symlink_to(more)
    (folder / 'bee/above').symlink_to(folder / 'bee')
    said, _ = describe(folder)
    assert said['num_train'] + said['num_val'] == 34


def test_images_beside_the_folders_are_told(tmp_path):
    folder = write_classes(tmp_path / 'photos', dict(ant=12, bee=12))
    shutil.copy(next(folder.glob('ant/*')), folder / 'loose.jpg')
    _, notes = describe(folder)
    assert any('1 images' in n and 'loose.jpg' in n for n in notes)
    (folder / 'ant').rename(folder / '.net')
    shutil.copytree(folder / 'bee', folder / 'cow')
    _, notes = describe(folder)
    assert any('hidden folders' in n and '.net' in n for n in notes)


def test_images_beside_those_of_the_splits_are_told(tmp_path):
    for split in ('train', 'val'):
        write_classes(tmp_path / split, dict(ant=2, bee=2))
    (tmp_path / 'notes').mkdir()
    _, notes = describe(tmp_path)
    assert not any('left out' in note for note in notes)
    write_classes(tmp_path / 'more', dict(ant=2))
    _, notes = describe(tmp_path)
    [note] = [note for note in notes if 'left out' in note]
    assert 'more' in note and 'val' not in note


def test_images_in_no_class_folders(tmp_path):
    """Of a pre-training; class folders are still the user's classes."""
    write_classes(tmp_path / 'mine/train', dict(ant=6))
    data, notes = describe(tmp_path / 'mine', labels=False)
    train, val = built(data['train_dataset']), built(data['val_dataset'])
    assert (len(train), len(val)) == (data['num_train'], data['num_val'])
    assert sorted(Path(p).name for p in paths(train) + paths(val)) == sorted(
        path.name for path in (tmp_path / 'mine').rglob('*.*')
    )
    assert 'without labels' in notes[0]
    write_classes(tmp_path / 'mine/train', dict(bee=6))
    data, notes = describe(tmp_path / 'mine', labels=False)
    assert data == describe(tmp_path / 'mine')[0]
    shutil.rmtree(tmp_path / 'mine/train')
    with pytest.raises(UsageError, match='no image'):
        describe(tmp_path / 'mine', labels=False)


def test_a_folder_val_without_classes_is_not_denied(tmp_path):
    """It is left out, and said to be; a part of train is held out."""
    for split in ('train', 'val'):
        (write_classes(tmp_path / 'x', {split: 6}) / split).rename(
            tmp_path / split
        )
    data, notes = describe(tmp_path, labels=False)
    assert data['num_train'] + data['num_val'] == 6
    assert any('val too, which are left out' in note for note in notes)
    assert not any(f'{tmp_path} has no folder val' in n for n in notes)


@pytest.mark.parametrize(
    'counts, beside',
    [
        (dict(ant=1, bee=1), 0),
        (dict(ant=6, bee=6, cat=0), 0),
        (dict(ant=6, bee=6), 5),
    ],
    ids=['one a class', 'an empty folder', 'images beside the folders'],
)
def test_a_pre_training_takes_all_images(tmp_path, counts, beside):
    """Also those that training with labels would refuse or leave out."""
    write_classes(tmp_path / 'mine', counts)
    write_classes(tmp_path / 'more', dict(x=beside))
    for number, image in enumerate((tmp_path / 'more/x').iterdir()):
        image.rename(tmp_path / f'mine/{number}{image.suffix}')
    write_classes(tmp_path / 'mine/work_dirs', dict(run=4))
    data, _ = describe(tmp_path / 'mine', labels=False)
    assert data['num_train'] + data['num_val'] == sum(counts.values()) + beside
    train, val = built(data['train_dataset']), built(data['val_dataset'])
    assert len(train) + len(val) == sum(counts.values()) + beside


def test_which_images_are_held_out_never_changes():
    """Another draw would train on what earlier runs were judged by."""
    images = [f'{number}.jpg' for number in range(10)]
    for name, expected in dict(ant='68', bee='37').items():
        held_out = splits.images_of_split(images, 'val', name)
        assert held_out == [f'{number}.jpg' for number in expected]
