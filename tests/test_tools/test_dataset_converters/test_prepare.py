"""A set is as published, or it is said what is not and where to get it."""

import contextlib
import shutil
import tarfile
import zipfile
from pathlib import Path

import fake_datasets as fake
import prepare
import pytest
from command_line import run
from prepare import SETS, fetch_missing, unpack

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def numbers(monkeypatch):
    """Let a set have other counts."""

    def change(name, **counts):
        changed = dict(CATALOG[name], **counts)
        monkeypatch.setitem(prepare.CATALOG, name, changed)

    return change


@pytest.fixture
def official(tmp_path, monkeypatch):
    """A folder that stands for the web, and what was taken from it."""
    web, taken = tmp_path / 'web', []
    web.mkdir()

    def download_url(url, root, filename, md5=None):
        taken.append(url)
        shutil.copy(web / url, Path(root, filename))

    monkeypatch.setattr(
        'torchvision.datasets.utils.download_url', download_url
    )
    return web, taken


def refusal(name, root):
    with pytest.raises(UsageError) as error:
        prepare.prepare(name, str(root))
    return str(error.value)


def test_complete(tmp_path, numbers):
    fake.write_svhn(tmp_path / 'svhn')
    numbers('svhn', num_train=3, num_val=3)
    prepare.prepare('svhn', str(tmp_path))


def test_other_counts(tmp_path, numbers):
    fake.write_svhn(tmp_path / 'svhn')
    numbers('svhn', num_train=4, num_val=3)
    text = refusal('svhn', tmp_path)
    assert 'train: 3 images, published are 4' in text
    assert 'val:' not in text and SETS['svhn']['page'] in text


def test_a_download_that_fails(tmp_path, official):
    text = refusal('svhn', tmp_path / 'data')
    assert 'train_32x32.mat' in text and SETS['svhn']['page'] in text
    (tmp_path / 'file').write_text('a file')
    assert 'file' in refusal('svhn', tmp_path / 'file')


def test_missing_parts_are_fetched_and_unpacked(tmp_path, official):
    web, taken = official
    fake.write_image(tmp_path / 'jpg/a.jpg')
    with tarfile.open(web / 'a.tgz', 'w:gz') as archive:
        archive.add(tmp_path / 'jpg', 'jpg')
    with zipfile.ZipFile(web / 'b.zip', 'w') as archive:
        archive.write(tmp_path / 'jpg/a.jpg', 'images/a.jpg')
    (web / 'c.txt').write_text('a list')
    parts = [
        dict(url='a.tgz', makes='jpg'),
        dict(url='b.zip', makes='images'),
        dict(url='c.txt', makes='c.txt'),
    ]
    folder = tmp_path / 'data/set'
    fetch_missing(parts[2:], folder)
    fetch_missing(parts, folder)
    assert taken == ['c.txt', 'a.tgz', 'b.zip']
    found = {str(path.relative_to(folder)) for path in folder.rglob('*.*')}
    assert found == {'jpg/a.jpg', 'images/a.jpg', 'c.txt'}


@pytest.mark.parametrize('name', ['a.zip', 'a.tgz'])
def test_a_broken_archive_leaves_no_part(tmp_path, official, name):
    (official[0] / name).write_bytes(b'broken')
    with pytest.raises(UsageError, match='cannot be unpacked'):
        fetch_missing([dict(url=name, makes='images')], tmp_path / 'data/set')
    assert not list((tmp_path / 'data/set').iterdir())


@pytest.mark.parametrize('name', ['../a.txt', 'a/../../a.txt', '/tmp/a.txt'])
def test_names_that_lead_out(tmp_path, name):
    inside = tmp_path / 'one/two/out'
    inside.parent.mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / 'a.zip', 'w') as archive:
        archive.writestr(name, '000')
    with tarfile.open(tmp_path / 'a.tar', 'w') as archive:
        archive.addfile(tarfile.TarInfo(name))
    for file in ('a.zip', 'a.tar'):
        with contextlib.suppress(UsageError):
            unpack(tmp_path / file, inside)
    outside = {p for p in tmp_path.rglob('*.txt') if inside not in p.parents}
    assert not outside


@pytest.mark.parametrize('kind', [tarfile.SYMTYPE, tarfile.CHRTYPE])
def test_links_that_lead_out_and_devices(tmp_path, kind):
    member = tarfile.TarInfo('special')
    member.type, member.linkname = kind, '/etc/passwd'
    with tarfile.open(tmp_path / 'a.tar', 'w') as archive:
        archive.addfile(member)
    with pytest.raises(UsageError, match='cannot be unpacked'):
        unpack(tmp_path / 'a.tar', tmp_path / 'out')


def test_the_command(tmp_path):
    """It says what is missing of a set that needs a registration."""
    tool = 'dataset_converters/prepare.py'
    done = run(tool, 'imagenet-1k', '--root', 'data', cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count('error:') == 1 and 'Traceback' not in done.stderr
    assert SETS['imagenet-1k']['page'] in done.stderr
