"""Class folders as tar files."""

import os
import shutil
import tarfile
from collections import Counter
from types import SimpleNamespace

import folders_to_shards as converter
import pytest
from folders_to_shards import folders_to_shards
from mmengine.fileio import get
from tiny_shards import photo

from mmdrloc.datasets.tar_shards import TarShards
from mmdrloc.utils.errors import UsageError

CLASSES = dict(ant=7, bee=9)
# The shards of the tests have some five photos.
SIZE = 5 * (len(photo(0)) + 2048)


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(converter, 'MEGABYTE', SIZE)


@pytest.fixture
def folder(tmp_path):
    number = 0
    for part in ('train', 'valid'):
        for name, count in CLASSES.items():
            place = tmp_path / 'in' / part / name
            (place / 'more').mkdir(parents=True)
            for at in range(count):
                below = 'more/' if at % 2 else ''
                file = place / f'{below}a.photo {at // 2}.PNG'
                file.write_bytes(photo(number))
                number += 1
    return tmp_path / 'in'


def convert(folder):
    return folders_to_shards(folder, folder.parent / 'out', 1)


def images(out, part='train'):
    """(content, label) of each image."""
    dataset = TarShards(str(out), part)
    return [(get(item['img_path']), item['gt_label']) for item in dataset]


def test_photos_are_copied_as_they_are(folder):
    assert convert(folder) == dict(train=16, val=16)
    out = folder.parent / 'out'
    assert (out / 'classes.txt').read_text() == 'ant\nbee\n'
    for part, there in (('train', 'train'), ('val', 'valid')):
        expected = Counter(
            (path.read_bytes(), label)
            for label, name in enumerate(CLASSES)
            for path in (folder / there / name).rglob('*.PNG')
        )
        assert Counter(images(out, part)) == expected
    shards = sorted((out / 'train').glob('*.tar'))
    assert [path.name for path in shards] == [
        f'train-{number:06}.tar' for number in range(len(shards))
    ]
    assert len(shards) >= 3
    labels = [label for _, label in images(out)]
    assert labels != sorted(labels)  # in a random order
    for path in shards:
        assert path.stat().st_size <= SIZE + tarfile.RECORDSIZE
        with tarfile.open(path) as archive:
            names = archive.getnames()
        keys = [name.rpartition('.')[0] for name in names]
        assert all('.' not in key for key in keys)
        assert len(set(keys)) == len(names) / 2


def test_a_photo_larger_than_a_shard(folder, monkeypatch):
    monkeypatch.setattr(converter, 'MEGABYTE', 1)
    convert(folder)
    assert len(list((folder.parent / 'out/train').glob('*.tar'))) == 16


def test_goes_on_where_it_was_cut_off(folder, monkeypatch):
    out, write, wrote = folder.parent / 'out', converter._write, []

    def cut(path, *what):
        if len(wrote) == 2:
            raise KeyboardInterrupt
        wrote.append(path)
        write(path, *what)

    with monkeypatch.context() as patch:
        patch.setattr(converter, '_write', cut)
        with pytest.raises(KeyboardInterrupt):
            convert(folder)
    times = {path: path.stat().st_mtime_ns for path in wrote}
    leftover = out / 'train/.train-000002.tar.999999999.tmp'
    leftover.write_bytes(b'half')
    assert convert(folder) == dict(train=16, val=16)
    assert times == {path: path.stat().st_mtime_ns for path in wrote}
    assert not leftover.exists()
    assert len(images(out)) == 16
    # A third time there is nothing to do.
    monkeypatch.setattr(converter, '_write', None)
    assert convert(folder) == dict(train=16, val=16)


def test_a_shard_that_is_not_written_whole_is_none(folder, monkeypatch):
    def stop(archive, name, content):
        raise KeyboardInterrupt

    monkeypatch.setattr(converter, '_add', stop)
    with pytest.raises(KeyboardInterrupt):
        convert(folder)
    there = [path.name for path in (folder.parent / 'out/train').iterdir()]
    assert there == ['plan.json']


def test_shards_of_other_photos_stay_as_they_are(folder):
    convert(folder)
    (folder / 'train/ant/new.png').write_bytes(photo(99))
    with pytest.raises(UsageError, match='holds shards of other photos'):
        convert(folder)
    (folder / 'train/ant/new.png').unlink()
    with pytest.raises(UsageError, match='or of another size'):
        folders_to_shards(folder, folder.parent / 'out', 2)
    (folder.parent / 'out/train/plan.json').unlink()
    with pytest.raises(UsageError, match='holds shards of other photos'):
        convert(folder)


def test_a_full_disk_is_noticed_before(folder, monkeypatch):
    usage = SimpleNamespace(free=3 * SIZE)
    monkeypatch.setattr(shutil, 'disk_usage', lambda path: usage)
    with pytest.raises(OSError, match='are needed'):
        convert(folder)
    assert not list(folder.parent.glob('out/*/*.tar'))


@pytest.mark.parametrize(
    ('spoil', 'words'),
    [
        (lambda folder: shutil.rmtree(folder), 'there is no folder'),
        (lambda folder: shutil.rmtree(folder / 'valid'), 'no folder val: lay'),
        (
            lambda folder: (folder / 'valid/cow').mkdir(),
            'has cow, which are no classes of train',
        ),
        (
            lambda folder: shutil.rmtree(folder / 'valid/bee'),
            'has no image of bee',
        ),
        (
            lambda folder: [shutil.rmtree(p) for p in folder.glob('*/*')],
            'has no class folders',
        ),
        (
            lambda folder: os.truncate(
                next((folder / 'train').rglob('*.PNG')), 300
            ),
            'PNG is damaged .*: replace it, or remove it',
        ),
    ],
)
def test_what_cannot_be_used(folder, spoil, words):
    spoil(folder)
    with pytest.raises(UsageError, match=words):
        convert(folder)
    assert not list(folder.parent.glob('out/*/*.tar'))


def test_a_size_that_is_none(folder):
    with pytest.raises(UsageError, match='--megabytes 0: give at least 1'):
        folders_to_shards(folder, folder.parent / 'out', 0)
