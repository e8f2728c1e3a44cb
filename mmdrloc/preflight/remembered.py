"""What was read and found without fault is not read again."""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Iterable, List, Optional, Sequence

from mmdrloc.utils.files import atomic_path
from .images import MOST_CHECKED, NUM_THREADS, evenly_spaced

# Another number forgets what earlier versions of the checks found good.
VERSION = 1
# Files whose state is asked for in one go of a thread.
CHUNK = 500


class Remembered:
    """Whether files have been read before, and were good.

    They are known by path, size and time of change; of very many, by those
    that are read. One small file a data set is kept in
    ``~/.cache/mmdrloc/checked`` (or below ``XDG_CACHE_HOME``); whatever is
    wrong with it, the data are read again.

    Args:
        *settings: All else that the outcome depends on.
    """

    def __init__(self, *settings: Any) -> None:
        key = hashlib.sha256(repr((VERSION, *settings)).encode()).hexdigest()
        self._record = _folder() / key[:32]

    def files(self) -> Optional[List[str]]:
        """The files that were read, or None if there is no record."""
        try:
            return self._record.read_text('utf-8').split('\n')[1:]
        except (OSError, ValueError):
            return None

    def knows(self, files: Sequence[str]) -> bool:
        """Whether these files were read, are there, and have not changed."""
        try:
            with open(self._record, encoding='utf-8') as record:
                return record.readline().strip() == _fingerprint(files)
        except (OSError, ValueError):
            return False

    def keep(self, files: Sequence[str], names: bool = False) -> None:
        """Note that files were read and are good.

        Args:
            files (Sequence[str]): Their paths.
            names (bool): Whether :meth:`files` will be asked for.
                Defaults to False.
        """
        try:
            lines = [_fingerprint(files), *(files if names else ())]
            with atomic_path(self._record) as temporary:
                temporary.write_text('\n'.join(lines), 'utf-8')
        except (OSError, ValueError):
            pass  # a full or read-only disk: they will be read again


def _folder() -> Path:
    caches = os.environ.get('XDG_CACHE_HOME') or '~/.cache'
    return Path(caches).expanduser() / 'mmdrloc/checked'


def _fingerprint(files: Sequence[str]) -> str:
    """Of all names, and the states of those files that are read.

    Raises:
        OSError: If one is missing.
    """
    digest = hashlib.sha256('\n'.join(files).encode('utf-8', 'replace'))
    read = [
        os.path.abspath(path) for path in evenly_spaced(files, MOST_CHECKED)
    ]
    chunks = [read[at : at + CHUNK] for at in range(0, len(read), CHUNK)]
    with ThreadPoolExecutor(NUM_THREADS) as pool:
        for states in pool.map(_states, chunks):
            digest.update(states)
    return digest.hexdigest()


def _states(paths: Iterable[str]) -> bytes:
    states = ((path, os.stat(path)) for path in paths)
    return repr(
        [(path, state.st_size, state.st_mtime_ns) for path, state in states]
    ).encode('utf-8', 'replace')
