"""A set is as published, or it is said what is not and where to get it."""

import tarfile
import zipfile
from pathlib import Path

import fake_datasets as fake
import preparation
import pytest
from mmengine.config import Config
from preparation import fetch_missing, folder_of, prepare
from published_sets import PUBLISHED, Download

from mmdrloc.utils.errors import UsageError

CONFIGS = Path(__file__).parents[3] / 'configs/_base_/datasets'
# Of the one that is drawn here.
SVHN = dict(num_train=3, num_val=3)


def described(name, **changes):
    """What a data set's config says, with other numbers."""
    cfg = Config.fromfile(CONFIGS / f'{name}.py')
    cfg.merge_from_dict(changes)
    return cfg


@pytest.fixture
def svhn(tmp_path):
    fake.write_svhn(tmp_path / 'svhn')
    return tmp_path


@pytest.fixture
def official(tmp_path, monkeypatch):
    """A folder that stands for the web, and what was taken from it."""
    web = tmp_path / 'web'
    web.mkdir()
    taken = []

    def fetch(url, path, md5=None):
        taken.append(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((web / url).read_bytes())

    monkeypatch.setattr(preparation, 'fetch', fetch)
    return web, taken


def refusal(name, root, numbers=(), **options):
    with pytest.raises(UsageError) as error:
        prepare(described(name, **dict(numbers)), str(root), **options)
    return str(error.value)


def test_complete(svhn):
    counts = prepare(described('svhn', **SVHN), str(svhn))
    assert counts == dict(train=3, test=3, classes=10)


def test_other_counts(svhn):
    text = refusal('svhn', svhn, dict(SVHN, num_train=4))
    assert 'train: 3 images, published are 4' in text
    assert 'test:' not in text
    assert PUBLISHED['svhn'].page in text


def test_everything_at_once(tmp_path):
    folder = tmp_path / 'domainnet'
    fake.write_domainnet(folder, 'real')
    numbers = dict(num_train=5, num_val=345)
    (folder / 'real/class_1/real_train_1.jpg').unlink()
    (folder / 'real/class_9/real_test_9.jpg').write_bytes(b'broken')
    text = refusal('domainnet-real', tmp_path, numbers, check_only=True)
    for finding in (
        'train: 3 images, published are 5',
        'real_train_1.jpg is missing',
        'real_test_9.jpg is damaged',
        'without --check-only',
    ):
        assert finding in text


def test_many_bad_images_are_counted(tmp_path):
    fake.write_domainnet(tmp_path / 'domainnet', 'real')
    numbers = dict(num_train=3, num_val=345)
    for path in tmp_path.glob('domainnet/real/*/real_test_1?.jpg'):
        path.unlink()
    text = refusal('domainnet-real', tmp_path, numbers)
    assert 'and 5 more such images' in text


def test_label_beyond_the_classes(tmp_path):
    fake.write_flowers102(tmp_path / 'flowers102')
    numbers = dict(num_train=4, num_val=2, num_classes=101)
    text = refusal('flowers102', tmp_path, numbers)
    assert 'labels 101 to 101, there are 101' in text


def test_sets_that_are_obtained_by_hand_are_only_checked(tmp_path):
    text = refusal('imagenet-100', tmp_path)
    assert 'lacks 100 of the 100' in text
    assert 'by hand from https://www.image-net.org' in text


def test_check_only_downloads_nothing(tmp_path, official):
    refusal('svhn', tmp_path / 'data', check_only=True)
    assert official[1] == []
    assert not (tmp_path / 'data').exists()


def test_without_network(tmp_path, monkeypatch):
    """What is missing and where it is, beside the download that failed."""

    def fetch(url, path, md5=None):
        raise UsageError(f'{url} cannot be fetched')

    monkeypatch.setattr(preparation, 'fetch', fetch)
    text = refusal('svhn', tmp_path)
    assert 'train_32x32.mat cannot be fetched' in text
    assert 'there is no file' in text
    assert f'obtained from {PUBLISHED["svhn"].page}' in text


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / 'data').write_text('a file')
    text = refusal('svhn', tmp_path / 'data')
    assert 'cannot be written' in text and 'choose another folder' in text


# ---- fetching ------------------------------------------------------------


def test_missing_parts_are_fetched_and_unpacked(tmp_path, official):
    web, taken = official
    fake.write_image(tmp_path / 'jpg/a.jpg')
    with tarfile.open(web / 'a.tgz', 'w:gz') as archive:
        archive.add(tmp_path / 'jpg', 'jpg')
    with zipfile.ZipFile(web / 'b.zip', 'w') as archive:
        archive.write(tmp_path / 'jpg/a.jpg', 'images/a.jpg')
    (web / 'c.txt').write_text('a list')
    parts = [
        Download('a.tgz', 'jpg'),
        Download('b.zip', 'images'),
        Download('c.txt', 'c.txt'),
    ]
    folder = tmp_path / 'data/set'
    fetch_missing(parts[2:], folder)
    fetch_missing(parts, folder)
    assert taken == ['c.txt', 'a.tgz', 'b.zip']
    found = {str(p.relative_to(folder)) for p in folder.rglob('*.*')}
    assert found == {'jpg/a.jpg', 'images/a.jpg', 'c.txt'}
    assert list((tmp_path / 'data/.downloads').glob('[!.]*')) == []


@pytest.mark.parametrize('name', ['a.zip', 'a.tgz'])
def test_a_broken_archive_leaves_no_part_of_the_set(tmp_path, official, name):
    web, _ = official
    (web / 'list.txt').write_text('a list')
    (web / name).write_bytes(b'broken')
    parts = [Download('list.txt', 'list.txt'), Download(name, 'images')]
    with pytest.raises(UsageError, match='cannot be unpacked'):
        fetch_missing(parts, tmp_path / 'data/set')
    assert not (tmp_path / 'data/set').exists()


def test_an_archive_of_something_else(tmp_path, official):
    with zipfile.ZipFile(official[0] / 'a.zip', 'w') as archive:
        archive.writestr('other.txt', '')
    with pytest.raises(UsageError, match='does not hold images'):
        fetch_missing([Download('a.zip', 'images')], tmp_path / 'data/set')


def test_no_archive_writes_outside(tmp_path, official):
    with tarfile.open(official[0] / 'a.tar', 'w') as archive:
        entry = tarfile.TarInfo('../../outside.txt')
        archive.addfile(entry)
    with pytest.raises(UsageError, match='outside the destination'):
        fetch_missing([Download('a.tar', 'images')], tmp_path / 'data/set')
    assert not list(tmp_path.rglob('outside.txt'))


# ---- the table -----------------------------------------------------------


def test_every_part_has_a_place_of_its_own():
    places = [
        (folder_of(described(name), 'data'), part.makes)
        for name, published in PUBLISHED.items()
        for part in published.downloads
    ]
    assert len(set(places)) == len(places) > 20
