"""Check that image files are whole, without decoding all of them."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, List, Optional, Sequence, TypeVar

from PIL import Image

ORIENTATION = 0x0112
Item = TypeVar('Item')


def evenly_spaced(items: Sequence[Item], most: int) -> Sequence[Item]:
    """Take all of a few things, or ``most`` of many."""
    if len(items) <= most:
        return items
    step = (len(items) - 1) / max(most - 1, 1)
    return [items[round(index * step)] for index in range(most)]


def problem_with(path: str, size: Any = None) -> Optional[str]:
    """Say what is wrong with an image file, or with its (width, height).

    The sentence names the file, and has no full stop.
    """
    try:
        if os.path.getsize(path) == 0:
            return f'{path} is empty'
        with Image.open(path) as image:
            is_jpeg = image.format in ('JPEG', 'MPO')  # of several pictures
            has_exif = 'exif' in image.info
            turned = has_exif and image.getexif().get(ORIENTATION, 1) >= 5
            found = image.size[::-1] if turned else image.size
            _read(image, path)
            is_common = is_jpeg or (image.format == 'PNG' and not turned)
    except FileNotFoundError:
        return f'{path} is missing'
    except Image.DecompressionBombError:
        return None  # the reader in training has no such limit
    except Exception as error:  # damaged files fail in many ways
        if isinstance(error, OSError) and error.errno:
            return f'{path} cannot be read ({error.strerror})'
        return f'{path} is damaged or no image ({error})'
    if not is_common:  # trainings read with OpenCV, which knows fewer kinds
        import mmcv

        loaded = mmcv.imread(path)
        if loaded is None:
            return f'{path} cannot be read by OpenCV: convert it to .png'
        # Which of them are turned upright depends on its version.
        found = loaded.shape[1::-1]
    if size is None or None in size or tuple(size) == found:
        return None
    return (
        f'{path} is loaded as {found[0]} x {found[1]} pixels, and the '
        f'annotations say {size[0]} x {size[1]}'
    )


def _read(image: Image.Image, path: str) -> None:
    """Read as much of a file as is needed to see that it is whole."""
    if image.format == 'PNG':
        image.verify()
        return
    with open(path, 'rb') as file:
        file.seek(-2, os.SEEK_END)
        # Some whole photos have more bytes after their end: decode them.
        if image.format != 'JPEG' or file.read() != b'\xff\xd9':
            image.load()


def find_bad_images(
    paths: Sequence[str], sizes: Optional[Sequence[Any]] = None
) -> List[str]:
    """Say what is wrong with each bad image."""
    # Network disks are slow one file at a time.
    with ThreadPoolExecutor(8) as pool:
        problems = pool.map(problem_with, paths, sizes or [None] * len(paths))
        return [problem for problem in problems if problem]
