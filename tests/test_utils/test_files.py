"""Files that are whole or not there."""

import errno
import os

import pytest

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import (
    atomic_folder,
    atomic_path,
    remove_leftovers,
)


def test_a_file_and_a_folder_appear_whole(tmp_path):
    path, folder = tmp_path / 'new/file', tmp_path / 'new/folder'
    with atomic_path(path) as temporary, atomic_folder(folder) as other:
        temporary.write_text('one')
        (other / 'in').mkdir()
        assert not path.exists() and not folder.exists()
    assert path.read_text() == 'one' and (folder / 'in').is_dir()
    assert {*path.parent.iterdir()} == {path, folder}


def test_a_tilde_that_the_shell_left(tmp_path, monkeypatch):
    """bash leaves that of --out=~/page.html."""
    monkeypatch.setenv('HOME', str(tmp_path))
    with atomic_path('~/file') as temporary:
        temporary.touch()
    with atomic_folder('~/folder') as new:
        (new / 'in').touch()
    assert (tmp_path / 'file').exists() and (tmp_path / 'folder/in').exists()


def test_a_link_to_an_empty_folder_is_filled(tmp_path):
    (tmp_path / 'disk').mkdir()
    (tmp_path / 'link').symlink_to(tmp_path / 'disk')
    with atomic_folder(tmp_path / 'link') as new:
        (new / 'in').mkdir()
    assert (tmp_path / 'disk/in').is_dir() and (tmp_path / 'link/in').is_dir()


def test_no_folder_that_is_used(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match='is in use'), atomic_folder('.'):
        pass
    (tmp_path / 'file').touch()
    with pytest.raises(UsageError, match='is there already'):
        with atomic_folder(tmp_path):
            pass


def test_a_failure_leaves_the_old_one(tmp_path):
    path = tmp_path / 'file'
    path.write_text('old')
    with pytest.raises(RuntimeError), atomic_path(path) as temporary:
        temporary.write_text('half')
        raise RuntimeError
    assert path.read_text() == 'old'
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_not_on_the_disk_does_not_get_the_name(tmp_path, monkeypatch):
    def fail(descriptor):
        raise OSError(errno.EIO, 'Input/output error')

    monkeypatch.setattr(os, 'fsync', fail)
    path = tmp_path / 'file'
    path.write_text('old')
    with pytest.raises(OSError), atomic_path(path) as temporary:
        temporary.write_text('new')
    assert path.read_text() == 'old'


def test_leftovers_of_the_dead_go(tmp_path):
    with pytest.raises(KeyboardInterrupt), atomic_path(tmp_path / 'a') as made:
        gone = made.with_name(made.name.replace('.a.', '.epoch_1.pth.'))
        gone.touch()
        raise KeyboardInterrupt
    kept = [tmp_path / '.of_the_user.tmp', tmp_path / 'epoch_1.pth']
    for path in kept:
        path.touch()
    remove_leftovers(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(kept)
