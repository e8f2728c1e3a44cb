"""Find image files that are missing or damaged, without decoding them all."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, List, Optional, Sequence, Tuple, TypeVar

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError
from rich.console import Console
from rich.progress import track

# Reading headers takes some 100 us an image. Of larger sets, as many images
# as this are looked at, evenly spaced.
MOST_CHECKED = 100_000
# Files are waited for side by side: network disks are slow one by one.
NUM_THREADS = 8
# What every build of OpenCV reads.
USUAL_FORMATS = ('JPEG', 'PNG', 'BMP', 'PPM', 'TIFF', 'WEBP')
ORIENTATION = 0x0112
Item = TypeVar('Item')
Judge = Callable[[Image.Image], Optional[str]]


def find_bad_images(
    paths: Sequence[str], description: str, judge: Optional[Judge] = None
) -> List[str]:
    """Say which images cannot be read.

    Args:
        paths (Sequence[str]): Files.
        description (str): Shown beside the progress.
        judge (Callable, optional): From an image, whose header has been
            read, to what is wrong with it or None. Defaults to None.

    Returns:
        List[str]: 'PATH is missing' and the like, one for each.
    """
    return find_problems(
        lambda path: problem_with(path, judge), paths, description
    )


def find_problems(
    look: Callable[[Any], Optional[str]],
    items: Sequence[Any],
    description: str,
    most: Optional[int] = None,
) -> List[str]:
    """Look at many things side by side, with the progress and time left.

    Args:
        look (Callable): From a thing to what is wrong with it, or None.
        items (Sequence): The things.
        description (str): Shown beside the progress.
        most (int, optional): How many are looked at, evenly spaced.
            Defaults to None: :data:`MOST_CHECKED`.
    """
    items = evenly_spaced(items, most or MOST_CHECKED)
    console = Console(stderr=True)
    with ThreadPoolExecutor(NUM_THREADS) as pool:
        problems = track(
            pool.map(look, items),
            description=description,
            total=len(items),
            transient=True,
            console=console,
            disable=not console.is_terminal,
        )
        return [problem for problem in problems if problem]


def evenly_spaced(items: Sequence[Item], most: int) -> Sequence[Item]:
    """All of a few things, or as many of more.

    Args:
        items (Sequence): The things.
        most (int): How many are wanted.

    Returns:
        Sequence: The first and the last one are among them.
    """
    if len(items) <= most:
        return items
    chosen = np.linspace(0, len(items) - 1, most).astype(int)
    return [items[index] for index in chosen]


def problem_with(path: str, judge: Optional[Judge] = None) -> Optional[str]:
    """Say what is wrong with an image file.

    Args:
        path (str): The file.
        judge (Callable, optional): See :func:`find_bad_images`.

    Returns:
        str, optional: It names the file.
    """
    try:
        if os.path.getsize(path) == 0:
            return f'{path} is empty'
        with Image.open(path) as image:
            said = judge(image) if judge else None
            _read(image, path)
            if not _opencv_reads(image.format, path):
                said = f'is a {image.format}, which OpenCV does not read'
    except FileNotFoundError:
        return f'{path} is missing'
    except Image.DecompressionBombError:
        return None  # what reads it in training has no such limit
    except Exception as error:  # damaged files fail in many ways
        if isinstance(error, OSError) and error.errno:
            return f'{path} cannot be read ({error.strerror})'
        if isinstance(error, UnidentifiedImageError):
            return f'{path} is damaged or no image'
        return f'{path} is damaged ({error})'
    return said and f'{path} {said}'


def size_as_loaded(image: Image.Image) -> Tuple[int, int]:
    """The size that mmcv gives an image: photos are turned upright.

    Args:
        image (PIL.Image.Image): Its header has been read.

    Returns:
        tuple[int, int]: Width and height.
    """
    width, height = image.size
    # Of other formats it depends on OpenCV's version.
    if image.format == 'JPEG' and image.getexif().get(ORIENTATION, 1) >= 5:
        return height, width
    return width, height


def _read(image: Image.Image, path: str) -> None:
    """Read as much of a file as shows whether it is whole."""
    if image.format == 'PNG':
        image.verify()
    elif image.format != 'JPEG' or not _has_end_marker(path):
        image.load()


def _opencv_reads(kind: Optional[str], path: str) -> bool:
    if kind in USUAL_FORMATS or kind == 'MPO':  # JPEGs of some cameras
        return True
    return cv2.haveImageReader(path)


def _has_end_marker(path: str) -> bool:
    """Whether a JPEG file ends as it should: only then is it whole.

    Some whole files have more after their end, which only decoding tells.
    """
    with open(path, 'rb') as file:
        file.seek(-2, 2)
        return file.read() == b'\xff\xd9'
