"""Photos in a folder a class."""

import hashlib
import os
from pathlib import Path
from typing import Any, Dict, Iterator, List

from mmpretrain.datasets import BaseDataset
from torchvision.datasets.folder import is_image_file

from mmdrloc.registry import DATASETS
from .lists import check_split

# One image of so many is held out, and one of each class at least.
HELD_OUT = 5
SEED = 0


@DATASETS.register_module()
class ClassFolders(BaseDataset):
    """Photos in a folder a class, all of them or one of two parts.

    A fifth of each class is the part to validate on, the others are to train
    on: drawn by a seed and the name of an image, so that a new image moves
    hardly another one. Unlike in ``CustomDataset``, a folder that is no class
    is left alone, and one that is missing has no images. ::

        data_root
        └── <class>/**/<image>.jpg

    Args:
        data_root (str): The directory above.
        metainfo (dict): ``classes``: the names of the folders.
        part (str): 'all', 'train' or 'val'. Defaults to 'all'.
        **kwargs: Of :class:`mmpretrain.datasets.BaseDataset`.

    Raises:
        UsageError: If there is no such part.
    """

    def __init__(
        self,
        data_root: str,
        metainfo: Dict[str, Any],
        part: str = 'all',
        **kwargs: Any,
    ):
        check_split(part, ['all', 'train', 'val'])
        self.part = part
        super().__init__(
            ann_file='', data_root=data_root, metainfo=metainfo, **kwargs
        )

    def load_data_list(self) -> List[dict]:
        """List the images; the folder of an image is its class."""
        return [
            dict(
                img_path=os.path.join(self.data_root, name, image),
                gt_label=label,
            )
            for label, name in enumerate(self.CLASSES)
            for image in part_of(
                images_in(Path(self.data_root, name)), self.part, name
            )
        ]


def images_in(folder: Path) -> List[str]:
    """The images in a folder and those below it.

    Args:
        folder (Path): It may be missing.

    Returns:
        list[str]: Their paths from there, sorted, without hidden ones.
    """
    return sorted(filter(is_image_file, files_in(folder)))


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
