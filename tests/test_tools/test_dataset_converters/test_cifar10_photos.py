"""CIFAR-10 as files: the same pixels, in the folder of their class."""

import pickle

import fake_datasets as fake
import numpy as np
import pytest
from cifar10_photos import write_photos
from PIL import Image
from torchvision.datasets import CIFAR10

from mmdrloc.utils.errors import UsageError


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A CIFAR-10 of two images a file, of the first and the last class."""
    folder = tmp_path / 'cifar10'
    fake.write_cifar(folder, CIFAR10, monkeypatch)
    names = pickle.dumps({'label_names': [*'abcdefghij']})
    (folder / CIFAR10.base_folder / 'batches.meta').write_bytes(names)
    monkeypatch.setitem(CIFAR10.meta, 'md5', None)
    return folder


def test_same_pixels(source, tmp_path):
    out = tmp_path / 'photos'
    write_photos(source, out)
    found = sorted(str(p.relative_to(out)) for p in out.rglob('*.png'))
    # Five files to train on.
    train = [f'train/{"aj"[n % 2]}/{n:05d}.png' for n in range(10)]
    assert found == sorted([*train, 'test/a/00000.png', 'test/j/00001.png'])
    photo = np.asarray(Image.open(out / 'test/j/00001.png'))
    np.testing.assert_array_equal(photo, CIFAR10(source, train=False).data[1])
    assert len([*out.glob('train/*')]) == 10  # a class without images, too
    with pytest.raises(UsageError, match='there already'):
        write_photos(source, out)


def test_no_network(tmp_path, monkeypatch):
    def no_network(*args):
        raise OSError('no network')

    monkeypatch.setattr(CIFAR10, 'download', no_network)
    with pytest.raises(UsageError, match='no network'):
        write_photos(tmp_path / 'cifar10', tmp_path / 'photos')
    assert not (tmp_path / 'photos').exists()
