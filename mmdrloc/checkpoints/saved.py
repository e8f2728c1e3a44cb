"""The checkpoints in a run's folder, and the last one that can be used."""

import re
import sys
from pathlib import Path
from typing import List, Optional, Tuple, Union

from mmdrloc.utils.files import atomic_path
from .reading import is_complete

POINTER = 'last_checkpoint'
INTERRUPTED = 'interrupted_iter_{}.pth'
# MMEngine's names, and any other template that ends with the number.
NUMBERED = re.compile(r'(?:|.*_)(\d+)\.pth')
# Weights alone, nothing to go on from.
BEST = 'best_'


def point_to(folder: Union[str, Path], checkpoint: Union[str, Path]) -> None:
    """Note which checkpoint is the last one; it is complete, on the disk.

    By its name alone where it lies in the folder, which may then be moved.
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
    folder, damaged = Path(folder), []
    for path in dict.fromkeys([*_pointed(folder), *_numbered(folder)]):
        if is_complete(path):
            break
        damaged.append(str(path))
    else:
        path = None
    if damaged:
        instead = 'there is no complete one'
        if path:
            instead = f'{path.name} is the last complete one'
        print(
            f'warning: {", ".join(damaged)} cannot be used, being damaged or '
            f'incomplete: {instead}.',
            file=sys.stderr,
            flush=True,
        )
    return path


def checkpoints(folder: Union[str, Path]) -> List[Path]:
    """All checkpoints of a run: those to go on from, and the best ones."""
    folder = Path(folder)
    return _numbered(folder) + sorted(folder.glob(f'{BEST}*.pth'))


def remove_interrupted(folder: Union[str, Path], but: str = '') -> None:
    """Remove what signals left, once a newer checkpoint stands."""
    for path in Path(folder).glob(INTERRUPTED.format('*')):
        if path.name != but:
            path.unlink(missing_ok=True)


def _pointed(folder: Path) -> List[Path]:
    try:
        text = (folder / POINTER).read_text().strip()
    except (OSError, UnicodeDecodeError):
        return []
    # MMEngine writes whole paths, which a moved folder makes wrong.
    places = [folder / text, folder / Path(text).name]
    return [place for place in places if place.is_file()][:1]


def _numbered(folder: Path) -> List[Path]:
    """All to go on from, the newest first."""

    def age(path: Path) -> Tuple[bool, int]:
        # An interrupted one is gone when the next regular one stands.
        number = NUMBERED.fullmatch(path.name)[1]
        return path.name == INTERRUPTED.format(number), int(number)

    found = [
        path
        for path in folder.glob('*.pth')
        if NUMBERED.fullmatch(path.name) and not path.name.startswith(BEST)
    ]
    return sorted(found, key=age, reverse=True)
