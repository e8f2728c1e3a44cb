"""The hundred classes of ImageNet that the experiments train on."""

from pathlib import Path
from typing import Any, List, Tuple

from mmpretrain.datasets import CustomDataset
from mmpretrain.datasets.custom import get_samples

from mmdrloc.registry import DATASETS
from mmdrloc.utils.errors import UsageError
from .categories import IMAGENET100_CATEGORIES
from .lists import check_split


@DATASETS.register_module()
class ImageNet100(CustomDataset):
    """ImageNet-100: the class folders of ImageNet-1K, other ones ignored.

    The classes are those of Tian et al., Contrastive Multiview Coding, ECCV
    2020, which the DRLoc experiments took. ::

        data_root
        ├── train/<class>/<image>.JPEG
        └── val/<class>/<image>.JPEG

    Args:
        data_root (str): The directory above.
        split (str): 'train' or 'val'. Defaults to 'train'.
        **kwargs: Of :class:`mmpretrain.datasets.CustomDataset`.

    Raises:
        UsageError: If class folders are missing or empty.
    """

    METAINFO = {'classes': IMAGENET100_CATEGORIES}

    def __init__(self, data_root: str, split: str = 'train', **kwargs: Any):
        check_split(split, ['train', 'val'])
        super().__init__(
            data_root=data_root,
            data_prefix=split,
            test_mode=split == 'val',
            **kwargs,
        )

    def _find_samples(self) -> List[Tuple[str, int]]:
        """Walk the folders of the classes."""
        root = Path(self.img_prefix)
        missing = [c for c in self.CLASSES if not (root / c).is_dir()]
        if missing:
            raise UsageError(
                f'{root} lacks {len(missing)} of the {len(self.CLASSES)} '
                f'class folders, the first of them is {missing[0]}'
            )
        samples, empty = get_samples(
            self.img_prefix, self.class_to_idx, self.is_valid_file
        )
        if empty:
            raise UsageError(
                f'{len(empty)} class folders in {root} hold no image, one of '
                f'them is {min(empty)}'
            )
        return samples
