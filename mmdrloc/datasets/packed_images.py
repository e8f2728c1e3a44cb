"""Images of any sizes, decoded into one file that processes share."""

import hashlib
import json
import logging
import os
from pathlib import Path
from typing import Any, Callable, Dict, Sequence

import numpy as np
from filelock import FileLock
from mmengine.logging import print_log
from rich.progress import track

from mmdrloc.files import atomic_path, sha256_of

PIXELS, SHAPES, SEAL = 'pixels', 'shapes.npy', 'seal.json'


class PackedImages:
    """RGB images of any sizes in one file that is mapped into memory.

    The processes that map it share its pages: those of a distributed
    training and the workers of their loaders, forked or spawned. Files that
    were changed, cut or left half written are made again: a checksum is kept
    beside them, and compared whenever the system says that one was touched.

    Args:
        folder (Path): Where :meth:`pack` has put them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._shapes = np.load(folder / SHAPES)
        self._ends = self._shapes.prod(axis=1).cumsum()
        self._pixels = np.memmap(folder / PIXELS, np.uint8, 'r')

    @staticmethod
    def pack(
        folder: Path,
        paths: Sequence[str],
        decode: Callable[[str], np.ndarray],
    ) -> None:
        """Decode images into a folder, unless it holds them already.

        Of several processes that want the same, one decodes and the others
        wait.

        Args:
            folder (Path): To be made.
            paths (Sequence[str]): The images.
            decode (Callable): From a path to (H, W, 3) bytes.
        """
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / 'lock'):
            if _is_whole(folder):
                return
            for left in [folder / SEAL, *folder.glob('.*.tmp')]:
                left.unlink(missing_ok=True)  # also by a killed process
            shapes = []
            with atomic_path(folder / PIXELS) as temporary:
                with open(temporary, 'wb') as file:
                    digest = hashlib.sha256()
                    for path in track(paths, 'decoding', transient=True):
                        image = decode(path)
                        shapes.append(image.shape)
                        content = image.tobytes()
                        digest.update(content)
                        file.write(content)
            with atomic_path(folder / SHAPES) as temporary:
                with open(temporary, 'wb') as file:
                    np.save(file, np.array(shapes, dtype=np.int64))
            # Last: it says that the others are complete.
            _seal(
                folder,
                {
                    PIXELS: digest.hexdigest(),
                    SHAPES: sha256_of(folder / SHAPES),
                },
            )

    def __getitem__(self, number: int) -> np.ndarray:
        """An image, (H, W, 3) RGB, that cannot be written into."""
        shape, end = self._shapes[number], self._ends[number]
        return self._pixels[end - shape.prod() : end].reshape(shape)

    def __reduce__(self):
        # Else a spawned worker would get a copy of all pixels.
        return type(self), (self.folder,)


def _is_whole(folder: Path) -> bool:
    """Whether the files are those that were written."""
    if not (folder / SEAL).exists():
        return False
    try:
        seal = json.loads((folder / SEAL).read_bytes())
        if seal['states'] == _states(folder):
            return True
        # Copied, restored, or touched by someone: the content tells.
        sums = {name: sha256_of(folder / name) for name in (PIXELS, SHAPES)}
        if seal['sums'] == sums:
            _seal(folder, sums)
            return True
        reason = 'have been changed'
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = f'cannot be read ({type(error).__name__})'
    print_log(
        f'The decoded images in {folder} {reason}: decoding them again.',
        logger='current',
        level=logging.WARNING,
    )
    return False


def _seal(folder: Path, sums: Dict[str, str]) -> None:
    """Keep checksums, and what the system says of the files they are of."""
    content = dict(sums=sums, states=_states(folder))
    with atomic_path(folder / SEAL) as temporary:
        temporary.write_text(json.dumps(content))


def _states(folder: Path) -> Dict[str, Any]:
    """What changes with a file, also where its times are set back."""
    states = {}
    for name in (PIXELS, SHAPES):
        state = os.stat(folder / name)
        states[name] = [
            state.st_size,
            state.st_mtime_ns,
            state.st_ctime_ns,
            state.st_ino,
        ]
    return states
