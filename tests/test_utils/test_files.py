"""Files that are whole or not there."""

import pytest

from mmdrloc.utils.files import (
    atomic_folder,
    atomic_path,
    remove_leftovers,
)


def test_a_file_appears_whole(tmp_path):
    path = tmp_path / 'new' / 'file'
    with atomic_path(path) as temporary:
        temporary.write_text('one')
        assert not path.exists()
    assert path.read_text() == 'one'
    assert [p.name for p in path.parent.iterdir()] == ['file']


def test_a_failure_leaves_the_old_one(tmp_path):
    path = tmp_path / 'file'
    path.write_text('old')
    with pytest.raises(RuntimeError), atomic_path(path) as temporary:
        temporary.write_text('half')
        raise RuntimeError
    assert path.read_text() == 'old'
    assert list(tmp_path.iterdir()) == [path]


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


def test_a_folder_appears_whole(tmp_path):
    path = tmp_path / 'new' / 'folder'
    with atomic_folder(path) as temporary:
        (temporary / 'in').mkdir()
        (temporary / 'in' / 'file').write_text('one')
        assert not path.exists()
    assert (path / 'in' / 'file').read_text() == 'one'
    assert [p.name for p in path.parent.iterdir()] == ['folder']
