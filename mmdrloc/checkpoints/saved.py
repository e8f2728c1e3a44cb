"""The checkpoints in a run's folder, and the last one that can be used."""

import re
import sys
from pathlib import Path
from typing import List, Optional, Union

from .reading import is_complete

POINTER = 'last_checkpoint'
INTERRUPTED = 'interrupted_iter_{}.pth'
# Weights alone, nothing to go on from.
BEST = 'best_*.pth'
# MMEngine's names, and any other template that ends with the number.
NUMBERED = re.compile(r'(?!best_|interrupted_)(?:|.*_)(\d+)\.pth')


def last_checkpoint(folder: Union[str, Path]) -> Optional[Path]:
    """Find the checkpoint to go on from, if there is one.

    It is the one that a signal left, the one that MMEngine's pointer names,
    or the newest: the first of them that is complete. Damaged ones are named
    on stderr.
    """
    folder = Path(folder)
    # An interrupted one is gone when the next regular one stands.
    interrupted = folder.glob(INTERRUPTED.format('*'))
    candidates = [*interrupted, *_pointed(folder), *_numbered(folder)]
    damaged, found = [], None
    for path in dict.fromkeys(candidates):
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


def checkpoints(folder: Union[str, Path]) -> List[Path]:
    """All checkpoints of a run: those to go on from, and the best ones."""
    folder = Path(folder)
    others = [*folder.glob(INTERRUPTED.format('*')), *folder.glob(BEST)]
    return _numbered(folder) + others


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
    # MMEngine writes whole paths, also of a folder that was moved or copied.
    places = [folder / Path(text).name, folder / text]
    return [place for place in places if place.is_file()][:1]


def _numbered(folder: Path) -> List[Path]:
    """All regular ones to go on from, the newest first."""
    matches = [(NUMBERED.fullmatch(p.name), p) for p in folder.glob('*.pth')]
    numbered = [(int(match[1]), path) for match, path in matches if match]
    return [path for _, path in sorted(numbered, reverse=True)]
