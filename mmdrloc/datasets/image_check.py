"""Find image files that are missing or damaged, without decoding them all."""

from concurrent.futures import ThreadPoolExecutor
from typing import List, Optional, Sequence

import numpy as np
from PIL import Image
from rich.progress import track

# Reading headers takes some 100 us an image. Of larger sets, as many images
# as this are looked at, evenly spaced.
MOST_CHECKED = 100_000
# Files are waited for side by side: network disks are slow one by one.
NUM_THREADS = 8


def find_bad_images(paths: Sequence[str], description: str) -> List[str]:
    """Say which images cannot be read.

    Args:
        paths (Sequence[str]): Files.
        description (str): Shown beside the progress.

    Returns:
        List[str]: 'PATH is missing' and the like, one for each.
    """
    if len(paths) > MOST_CHECKED:
        chosen = np.linspace(0, len(paths) - 1, MOST_CHECKED).astype(int)
        paths = [paths[index] for index in chosen]
    with ThreadPoolExecutor(NUM_THREADS) as pool:
        problems = track(
            pool.map(_problem_with, paths),
            description=description,
            total=len(paths),
            transient=True,
        )
        return [problem for problem in problems if problem]


def _problem_with(path: str) -> Optional[str]:
    try:
        with Image.open(path) as image:
            if image.format != 'JPEG':
                image.verify()
            elif not _has_end_marker(path):
                image.load()
    except FileNotFoundError:
        return f'{path} is missing'
    except Image.DecompressionBombError:
        return None  # what reads it in training has no such limit
    except (OSError, SyntaxError, ValueError) as error:
        return f'{path} is damaged ({error})'
    return None


def _has_end_marker(path: str) -> bool:
    """Whether a JPEG file ends as it should: only then is it whole.

    Some whole files have more after their end, which only decoding tells.
    """
    with open(path, 'rb') as file:
        file.seek(-2, 2)
        return file.read() == b'\xff\xd9'
