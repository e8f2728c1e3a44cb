"""The checkpoints that a run left, and the last one that can be used.

A ``folder`` is that of a run.
"""

import re
import sys
from pathlib import Path
from typing import Iterator, List, Optional, Tuple, Union

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from .reading import check_archive

POINTER = 'last_checkpoint'
INTERRUPTED = 'interrupted_iter_{}.pth'
# MMEngine's names, and any other template that ends with the number.
NUMBERED = re.compile(r'(?:|.*_)(\d+)\.pth')
# Weights alone, nothing to go on from.
BEST = 'best_'


def point_to(folder: Union[str, Path], checkpoint: Union[str, Path]) -> None:
    """Note which checkpoint is the last one.

    By its name alone where it lies in the folder, which may then be moved.
    It is complete, and on the disk.
    """
    checkpoint = Path(checkpoint)
    beside = checkpoint.parent.absolute() == Path(folder).absolute()
    with atomic_path(Path(folder, POINTER)) as temporary:
        temporary.write_text(checkpoint.name if beside else str(checkpoint))


def last_checkpoint(folder: Union[str, Path]) -> Optional[Path]:
    """Find the checkpoint to go on from, if there is one.

    It is the one that the pointer names, or, where that one is gone or
    damaged, the newest that is complete. Damaged ones are named on stderr.
    """
    damaged, found = [], None
    for path in _newest_first(Path(folder)):
        if is_complete(path):
            found = path
            break
        damaged.append(str(path))
    if damaged:
        instead = 'there is no complete one'
        if found:
            instead = f'{found.name} is the last complete one'
        print(
            f'warning: {", ".join(damaged)} cannot be used, being damaged or '
            f'incomplete: {instead}.',
            file=sys.stderr,
            flush=True,
        )
    return found


def is_complete(path: Path) -> bool:
    """Whether a checkpoint was written to its end and is undamaged."""
    try:
        check_archive(path)
    except (OSError, UsageError):
        return False
    return True


def checkpoints(folder: Union[str, Path]) -> List[Path]:
    """All checkpoints of a run: those to go on from, and the best ones."""
    folder = Path(folder)
    return [path for _, path in _numbered(folder)] + sorted(
        folder.glob(f'{BEST}*.pth')
    )


def remove_interrupted(folder: Union[str, Path], but: str = '') -> None:
    """Remove what signals left, once a newer checkpoint stands."""
    for path in Path(folder).glob(INTERRUPTED.format('*')):
        if path.name != but:
            path.unlink(missing_ok=True)


def _newest_first(folder: Path) -> Iterator[Path]:
    others = [path for _, path in sorted(_numbered(folder), reverse=True)]
    pointed = _pointed(folder)
    if pointed is not None:
        yield pointed
    yield from (path for path in others if path != pointed)


def _pointed(folder: Path) -> Optional[Path]:
    try:
        text = (folder / POINTER).read_text().strip()
    except (OSError, UnicodeDecodeError):
        return None
    # MMEngine writes whole paths, which a moved folder makes wrong.
    places = [folder / text, folder / Path(text).name]
    return next((p for p in places if text and p.exists()), None)


def _numbered(folder: Path) -> List[Tuple[Tuple[bool, int], Path]]:
    """All to go on from, with what they sort by.

    An interrupted one is gone when the next regular one stands, so it is
    the newest.
    """
    found = []
    for path in folder.glob('*.pth'):
        match = NUMBERED.fullmatch(path.name)
        if match and not path.name.startswith(BEST):
            interrupted = path.name == INTERRUPTED.format(match[1])
            found.append(((interrupted, int(match[1])), path))
    return found
