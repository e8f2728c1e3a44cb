"""Versions without imports; the revision of our checkout and no other."""

import subprocess

import pytest

from mmdrloc.utils import provenance


def git(folder, *arguments):
    return subprocess.run(
        ['git', '-c', 'user.name=a', '-c', 'user.email=a@b', *arguments],
        cwd=folder,
        check=True,
        text=True,
        capture_output=True,
    ).stdout.strip()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package in a repository, tracked only once a test adds it."""
    (tmp_path / 'mmdrloc').mkdir()
    (tmp_path / 'mmdrloc/__init__.py').touch()
    git(tmp_path, 'init')
    git(tmp_path, 'commit', '--allow-empty', '-m', 'start')
    monkeypatch.setattr(
        provenance, '__file__', str(tmp_path / 'mmdrloc/utils/provenance.py')
    )
    return tmp_path / 'mmdrloc'


def test_the_revision_where_there_is_git(package, monkeypatch):
    git(package, 'add', '.')
    git(package, 'commit', '-m', 'package')
    revision = git(package, 'rev-parse', 'HEAD')
    assert provenance.git_revision() == revision
    (package / '__init__.py').write_text('a = 1\n')
    assert provenance.git_revision() == f'{revision}-dirty'
    monkeypatch.setenv('PATH', '')
    assert provenance.git_revision() is None
