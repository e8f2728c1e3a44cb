"""Subsets of ImageNet: balanced or not, repeatable, readable."""

from collections import Counter

import prepare
import pytest
from command_line import run
from prepare import write_subset

from mmdrloc.utils.errors import UsageError


@pytest.fixture
def root(tmp_path, monkeypatch):
    subsets = {'balanced': (6, 2), 'any': (5, None)}
    monkeypatch.setattr(prepare, 'SUBSETS', subsets)
    write_images(tmp_path, [f'n0{n % 3}/{n}.JPEG' for n in range(12)])
    return tmp_path


def write_images(root, names):
    for name in names:
        path = root / 'imagenet/train' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def read(path):
    return [line.split() for line in path.read_text().splitlines()]


def test_the_same_number_of_each_class(root):
    path = write_subset('balanced', root)
    assert path == root / 'imagenet/meta/balanced.txt'
    rows = read(path)
    assert len({name for name, _ in rows}) == 6
    assert Counter(label for _, label in rows) == {'0': 2, '1': 2, '2': 2}
    for name, label in rows:
        assert (root / 'imagenet/train' / name).is_file()
        assert name.startswith(f'n0{label}/')


def test_of_all_classes_together(root):
    first = read(write_subset('any', root))
    assert len({name for name, _ in first}) == 5
    assert read(write_subset('any', root)) == first


def test_no_imagenet(tmp_path):
    with pytest.raises(UsageError, match='prepare.py imagenet-1k'):
        write_subset('sin-10k', tmp_path)


def test_the_command(tmp_path):
    names = [f'n{n // 10:04}/{n}.JPEG' for n in range(10_000)]
    write_images(tmp_path / 'data', names)
    done = run('dataset_converters/prepare.py', 'sin-10k', cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(read(tmp_path / 'data/imagenet/meta/sin-10k.txt')) == 10_000
