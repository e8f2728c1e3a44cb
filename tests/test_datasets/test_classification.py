"""The data sets that mmpretrain lacks, and what they refuse."""

import fake_datasets as fake
import numpy as np
import pytest
from mmengine.registry import DATASETS
from scipy.io import savemat

from mmdrloc.datasets.categories import IMAGENET100_CATEGORIES
from mmdrloc.utils.errors import UsageError


def build(kind, root, **options):
    return DATASETS.build(
        dict(type=f'mmdrloc.{kind}', data_root=str(root), **options)
    )


def refused(kind, root, **options):
    with pytest.raises(UsageError) as error:
        build(kind, root, **options)
    return str(error.value)


# ---- SVHN ----------------------------------------------------------------


@pytest.mark.parametrize('split', ['train', 'test'])
def test_svhn(tmp_path, split):
    fake.write_svhn(tmp_path / 'svhn')
    dataset = build('SVHN', tmp_path / 'svhn', split=split)
    assert dataset.get_gt_labels().tolist() == [1, 2, 0]
    assert dataset.metainfo['classes'] == tuple('0123456789')
    image = dataset[0]['img']
    assert image.shape == (32, 32, 3)
    assert (image == fake.RED).all()


def test_svhn_keeps_images_upright(tmp_path):
    images = np.random.default_rng(0).integers(0, 255, (32, 32, 3, 2))
    savemat(
        tmp_path / 'train_32x32.mat',
        dict(X=np.uint8(images), y=[[1], [2]]),
    )
    dataset = build('SVHN', tmp_path)
    assert (dataset[1]['img'] == images[..., 1]).all()


def test_svhn_refuses(tmp_path):
    assert 'there is no file' in refused('SVHN', tmp_path)
    path = tmp_path / 'train_32x32.mat'
    path.write_bytes(b'no such thing')
    assert 'train_32x32.mat is damaged' in refused('SVHN', tmp_path)
    images = np.zeros((32, 32, 3, 2), np.uint8)
    savemat(path, dict(X=images, y=[[1], [11]]))
    assert 'labels up to 11' in refused('SVHN', tmp_path)
    savemat(path, dict(X=images, y=[[1]]))
    assert '1 labels' in refused('SVHN', tmp_path)


# ---- DomainNet -----------------------------------------------------------


@pytest.fixture
def sketches(tmp_path):
    fake.write_domainnet(tmp_path, 'sketch')
    return tmp_path


def test_domainnet(sketches):
    train, test = (
        build('DomainNet', sketches, domain='sketch', split=split)
        for split in ('train', 'test')
    )
    # The training list alone names 3 of the classes.
    assert (len(train), len(test)) == (3, 345)
    assert train.metainfo['classes'] == test.metainfo['classes']
    assert train.metainfo['classes'][344] == 'class_344'
    assert test.get_gt_labels().tolist() == list(range(345))
    path = sketches / 'sketch/class_2/sketch_train_2.jpg'
    assert train[2]['img_path'] == str(path)


@pytest.mark.parametrize(
    'line, message',
    [
        ('sketch/a/1.jpg 345', 'line 4: label 345 is beyond the classes'),
        ('sketch/a/1.jpg', "line 4: 'sketch/a/1.jpg' is no path and label"),
        ('sketch/a/1.jpg x', 'line 4'),
        ('sketch/clas_1/1.jpg 1', 'label 1 to the folders class_1 and clas_1'),
    ],
)
def test_domainnet_refuses_lines(sketches, line, message):
    with open(sketches / 'sketch_train.txt', 'a') as file:
        file.write(line)
    assert message in refused('DomainNet', sketches, domain='sketch')


# ---- ImageNet-100 and Indoor67 -------------------------------------------


def test_imagenet100_takes_its_classes_alone(tmp_path):
    fake.write_imagenet100(tmp_path)
    dataset = build('ImageNet100', tmp_path, split='val')
    assert len(dataset) == len(set(IMAGENET100_CATEGORIES)) == 100
    for index in (0, 99):
        sample = dataset[index]
        assert sample['gt_label'] == index
        assert IMAGENET100_CATEGORIES[index] in sample['img_path']


def test_imagenet100_refuses(tmp_path):
    fake.write_imagenet100(tmp_path)
    folder = tmp_path / 'train' / IMAGENET100_CATEGORIES[7]
    [image] = folder.iterdir()
    image.unlink()
    assert f'one of them is {folder.name}' in refused('ImageNet100', tmp_path)
    folder.rmdir()
    assert 'lacks 1 of the 100' in refused('ImageNet100', tmp_path)


def test_indoor67(tmp_path):
    fake.write_indoor67(tmp_path)
    dataset = build('Indoor67', tmp_path, split='test')
    assert dataset.get_gt_labels().tolist() == [0, 66]
    path = tmp_path / 'Images/winecellar/Test.jpg'
    assert dataset[1]['img_path'] == str(path)
    (tmp_path / 'TestImages.txt').write_text('wine_cellar/Test.jpg')
    assert "'wine_cellar' is no" in refused('Indoor67', tmp_path, split='test')
