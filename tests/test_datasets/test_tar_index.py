"""What lies where in tar files, whoever wrote them."""

import json
import os
import subprocess
import tarfile

import pytest
from mmengine.fileio import get
from tiny_shards import photo, samples, write_shard, write_shards

from mmdrloc.datasets import tar_index
from mmdrloc.datasets.tar_index import INDEX, path_in_shard, read_shards
from mmdrloc.utils.errors import UsageError

LONG = 'a_folder_with_a_long_name/' * 12 + 'photo_é'


def contents(folder, pattern='*.tar'):
    return [
        get(path_in_shard(str(folder / name), shard, at))
        for name, shard in read_shards(folder, pattern).items()
        for at in range(len(shard.names))
    ]


@pytest.fixture
def folder(tmp_path):
    return write_shards(tmp_path)


# ---- formats -------------------------------------------------------------


@pytest.mark.parametrize('name', ['1', 'x' * 100, LONG, 'a://b#1+2:c', '//a'])
@pytest.mark.parametrize('kind', [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_as_python_writes_them(tmp_path, kind, name):
    files = {f'{name}.png': photo(1), f'{name}.cls': b'7\n', 'note': b''}
    write_shard(tmp_path / '0.tar', files, kind)
    assert contents(tmp_path) == [photo(1)]
    assert read_shards(tmp_path, '*.tar')['0.tar'].labels == [7]


@pytest.mark.parametrize('kind', ['gnu', 'pax', 'ustar'])
def test_as_gnu_tar_writes_them(tmp_path, kind):
    name = LONG if kind != 'ustar' else 'a/b'
    for number, (suffix, label) in enumerate((('jpg', 3), ('png', 0))):
        file = tmp_path / 'in' / f'{name}{number}.{suffix}'
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(photo(number))
        file.with_suffix('.cls').write_text(str(label))
    line = ['tar', 'cf', '../0.tar', f'--format={kind}', '--sort=name', '.']
    subprocess.run(line, cwd=tmp_path / 'in', check=True)
    assert contents(tmp_path) == [photo(0), photo(1)]
    assert read_shards(tmp_path, '*.tar')['0.tar'].labels == [3, 0]


def test_keys_end_at_the_first_dot_of_the_file(tmp_path):
    files = {'a.b/1.png': photo(1), 'a.b/1.cls': b'2', 'a.b/1.json': b'{}'}
    write_shard(tmp_path / '0.tar', files)
    assert read_shards(tmp_path, '*.tar')['0.tar'].names == ['a.b/1.png']


def test_some_of_the_shards_in_a_folder(folder):
    assert list(read_shards(folder, '*-[02].tar')) == [
        'train-0.tar',
        'train-2.tar',
    ]
    assert contents(folder, '*-1.tar') == [photo(n) for n in (5, 6, 7)]
    assert len(read_shards(folder, '*.tar')) == 3


# ---- the index -----------------------------------------------------------


def counting(monkeypatch):
    read, looked = tar_index.read_shard, []

    def count(path):
        looked.append(path.name)
        return read(path)

    monkeypatch.setattr(tar_index, 'read_shard', count)
    return looked


def test_shards_are_looked_through_once(folder, monkeypatch):
    looked = counting(monkeypatch)
    first = read_shards(folder, '*.tar')
    assert len(looked) == 3
    assert read_shards(folder, '*.tar') == first
    assert len(looked) == 3
    # One is written anew, of the same size even.
    write_shard(folder / 'train-1.tar', samples(50, 3))
    os.utime(folder / 'train-1.tar', ns=(1, 1))
    assert contents(folder)[5:8] == [photo(n) for n in (50, 51, 52)]
    assert sorted(looked)[1:3] == ['train-1.tar'] * 2 and len(looked) == 4


@pytest.mark.parametrize(
    'text',
    [
        '',
        '[]',
        '{"train-0.tar": 3}',
        '{"train-0.tar": {"size": 1}}',
        '{"a": {"size": 1, "changed": 1, "names": ["a"], "offsets": [-1], '
        '"sizes": [1], "labels": [0]}}',
        '{"a": {"size": 9, "changed": 1, "names": ["a"], "offsets": [9], '
        '"sizes": [1], "labels": [0]}}',
        '{"a": {"size": 1, "changed": 1, "names": ["a"], "offsets": [], '
        '"sizes": [1], "labels": [0]}}',
    ],
)
def test_what_is_no_index_is_made_anew(folder, text):
    expected = read_shards(folder, '*.tar')
    (folder / INDEX).write_text(text)
    assert read_shards(folder, '*.tar') == expected
    assert set(json.loads((folder / INDEX).read_text())) == set(expected)


def test_where_nothing_can_be_written(folder, monkeypatch):
    def refuse(path):
        raise OSError(30, 'Read-only file system')

    monkeypatch.setattr(tar_index, 'atomic_path', refuse)
    assert len(contents(folder)) == 12


def test_of_several_processes_the_first_one_writes(folder, monkeypatch):
    monkeypatch.setenv('RANK', '1')
    assert len(contents(folder)) == 12
    assert not (folder / INDEX).exists()


def test_a_shard_that_is_gone(folder):
    read_shards(folder, '*.tar')
    (folder / 'train-1.tar').unlink()
    with pytest.raises(UsageError, match='1 of 3 shards are missing.*-1.tar'):
        read_shards(folder, '*.tar')
    assert len(read_shards(folder, '*-0.tar')) == 1
    with pytest.raises(UsageError, match='there are no shards .*x.tar'):
        read_shards(folder, 'x.tar')


# ---- damage --------------------------------------------------------------


# Where a tar file ends too early, seen from its last file and its end.
CUTS = dict(
    nothing=lambda last, end: 0,
    header=lambda last, end: 100,
    photo=lambda last, end: last - 900,
    label=lambda last, end: last + 200,
    between=lambda last, end: last,
    end=lambda last, end: end,
)


@pytest.mark.parametrize('where', CUTS)
def test_a_shard_that_was_cut_off(folder, where):
    read_shards(folder, '*.tar')
    path = folder / 'train-2.tar'
    with tarfile.open(path) as archive:
        last = archive.getmembers()[-1].offset
        end = archive.offset
    os.truncate(path, CUTS[where](last, end))
    with pytest.raises(UsageError, match='train-2.tar is cut off') as error:
        read_shards(folder, '*.tar')
    assert 'copy or make it again' in str(error.value)


def test_a_damaged_header(folder):
    path = folder / 'train-0.tar'
    with tarfile.open(path) as archive:
        offset = archive.getmembers()[4].offset
    with path.open('r+b') as file:
        file.seek(offset)
        file.write(b'x' * 200)
    with pytest.raises(UsageError, match='train-0.tar is cut off, damaged'):
        read_shards(folder, '*.tar')


def test_what_is_no_plain_tar_file(tmp_path):
    with tarfile.open(tmp_path / '0.tar', 'w:gz'):
        pass
    with pytest.raises(UsageError, match='no plain tar file'):
        read_shards(tmp_path, '*.tar')


@pytest.mark.parametrize(
    ('files', 'words'),
    [
        ({'1.png': b''}, 'no 1.cls'),
        ({'1.png': b'', '1.cls': b'ant'}, "1.cls is 'ant'"),
        ({'1.png': b'', '1.cls': b'-1'}, "1.cls is '-1'"),
        ({'1.png': b'', '1.cls': b''}, "1.cls is ''"),
        ({'1.txt': b'', '1.cls': b'1'}, 'it has no image'),
    ],
)
def test_photos_need_classes(tmp_path, files, words):
    write_shard(tmp_path / '0.tar', files)
    with pytest.raises(UsageError, match=words):
        read_shards(tmp_path, '*.tar')


@pytest.mark.parametrize('how', ['cut', 'gone'])
def test_a_shard_that_is_lost_while_training(folder, how):
    shards = read_shards(folder, '*.tar')
    path = folder / 'train-1.tar'
    last = path_in_shard(str(path), shards['train-1.tar'], 2)
    assert get(last) == photo(7)
    tar_index._opened.cache_clear()
    words = 'train-1.tar ends before 007.png does'
    if how == 'gone':
        path.unlink()
        words = '007.png cannot be read from the shard .*train-1.tar'
    else:
        os.truncate(path, 3000)
    with pytest.raises(UsageError, match=words):
        get(last)


def test_few_files_stay_open(folder, monkeypatch):
    before = len(os.listdir('/proc/self/fd'))
    assert len(contents(folder)) == 12
    assert len(os.listdir('/proc/self/fd')) == before + 3
    tar_index._opened.cache_clear()
    assert len(os.listdir('/proc/self/fd')) == before
