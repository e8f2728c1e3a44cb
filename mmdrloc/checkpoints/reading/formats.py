"""What kind of checkpoint a file is, by its content and never by its name."""

import os
import stat
import tarfile
import zipfile
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import List, Tuple

from mmdrloc.utils.errors import UsageError

# How torch.save began before it wrote zip archives: a number as a pickle.
MAGIC = b'\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.'
# What safetensors itself accepts.
LONGEST_HEADER = 100_000_000


class Format(Enum):
    """What a checkpoint is written as."""

    SAFETENSORS = 'safetensors'
    ZIP = 'zip'
    PICKLE = 'pickle'


def format_of(path: Path) -> Format:
    """Tell what a checkpoint is written as.

    The signatures exclude each other: a file has one format, whatever else
    somebody has hidden behind its beginning.

    Args:
        path (Path): The file.

    Returns:
        Format: Which reader it is for.

    Raises:
        UsageError: If it is absent, no regular file or nothing known.
    """
    size = _size_of_regular_file(path)
    try:
        with open(path, 'rb') as file:
            start = file.read(len(MAGIC))
    except OSError as error:
        raise UsageError(
            f'{path} cannot be read: {error.strerror}.'
        ) from error
    header = int.from_bytes(start[:8], 'little')
    if start[8:9] == b'{' and header <= min(size - 8, LONGEST_HEADER):
        return Format.SAFETENSORS
    if start.startswith(b'PK\x03\x04'):
        return Format.ZIP
    # Of the oldest format, a tar archive, only its poor reader is left.
    if start == MAGIC and not _is_tar(path):
        return Format.PICKLE
    raise UsageError(damaged(path))


def check_archive(path: Path) -> None:
    """Compare a zip archive of ``torch.save`` with its own checksums.

    torch does not look at them. What was seen once is not read again.

    Args:
        path (Path): The archive.

    Raises:
        UsageError: If it is damaged, unpacks to more than it is, or is a
            program for TorchScript.
    """
    status = os.stat(path)
    _check_archive(path, (status.st_ino, status.st_size, status.st_mtime_ns))


def damaged(path: Path) -> str:
    """The sentence for a file that is not what it should be."""
    return (
        f'{path} is damaged, incomplete or no checkpoint: make or '
        'download it again.'
    )


@lru_cache(maxsize=16)
def _check_archive(path: Path, identity: Tuple[int, ...]) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            _check_records(path, archive.infolist(), identity[1])
            broken = archive.testzip()
    except UsageError:
        raise
    except Exception as error:  # damage shows anywhere in the directory
        raise UsageError(damaged(path)) from error
    if broken is not None:
        raise UsageError(
            f'{path} is damaged: its record {broken!r} does not have the '
            'checksum that was written with it, make or download the file '
            'again.'
        )


def _check_records(
    path: Path, records: List[zipfile.ZipInfo], size: int
) -> None:
    """Torch stores its records uncompressed, one after another."""
    names = [Path(record.filename).name for record in records]
    if 'constants.pkl' in names:
        raise UsageError(
            f'{path} is a program for TorchScript: give the checkpoint with '
            'its weights.'
        )
    if 'data.pkl' not in names:
        raise UsageError(
            f'{path} is a zip archive that torch.save did not write: give '
            'the checkpoint that is inside.'
        )
    total = sum(record.file_size for record in records)
    is_stored = all(
        record.compress_type == zipfile.ZIP_STORED
        and not record.flag_bits & 1  # encrypted
        for record in records
    )
    if total > size or not is_stored:
        raise UsageError(
            f'{path} is compressed or unpacks to more than it is ({total:,} '
            f'of {size:,} bytes): torch.save writes no such file, unpack it '
            'and give the checkpoint that is inside.'
        )


def _size_of_regular_file(path: Path) -> int:
    """The size; a pipe or a device would keep its reader waiting."""
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:
        raise UsageError(f'there is no checkpoint {path}.') from error
    if stat.S_ISDIR(status.st_mode):
        raise UsageError(
            f'{path} is a folder, not a checkpoint: name the file in it.'
        )
    if not stat.S_ISREG(status.st_mode):
        raise UsageError(
            f'{path} is a pipe or a device, not a checkpoint: name a file.'
        )
    return status.st_size


def _is_tar(path: Path) -> bool:
    try:
        with tarfile.open(path, 'r:'):
            return True
    except (tarfile.TarError, EOFError, OSError, ValueError):
        return False
