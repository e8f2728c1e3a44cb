"""Class folders and SVHN, as their dataset classes read them."""

from pathlib import Path

import fake_datasets as fake
import numpy as np
import pytest
from mmengine.registry import DATASETS
from mmpretrain.datasets import KFoldDataset
from scipy.io import savemat
from tiny_recipes import write_classes

from mmdrloc.datasets.folders.splits import images_of_split
from mmdrloc.datasets.image_sets import FolderSample


def build(kind, root, **options):
    return DATASETS.build(
        dict(type=f'mmdrloc.{kind}', data_root=str(root), **options)
    )


def paths_of(dataset):
    return [dataset.get_data_info(i)['img_path'] for i in range(len(dataset))]


def test_who_is_held_out_stays_so():
    """In later versions too; classes do not share numbers."""
    images = [f'{number}.jpg' for number in range(20)]
    held_out = [
        images_of_split(images, 'val', name) for name in ('cat', 'dog')
    ]
    assert held_out == [
        ['3.jpg', '8.jpg', '14.jpg', '19.jpg'],
        ['0.jpg', '11.jpg', '14.jpg', '15.jpg'],
    ]


def test_svhn_keeps_images_upright(tmp_path):
    images = np.random.default_rng(0).integers(0, 255, (32, 32, 3, 2))
    savemat(
        tmp_path / 'train_32x32.mat', dict(X=np.uint8(images), y=[[1], [10]])
    )
    dataset = build('SVHN', tmp_path)
    assert (dataset[1]['img'] == images[..., 1]).all()
    assert dataset.get_gt_labels().tolist() == [1, 0]


def test_of_other_folders_nothing_is_read(tmp_path):
    fake.write_imagenet100(tmp_path)
    dataset = build(
        'ClassFolders', tmp_path, data_prefix='val', classes=fake.IMAGENET100
    )
    assert len(dataset) == len({*fake.IMAGENET100}) == 100
    for sample in dataset:
        assert fake.IMAGENET100[sample['gt_label']] in sample['img_path']


def test_a_list_of_images(tmp_path):
    write_classes(tmp_path / 'Images', dict(bee=3, ant=2, cat=1))
    (tmp_path / 'some.txt').write_text('cat/0.jpg\nImages/bee/2.jpg 7\n\n')
    dataset = build(
        'ClassFolders', tmp_path, data_prefix='Images', ann_file='some.txt'
    )
    assert dataset.CLASSES == ('ant', 'bee', 'cat')
    assert dataset.get_gt_labels().tolist() == [2, 1]
    assert paths_of(dataset)[1] == str(tmp_path / 'Images/bee/2.jpg')
    (tmp_path / 'some.txt').write_text('cat/my 2 photo.jpg 0\ncat/a b.jpg\n')
    dataset = build(
        'ClassFolders', tmp_path, data_prefix='Images', ann_file='some.txt'
    )
    names = [Path(path).name for path in paths_of(dataset)]
    assert names == ['my 2 photo.jpg', 'a b.jpg']


@pytest.fixture
def photos(tmp_path):
    return str(write_classes(tmp_path, dict(ant=10, bee=10, cow=10)))


def test_a_sample_is_a_fold(photos):
    sample = FolderSample(num_images=3, seed=0, data_root=photos)
    fold = KFoldDataset(
        dict(type='CustomDataset', data_root=photos),
        fold=0,
        num_splits=10,
        test_mode=True,
        seed=0,
    )
    assert len(sample) == 3
    assert paths_of(sample) == paths_of(fold)


def test_samples_of_several_seeds_and_one_after_the_other(photos):
    first, again, other, rest = (
        paths_of(FolderSample(data_root=photos, num_images=5, **part))
        for part in ({}, {}, dict(seed=1), dict(skip=5))
    )
    assert first == again != other
    both = FolderSample(data_root=photos, num_images=10)
    assert first + rest == paths_of(both)
    assert both.CLASSES == ('ant', 'bee', 'cow')
