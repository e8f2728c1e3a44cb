"""MIT Indoor67: photos of rooms."""

from pathlib import PurePosixPath
from typing import Any, List

from mmengine.fileio import join_path
from mmpretrain.datasets import BaseDataset

from mmdrloc.registry import DATASETS
from mmdrloc.utils.errors import UsageError
from .categories import INDOOR67_CATEGORIES
from .lists import check_split, read_list

LISTS = dict(train='TrainImages.txt', test='TestImages.txt')


@DATASETS.register_module()
class Indoor67(BaseDataset):
    """MIT Indoor67, divided as its official lists say.

    Quattoni and Torralba, Recognizing Indoor Scenes, CVPR 2009. The archive
    holds 15,620 images, the lists name 5,360 to train on and 1,340 to
    test. ::

        data_root
        ├── TrainImages.txt        <class>/<image>.jpg
        ├── TestImages.txt
        └── Images/<class>/<image>.jpg

    Args:
        data_root (str): The directory above.
        split (str): 'train' or 'test'. Defaults to 'train'.
        **kwargs: Of :class:`mmpretrain.datasets.BaseDataset`.

    Raises:
        UsageError: If the list is missing or names a folder that is no
            class.
    """

    METAINFO = {'classes': INDOOR67_CATEGORIES}

    def __init__(self, data_root: str, split: str = 'train', **kwargs: Any):
        check_split(split, list(LISTS))
        super().__init__(
            ann_file=LISTS[split],
            data_root=data_root,
            data_prefix='Images',
            test_mode=split == 'test',
            **kwargs,
        )

    def load_data_list(self) -> List[dict]:
        """Read the list; the folder of an image is its class."""
        labels = self.class_to_idx
        data_list = []
        for path in read_list(self.ann_file):
            folder = PurePosixPath(path).parent.name
            if folder not in labels:
                raise UsageError(
                    f"{self.ann_file} names {path}, and '{folder}' is no "
                    'class of Indoor67'
                )
            data_list.append(
                dict(
                    img_path=join_path(self.img_prefix, path),
                    gt_label=labels[folder],
                )
            )
        return data_list
