"""What the readers of folders share: where things lie, how they are named."""

import colorsys
import os
from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence

from PIL import Image

# The folder of a part of the data, by what it may be called.
TRAIN = ('train', 'training')
VAL = ('val', 'valid', 'validation', 'test')
# Those of images and label maps.
IMAGES = ('images', 'image', 'imgs', 'img')
MAPS = ('annotations', 'annotation', 'ann', 'labels', 'masks')
# Images as small as these are enlarged whole, as the paper does with CIFAR.
SMALL = 64
# How many of them are looked at.
SAMPLE = 20


class FolderData(NamedTuple):
    """A folder as a data set.

    Args:
        variables (dict): What the file of a data set would say.
        notes (list[str]): What the user should know of it.
    """

    variables: Dict[str, Any]
    notes: List[str]


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
    """The folders in another one, but for hidden ones.

    Args:
        folder (Path): Where to look.

    Returns:
        list[str]: Their names, sorted.
    """
    return sorted(
        entry.name
        for entry in os.scandir(folder)
        if entry.is_dir() and not entry.name.startswith(('.', '__'))
    )


def are_small(files: Iterable[Any]) -> bool:
    """Whether images are as small as CIFAR's.

    Args:
        files (Iterable): Paths or open files of some of them; what is no
            image is left for the checks to name.
    """
    sizes = []
    for file in files:
        try:
            with Image.open(file) as image:
                sizes.append(max(image.size))
        except OSError:
            continue
    return bool(sizes) and max(sizes) <= SMALL


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
