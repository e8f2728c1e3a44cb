"""Unpack archives whose makers are not known."""

import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Iterable, Iterator, List, NamedTuple

from rich.progress import track

from mmdrloc.utils.errors import UsageError

# More than any data set of photos: ImageNet-1K has 1.3 million files.
MOST_FILES = 3_000_000
# Times its own size that an archive may unpack to, beside a little. Photos
# hardly shrink, text and label maps do.
MOST_GROWTH = 100
ALWAYS_ALLOWED = 256 << 20

BROKEN = (
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)


class Entry(NamedTuple):
    """One member of an archive.

    Args:
        name (str): Its path.
        size (int): Bytes, unpacked.
        is_plain (bool): Whether it is a file or a folder. Links are neither:
            no data set needs them, and they have led out of folders despite
            ``tarfile``'s filter.
    """

    name: str
    size: int
    is_plain: bool


def is_archive(file: Path) -> bool:
    """Whether a file, which need not exist, is to be unpacked by its name."""
    return file.suffix in ('.zip', '.tar', '.tgz', '.gz')


def unpack(file: Path, folder: Path) -> None:
    """Unpack an archive into a new folder.

    Nothing is written before all of it has been looked at: names that lead
    out of the folder, devices, more than the disk has room for, or far more
    than such an archive can honestly hold are refused.

    Args:
        file (Path): A zip or tar file.
        folder (Path): To be made. If anything goes wrong, what is in it is
            to be thrown away.

    Raises:
        UsageError: If it cannot or must not be unpacked.
    """
    try:
        if file.suffix == '.zip':
            _unpack_zip(file, folder)
        else:
            _unpack_tar(file, folder)
    except UsageError:
        raise
    except BROKEN as error:
        raise UsageError(
            f'{file} cannot be unpacked ({error}): make room if the disk is '
            'full, otherwise remove it, and run the same command again.'
        ) from error


def _unpack_zip(file: Path, folder: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        _check(file, folder, (_zip_entry(member) for member in members))
        for member in track(members, f'unpacking {file.name}', transient=True):
            archive.extract(member, folder)


def _zip_entry(member: zipfile.ZipInfo) -> Entry:
    kind = stat.S_IFMT(member.external_attr >> 16)
    plain = kind in (0, stat.S_IFREG, stat.S_IFDIR)
    return Entry(member.filename, member.file_size, plain)


def _unpack_tar(file: Path, folder: Path) -> None:
    with tarfile.open(file) as archive:
        members: List[tarfile.TarInfo] = []
        _check(file, folder, _tar_entries(archive, members))
        for member in track(members, f'unpacking {file.name}', transient=True):
            archive.extract(member, folder, filter='data')


def _tar_entries(
    archive: tarfile.TarFile, members: List[tarfile.TarInfo]
) -> Iterator[Entry]:
    """One at a time: a bomb is noticed before it is read to its end."""
    for member in archive:
        members.append(member)
        plain = member.isfile() or member.isdir()
        yield Entry(member.name, member.size, plain)


def _check(file: Path, folder: Path, entries: Iterable[Entry]) -> None:
    packed = file.stat().st_size
    honest = ALWAYS_ALLOWED + MOST_GROWTH * packed
    parent = next(path for path in folder.parents if path.exists())
    free = shutil.disk_usage(parent).free
    count = total = 0
    for entry in entries:
        count += 1
        total += entry.size
        if _leads_out(entry.name):
            raise UsageError(
                f"{file} holds '{entry.name}', which is outside the "
                'destination: it is not unpacked, remove it.'
            )
        if not entry.is_plain:
            raise UsageError(
                f"{file} holds '{entry.name}', which is neither a file nor a "
                'folder (a link, a device): it is not unpacked, remove it.'
            )
        if count > MOST_FILES or total > honest:
            raise UsageError(
                f'{file} of {packed} bytes would unpack to more than '
                f'{min(count, MOST_FILES)} files or {honest >> 20} MiB, as '
                'no data set does: it is not unpacked, remove it.'
            )
        if total > free:
            raise UsageError(
                f'{file} unpacks to more than the {free / 2**30:.1f} GiB that '
                f'{parent} has left: free some.'
            )


def _leads_out(name: str) -> bool:
    """Whether a name is absolute or climbs, here or on Windows."""
    paths = (PurePosixPath(name), PureWindowsPath(name))
    return '\0' in name or any(
        path.is_absolute() or path.anchor or '..' in path.parts
        for path in paths
    )
