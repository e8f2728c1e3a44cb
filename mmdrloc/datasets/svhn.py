"""Street View House Numbers, cropped digits."""

from typing import Any, List

import numpy as np
from mmpretrain.datasets import BaseDataset
from scipy.io import loadmat

from mmdrloc.registry import DATASETS


@DATASETS.register_module()
class SVHN(BaseDataset):
    """SVHN in its format 2 (Netzer et al., 2011): 32x32 digits, RGB.

    Args:
        data_root (str): Holds ``train_32x32.mat`` and ``test_32x32.mat``.
        split (str): 'train' or 'test'. Defaults to 'train'.
        **kwargs: Of :class:`mmpretrain.datasets.BaseDataset`.
    """

    METAINFO = {'classes': tuple('0123456789')}

    def __init__(self, data_root: str, split: str = 'train', **kwargs: Any):
        file = f'{split}_32x32.mat'
        super().__init__(ann_file=file, data_root=data_root, **kwargs)

    def load_data_list(self) -> List[dict]:
        """Read the images, (32, 32, 3) uint8, and their digits."""
        content = loadmat(self.ann_file)
        images = np.ascontiguousarray(content['X'].transpose(3, 0, 1, 2))
        labels = content['y'].ravel() % 10  # 10 is the digit 0
        return [
            dict(img=image, gt_label=int(label))
            for image, label in zip(images, labels)
        ]
