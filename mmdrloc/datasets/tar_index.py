"""Where the photos lie in tar files, and how they are read from there."""

import json
import os
import tarfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Dict, List, NamedTuple

from mmengine.fileio import BaseStorageBackend, register_backend
from rich.console import Console
from rich.progress import track
from torchvision.datasets.folder import is_image_file

from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path

# Beside the shards: what they hold. It may be removed, and is made anew.
INDEX = 'index.json'
# Shards read side by side: network disks are slow one by one.
NUM_THREADS = 8
# Shards that a process keeps open; systems allow 1,024 files, mostly.
MOST_OPEN = 256
# Digits of the number of a class.
MOST_DIGITS = 20


class Shard(NamedTuple):
    """What a tar file holds: an item of each list an image.

    Args:
        size (int): Bytes of the tar file.
        changed (int): When it was changed, in nanoseconds.
        names (list[str]): Of the images in it.
        offsets (list[int]): Where their bytes begin.
        sizes (list[int]): Their bytes.
        labels (list[int]): The numbers of their classes.
    """

    size: int
    changed: int
    names: List[str]
    offsets: List[int]
    sizes: List[int]
    labels: List[int]


@register_backend('mmdrloc_tar', force=True, prefixes='tar')
class TarBackend(BaseStorageBackend):
    """Reads ``tar://`` paths: MMEngine's file functions read out of shards.

    So whatever loads an image by its path loads it from a shard. The path
    holds the place of the bytes, see :func:`path_in_shard`.
    """

    def get(self, filepath: str) -> bytes:
        """Read an image's bytes.

        Args:
            filepath (str): From :func:`path_in_shard`.

        Returns:
            bytes: As many as the path says.

        Raises:
            UsageError: If the shard is gone or has become shorter; it names
                shard and image.
        """
        place, _, path = filepath.partition('://')[2].partition('//')
        shard, _, name = path.rpartition('//')
        offset, size = map(int, place.split('+'))
        try:
            content = os.pread(_opened(shard).descriptor, size, offset)
        except OSError as error:
            raise UsageError(
                f'{name} cannot be read from the shard {shard} '
                f'({error.strerror}): bring the shard back, and go on with '
                '--resume.'
            ) from error
        if len(content) < size:
            raise UsageError(
                f'the shard {shard} ends before {name} does: it was cut off '
                'or replaced, copy it again, and go on with --resume.'
            )
        return content

    def get_text(self, filepath: str, encoding: str = 'utf-8') -> str:
        """Read bytes as text; see :meth:`get`."""
        return self.get(filepath).decode(encoding)


class _OpenFile:
    """A file that is closed when nobody has it any more."""

    def __init__(self, path: str) -> None:
        self.descriptor = os.open(path, os.O_RDONLY)

    def __del__(self) -> None:
        if hasattr(self, 'descriptor'):
            os.close(self.descriptor)


_opened = lru_cache(MOST_OPEN)(_OpenFile)


def path_in_shard(path: str, shard: Shard, at: int) -> str:
    """An image's path for MMEngine's file functions.

    Args:
        path (str): Of the tar file.
        shard (Shard): What it holds.
        at (int): Which of its images.

    Returns:
        str: ``tar://<offset>+<bytes>//<path>//<name>``.
    """
    # MMEngine allows one '://', and '//' is ours: names have none.
    shown = PurePosixPath(shard.names[at].lstrip('/')).as_posix()
    place = f'{shard.offsets[at]}+{shard.sizes[at]}'
    return f'tar://{place}//{os.path.normpath(path)}//{shown}'


def read_shards(folder: Path, pattern: str) -> Dict[str, Shard]:
    """What the shards in a folder hold, by the index where that is true.

    A shard whose size or time of change is not the index's is read anew, and
    the first process writes the index where it may.

    Args:
        folder (Path): Of the shards.
        pattern (str): Of their names, such as ``*.tar``.

    Returns:
        dict[str, Shard]: By name, in the order of the names.

    Raises:
        UsageError: If there are none, one is gone that the index knows, or
            one is damaged.
    """
    _opened.cache_clear()  # shards may have been written anew
    paths = sorted(folder.glob(pattern))
    if not paths:
        raise UsageError(f'there are no shards {folder / pattern}.')
    known = _read_index(folder)
    here = {path.name for path in folder.glob('*.tar')}
    gone = [
        name
        for name in known
        if name not in here and PurePosixPath(name).match(pattern)
    ]
    if gone:
        raise UsageError(
            f'{len(gone)} of {len(paths) + len(gone)} shards are missing, the '
            f'first is {folder / gone[0]}: bring them back, or remove '
            f'{folder / INDEX} if they are to be left out.'
        )
    stale = [
        path
        for path in paths
        if path.name not in known or _stamp(path) != known[path.name][:2]
    ]
    with ThreadPoolExecutor(NUM_THREADS) as pool:
        console = Console(stderr=True)
        read = track(
            pool.map(read_shard, stale),
            f'looking through the shards in {folder}',
            total=len(stale),
            transient=True,
            console=console,
            disable=not console.is_terminal,
        )
        known.update(zip([path.name for path in stale], read))
    if stale and process_rank() == 0:
        write_index(folder, known)
    return {path.name: known[path.name] for path in paths}


def read_shard(path: Path) -> Shard:
    """Look through a tar file.

    Images and numbers of classes are as WebDataset has them: ``<key>.jpg``
    and ``<key>.cls``, the key being what is before the first dot.

    Args:
        path (Path): The tar file.

    Returns:
        Shard: Its images.

    Raises:
        UsageError: If it is no tar file, is compressed or cut off, or has
            an image without the number of a class.
    """
    size, changed = _stamp(path)
    images: List[tarfile.TarInfo] = []
    labels: Dict[str, str] = {}
    try:
        with tarfile.open(path, 'r:') as archive:
            for member in archive:
                if member.isfile() and member.name.endswith('.cls'):
                    labels[_key(member.name)] = _start_of(archive, member)
                elif member.isfile() and is_image_file(member.name):
                    images.append(member)
            # A cut at the end of an image, or a damaged header, ends the
            # members too: the empty block after them is still to come.
            archive.fileobj.seek(archive.offset)
            end = archive.fileobj.read(tarfile.BLOCKSIZE)
            if end != bytes(tarfile.BLOCKSIZE):
                raise tarfile.ReadError('it has no end')
    # A damaged header may hold anything.
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise UsageError(
            f'the shard {path} is cut off, damaged or no plain tar file '
            f'({error}): copy or make it again.'
        ) from error
    keys = [_key(member.name) for member in images]
    wrong = [
        f'{key}.cls is {labels[key]!r}' if key in labels else f'no {key}.cls'
        for key in keys
        if not labels.get(key, '').isdecimal()
    ]
    if wrong or not images:
        raise UsageError(
            f'the shard {path} needs images, and beside each <key>.jpg a '
            '<key>.cls with the number of its class, from 0 on: '
            f'{wrong[0] if wrong else "it has no image"}; make it again.'
        )
    return Shard(
        size,
        changed,
        [member.name for member in images],
        [member.offset_data for member in images],
        [member.size for member in images],
        [int(labels[key]) for key in keys],
    )


def write_index(folder: Path, shards: Dict[str, Shard]) -> None:
    """Write down what shards hold, where that can be written.

    Args:
        folder (Path): Of the shards.
        shards (dict[str, Shard]): By name.
    """
    text = json.dumps({name: shards[name]._asdict() for name in shards})
    try:
        with atomic_path(folder / INDEX) as temporary:
            temporary.write_text(text, 'utf-8')
    except OSError:
        pass  # not ours to write, or no room: it is read anew each time


def _read_index(folder: Path) -> Dict[str, Shard]:
    """What is no index of ours is none at all."""
    try:
        said = json.loads((folder / INDEX).read_text('utf-8'))
        shards = {name: Shard(**shard) for name, shard in said.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
    return {name: s for name, s in shards.items() if _is_sound(s)}


def _is_sound(shard: Shard) -> bool:
    """Whether the lists fit each other and the tar file."""
    lists: Any = shard[2:]
    return (
        isinstance(shard.size, int)
        and all(isinstance(items, list) for items in lists)
        and len({len(items) for items in lists}) == 1
        and all(isinstance(name, str) for name in shard.names)
        and all(
            type(number) is int and number >= 0
            for items in lists[1:]
            for number in items
        )
        and all(
            offset + size <= shard.size
            for offset, size in zip(shard.offsets, shard.sizes)
        )
    )


def _stamp(path: Path) -> tuple:
    try:
        state = os.stat(path)
    except OSError as error:
        raise UsageError(
            f'the shard {path} cannot be read ({error.strerror}): bring it '
            'back.'
        ) from error
    return state.st_size, state.st_mtime_ns


def _key(name: str) -> str:
    """What an image and the number of its class have in common."""
    folder, slash, file = name.rpartition('/')
    return folder + slash + file.partition('.')[0]


def _start_of(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    content = archive.extractfile(member).read(MOST_DIGITS)
    return content.decode('ascii', 'replace').strip()
