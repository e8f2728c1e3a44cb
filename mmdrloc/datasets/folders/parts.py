"""How the parts of a dataset may be named in a folder."""

import colorsys
import os
from pathlib import Path
from typing import List, Optional, Sequence

TRAIN = ('train', 'training')
VAL = ('val', 'valid', 'validation', 'test')
IMAGES = ('images', 'image', 'imgs', 'img')
MAPS = ('annotations', 'annotation', 'ann', 'labels', 'masks')


def subfolder(folder: Path, names: Sequence[str]) -> Optional[str]:
    """Find a folder in another one, whatever the case of its letters.

    Args:
        folder (Path): Where to look.
        names (Sequence[str]): What it may be called, the best one first.

    Returns:
        str, optional: Its name; None if there is none.
    """
    there = {name.lower(): name for name in subfolders(folder)}
    return next((there[name] for name in names if name in there), None)


def subfolders(folder: Path) -> List[str]:
    """The names of the folders in another one, without hidden ones."""
    return sorted(
        entry.name
        for entry in os.scandir(folder)
        if entry.is_dir() and not entry.name.startswith(('.', '__'))
    )


def palette(number: int) -> List[List[int]]:
    """Colours that differ, the same ones every time.

    Args:
        number (int): How many.

    Returns:
        list[list[int]]: Red, green and blue of each.
    """
    # The golden section keeps neighbours far apart on the circle of hues.
    return [
        [
            round(255 * part)
            for part in colorsys.hsv_to_rgb(0.618 * at % 1, 0.75, 0.9)
        ]
        for at in range(number)
    ]
