"""The splits and images of a folder, and those held out."""

import hashlib
import os
from pathlib import Path
from typing import Iterator, List, Optional, Sequence

from mmdrloc.utils.files import sha256_of
from mmdrloc.utils.images import evenly_spaced

TRAIN = ('train', 'training')
VAL = ('val', 'valid', 'validation', 'test')
IMAGES = ('images', 'image', 'imgs', 'img')
MAPS = ('annotations', 'annotation', 'ann', 'labels', 'masks')
NO_CLASSES = ('__MACOSX', '__pycache__', 'work_dirs')
# Those of torchvision, whose import takes seconds.
SUFFIXES = tuple('.jpg .jpeg .png .ppm .bmp .pgm .tif .tiff .webp'.split())
# One image of so many is held out, and one of each class of several.
HELD_OUT = 5
SEED = 0
# How many validation images are looked for among the training images, of
# which there are so many at most: a look at each takes time.
COMPARED = 500
SEARCHED = 50_000


def subfolders(folder: Path) -> List[str]:
    """The names of the folders in another one.

    Without hidden ones, those that programs make, and that of results.
    """
    return sorted(
        entry.name
        for entry in os.scandir(folder)
        if entry.is_dir()
        and not entry.name.startswith('.')
        and entry.name not in NO_CLASSES
    )


def subfolder(folder: Path, names: Sequence[str]) -> Optional[str]:
    """The first of these names that a folder has, in any letter case."""
    there = {name.lower(): name for name in subfolders(folder)}
    return next((there[name] for name in names if name in there), None)


def is_image(name: str) -> bool:
    """Whether a file is an image, by its suffix."""
    return name.lower().endswith(SUFFIXES)


def files_in(folder: Path) -> Iterator[str]:
    """The files in a folder and below it, by their paths from there.

    Hidden ones and those of programs are left out; a folder that is missing
    has none.
    """
    known = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [
            name
            for name in folders
            if not name.startswith('.') and name not in NO_CLASSES
        ]
        real = os.path.realpath(place)
        if real in known:  # a link to a folder above
            folders.clear()
            continue
        known.add(real)
        below = Path(place).relative_to(folder)
        for name in names:
            if not name.startswith('.'):
                yield (below / name).as_posix()


def images_in(folder: Path) -> List[str]:
    """The images in a folder and below it, sorted."""
    return sorted(filter(is_image, files_in(folder)))


def images_of_split(images: List[str], split: str, name: str) -> List[str]:
    """Of the images of the class ``name`` those in 'all', 'train' or 'val'."""
    if split == 'all':
        return images

    def drawn(image: str) -> bytes:
        return hashlib.sha256(os.fsencode(f'{SEED} {name}/{image}')).digest()

    number = min(max(1, round(len(images) / HELD_OUT)), len(images) - 1)
    held_out = set(sorted(images, key=drawn)[:number])
    is_held_out = dict(train=False, val=True)[split]
    return [one for one in images if (one in held_out) == is_held_out]


def copies_in(train: Sequence[Path], val: Sequence[Path]) -> List[str]:
    """A note if validation images are copies of training images."""
    if len(train) > SEARCHED:
        return []
    sample = [p for p in evenly_spaced(val, COMPARED) if p.is_file()]
    sizes = {path.stat().st_size for path in sample}
    known = {
        sha256_of(path)
        for path in train
        if path.is_file() and path.stat().st_size in sizes
    }
    copies = [path for path in sample if sha256_of(path) in known]
    if not copies:
        return []
    return [
        f'{len(copies):,} of {len(sample):,} validation images are training '
        f'images too ({copies[0]}): the results on them say little about '
        'new images.'
    ]
