"""The splits and images of a folder, and those held out."""

import colorsys
import hashlib
import os
from pathlib import Path
from typing import Iterator, List, Optional, Sequence

TRAIN = ('train', 'training')
VAL = ('val', 'valid', 'validation', 'test')
IMAGES = ('images', 'image', 'imgs', 'img')
MAPS = ('annotations', 'annotation', 'ann', 'labels', 'masks')
# Those of torchvision, whose import takes seconds.
SUFFIXES = (
    *('.jpg', '.jpeg', '.png', '.ppm', '.bmp'),
    *('.pgm', '.tif', '.tiff', '.webp'),
)
# One image of so many is held out, and one of each class at least.
HELD_OUT = 5
SEED = 0


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


def is_image(name: str) -> bool:
    """Whether a file is an image, by its suffix."""
    return name.lower().endswith(SUFFIXES)


def images_in(folder: Path) -> List[str]:
    """The images in a folder and those below it.

    Args:
        folder (Path): It may be missing.

    Returns:
        list[str]: Their paths from there, sorted, without hidden ones.
    """
    return sorted(filter(is_image, files_in(folder)))


def files_in(folder: Path) -> Iterator[str]:
    """The files in a folder and those below it.

    Args:
        folder (Path): It may be missing.

    Yields:
        str: A path from there, of none that is hidden.
    """
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith('.')]
        below = Path(place).relative_to(folder)
        for name in names:
            if not name.startswith('.'):
                yield name if below == Path() else f'{below.as_posix()}/{name}'


def part_of(images: List[str], part: str, name: str) -> List[str]:
    """Those images of a class that are in a part.

    Args:
        images (list[str]): All of its images.
        part (str): 'all', 'train' or 'val'.
        name (str): The class's.

    Returns:
        list[str]: Some of them, in the same order.
    """
    if part == 'all':
        return images

    def drawn(image: str) -> bytes:
        return hashlib.sha256(f'{SEED} {name}/{image}'.encode()).digest()

    number = max(1, round(len(images) / HELD_OUT))
    held_out = set(sorted(images, key=drawn)[:number])
    return [
        image for image in images if (image in held_out) == (part == 'val')
    ]
