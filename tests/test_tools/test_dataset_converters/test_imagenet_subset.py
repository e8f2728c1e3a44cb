"""Subsets of ImageNet: balanced or not, repeatable, readable."""

from collections import Counter

import imagenet_subset
import pytest
from command_line import run
from imagenet_subset import write_subset

from mmdrloc.utils.errors import UsageError


@pytest.fixture
def root(tmp_path, monkeypatch):
    subsets = {'balanced': (6, 2), 'any': (5, None)}
    monkeypatch.setattr(imagenet_subset, 'SUBSETS', subsets)
    for folder in ('n03', 'n01', 'n02'):
        for number in range(4):
            path = tmp_path / f'train/{folder}/{folder}_{number}.JPEG'
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    return tmp_path


def read(path):
    return [line.split() for line in path.read_text().splitlines()]


def test_the_same_number_of_each_class(root):
    path = write_subset('balanced', root)
    assert path == root / 'meta/balanced.txt'
    labels = dict(n01='0', n02='1', n03='2')
    rows = read(path)
    assert len({name for name, _ in rows}) == 6
    assert Counter(label for _, label in rows) == {'0': 2, '1': 2, '2': 2}
    for name, label in rows:
        assert (root / 'train' / name).is_file()
        assert label == labels[name.split('/')[0]]


def test_of_all_classes_together(root):
    assert len({name for name, _ in read(write_subset('any', root))}) == 5


def test_the_same_list_again(root):
    first = write_subset('any', root).read_text()
    assert write_subset('any', root).read_text() == first


def test_no_imagenet(tmp_path):
    with pytest.raises(UsageError, match='prepare.py imagenet-1k'):
        write_subset('sin-10k', tmp_path)


def test_the_command(tmp_path):
    for number in range(10_000):
        place = tmp_path / f'data/imagenet/train/n{number // 10:04}'
        place.mkdir(parents=True, exist_ok=True)
        (place / f'{number}.JPEG').touch()
    tool = 'dataset_converters/imagenet_subset.py'
    done = run(tool, 'sin-10k', cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(read(tmp_path / 'data/imagenet/meta/sin-10k.txt')) == 10_000
