"""Nothing of an archive is written where or as large as it should not be."""

import io
import tarfile
import zipfile

import preparation
import pytest
import unpacking
from preparation import fetch_missing
from published_sets import Download
from unpacking import unpack

from mmdrloc.utils.errors import UsageError


def tar(path, *members):
    """Members are names, or TarInfos without content."""
    mode = 'w:gz' if path.suffix == '.gz' else 'w'
    with tarfile.open(path, mode) as archive:
        for member in members:
            if isinstance(member, str):
                member = tarfile.TarInfo(member)
                member.size = 3
            content = io.BytesIO(b'0' * member.size)
            archive.addfile(member, content if member.size else None)
    return path


def zipped(path, *names, size=3):
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, b'0' * size)
    return path


def special(kind, target=''):
    member = tarfile.TarInfo('special')
    member.type, member.linkname = kind, target
    return member


def refuse(file, folder, match):
    with pytest.raises(UsageError, match=match):
        unpack(file, folder / 'out')
    found = {path for path in folder.rglob('*') if path.is_file()}
    assert found == {file}


@pytest.mark.parametrize(
    'name', ['../a.txt', 'a/../../a.txt', '/a.txt', 'C:/a.txt', '..\\a.txt']
)
@pytest.mark.parametrize('maker', [tar, zipped])
def test_names_that_lead_out(tmp_path, maker, name):
    suffix = 'tar' if maker is tar else 'zip'
    file = maker(tmp_path / f'a.{suffix}', 'good.txt', name)
    refuse(file, tmp_path, 'outside the destination')


@pytest.mark.parametrize(
    'member',
    [
        special(tarfile.SYMTYPE, '/etc/passwd'),
        special(tarfile.SYMTYPE, '..'),
        special(tarfile.LNKTYPE, '../a'),
        special(tarfile.CHRTYPE),
        special(tarfile.FIFOTYPE),
    ],
)
def test_links_and_devices(tmp_path, member):
    file = tar(tmp_path / 'a.tar', 'good.txt', member)
    refuse(file, tmp_path, 'neither a file nor')


def test_a_link_in_a_zip(tmp_path):
    member = zipfile.ZipInfo('link')
    member.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / 'a.zip', 'w') as archive:
        archive.writestr(member, '/etc/passwd')
    refuse(tmp_path / 'a.zip', tmp_path, 'neither a file nor')


@pytest.mark.parametrize('maker', [tar, zipped])
@pytest.mark.parametrize(
    'limit, value', [('ALWAYS_ALLOWED', 0), ('MOST_FILES', 2)]
)
def test_bombs(tmp_path, monkeypatch, maker, limit, value):
    monkeypatch.setattr(unpacking, limit, value)
    if maker is tar:
        big = tarfile.TarInfo('d')
        big.size = 1 << 20
        file = tar(tmp_path / 'a.tar.gz', 'a', 'b', 'c', big)
    else:
        file = zipped(tmp_path / 'a.zip', 'a', 'b', 'c', size=1 << 20)
    refuse(file, tmp_path, 'as no data set does')


def test_no_room(tmp_path, monkeypatch):
    file = zipped(tmp_path / 'a.zip', 'a')
    usage = unpacking.shutil.disk_usage(tmp_path)._replace(free=2)
    monkeypatch.setattr(unpacking.shutil, 'disk_usage', lambda path: usage)
    refuse(file, tmp_path, 'free some')


def test_a_file_cut_off(tmp_path):
    for file in (
        tar(tmp_path / 'a.tar.gz', *map(str, range(99))),
        zipped(tmp_path / 'a.zip', 'a'),
    ):
        file.write_bytes(file.read_bytes()[:-30])
        with pytest.raises(UsageError, match='cannot be unpacked'):
            unpack(file, tmp_path / 'out')


def test_killed_while_unpacking(tmp_path, monkeypatch):
    """What was half there is thrown away, and nothing of it is taken."""
    web = zipped(tmp_path / 'a.zip', 'images/a', 'images/b')
    monkeypatch.setattr(
        preparation,
        'fetch',
        lambda url, path, md5: path.write_bytes(web.read_bytes()),
    )
    left = tmp_path / 'data/.downloads/unpacking-set/0/images'
    left.mkdir(parents=True)
    (left / 'half').write_text('')
    fetch_missing([Download('a.zip', 'images')], tmp_path / 'data/set')
    found = sorted(p.name for p in (tmp_path / 'data/set/images').iterdir())
    assert found == ['a', 'b']
    assert not left.exists()
