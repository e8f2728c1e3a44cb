"""Write files so that no reader ever meets half of one; know them again."""

import errno
import hashlib
import os
import re
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Union

# What atomic_path calls a file that is not complete yet, and whose it is.
TEMPORARY = re.compile(r'\..+\.(\d+)\.tmp')


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
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f'.{path.name}.{os.getpid()}.tmp')
    try:
        yield temporary
        _flush(temporary)
        os.replace(temporary, path)
        if os.name != 'nt':  # which cannot open folders
            _flush(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: Union[str, Path]) -> Iterator[Path]:
    """Give a temporary folder beside ``path`` that gets its name on success.

    What is in it is on the disk before it does.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f'.{path.name}.{os.getpid()}.tmp')
    temporary.mkdir()
    try:
        yield temporary
        if hasattr(os, 'sync'):  # at once: there may be many files
            os.sync()
        os.replace(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def sha256_of(path: Union[str, Path]) -> str:
    """The checksum of a file's content."""
    with open(path, 'rb') as file:
        return hashlib.file_digest(file, 'sha256').hexdigest()


def remove_leftovers(folder: Union[str, Path]) -> None:
    """Remove temporary files and folders whose writers were killed."""
    for path in Path(folder).glob('.*.tmp'):
        writer = TEMPORARY.fullmatch(path.name)
        if writer and not _is_alive(int(writer[1])):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Have the system write a file, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some file systems cannot, and say so: the write itself succeeded.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's, or a number that cannot be one
        return True
    return True
