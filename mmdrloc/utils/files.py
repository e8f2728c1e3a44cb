"""Write files that are never seen half-written; compute checksums."""

import errno
import hashlib
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Union

from .errors import UsageError

# Ends the names of files that are not complete yet.
SUFFIX = '.mmdrloc.tmp'


@contextmanager
def atomic_path(path: Union[str, Path]) -> Iterator[Path]:
    """Give a temporary path beside ``path`` that replaces it on success.

    The new file is on the disk before it gets the name, and the name before
    this returns: whatever ends the process, or the machine, leaves the old
    file or the new one.

    Args:
        path (str | Path): The file to write; its folder is made if absent.

    Yields:
        Path: Where to write. Removed if the body raises.
    """
    # '.' has no name; a shell leaves the ~ of --out=~/page.html.
    path = Path(os.path.abspath(os.path.expanduser(path)))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f'.{path.name}.{os.getpid()}{SUFFIX}')
    try:
        yield temporary
        if temporary.is_dir():
            os.sync()  # at once: there may be many files
        else:
            _flush(temporary)
        os.replace(temporary, path)
        _flush(path.parent)
    finally:
        _remove(temporary)


@contextmanager
def atomic_folder(path: Union[str, Path]) -> Iterator[Path]:
    """Like :func:`atomic_path`, for a new folder.

    Raises:
        UsageError: If ``path`` is a file or holds something.
    """
    # A link cannot be replaced.
    path = Path(os.path.realpath(os.path.expanduser(path)))
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        raise UsageError(
            f'{path} is there already: give another folder, or remove it.'
        )
    if path.is_dir() and (path.samefile('.') or os.path.ismount(path)):
        raise UsageError(f'{path} is in use: give a new folder in it.')
    with atomic_path(path) as temporary:
        temporary.mkdir()
        yield temporary


def check_writable(path: Union[str, Path]) -> None:
    """Fail now, not after hours, if a file cannot be written."""
    path = Path(os.path.expanduser(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with open(path, 'ab'):
        pass
    if is_new:  # a command that is stopped leaves nothing
        path.unlink(missing_ok=True)  # by another process


def sha256_of(path: Union[str, Path]) -> str:
    """The checksum of a file's content."""
    with open(path, 'rb') as file:
        return hashlib.file_digest(file, 'sha256').hexdigest()


def remove_leftovers(folder: Union[str, Path]) -> None:
    """Remove what a killed process left incomplete in a folder."""
    for path in Path(folder).glob(f'.*{SUFFIX}'):
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Make the system write a file, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # File systems without it say so; the write itself succeeded.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)
