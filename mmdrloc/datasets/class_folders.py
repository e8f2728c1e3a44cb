"""Photos in a folder a class."""

import os
from pathlib import Path
from typing import Any, Dict, List

from mmpretrain.datasets import BaseDataset

from mmdrloc.registry import DATASETS
from .folders.parts import images_in, part_of
from .lists import check_split


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
