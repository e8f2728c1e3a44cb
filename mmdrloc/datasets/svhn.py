"""Street View House Numbers, cropped digits."""

from pathlib import Path
from typing import Any, List

import numpy as np
from mmpretrain.datasets import BaseDataset
from scipy.io import loadmat

from mmdrloc.registry import DATASETS
from mmdrloc.utils.errors import UsageError
from .lists import check_split


@DATASETS.register_module()
class SVHN(BaseDataset):
    """SVHN in its format 2: 32x32 digits in MATLAB files.

    Netzer et al., Reading Digits in Natural Images with Unsupervised Feature
    Learning, 2011. The directory holds ``train_32x32.mat`` and
    ``test_32x32.mat``; the additional ``extra`` digits are not used. Images
    are kept in memory as RGB, as in mmpretrain's CIFAR10.

    Args:
        data_root (str): The directory.
        split (str): 'train' or 'test'. Defaults to 'train'.
        **kwargs: Of :class:`mmpretrain.datasets.BaseDataset`.

    Raises:
        UsageError: If the file is missing, damaged, or has labels that are
            no digits.
    """

    METAINFO = {'classes': tuple('0123456789')}

    def __init__(self, data_root: str, split: str = 'train', **kwargs: Any):
        check_split(split, ['train', 'test'])
        super().__init__(
            ann_file=f'{split}_32x32.mat',
            data_root=data_root,
            test_mode=split == 'test',
            **kwargs,
        )

    def load_data_list(self) -> List[dict]:
        """Read the images, (32, 32, 3) uint8, and their digits."""
        if not Path(self.ann_file).is_file():
            raise UsageError(f'there is no file {self.ann_file}')
        try:
            content = loadmat(self.ann_file)
            images = np.ascontiguousarray(content['X'].transpose(3, 0, 1, 2))
            labels = content['y'].ravel()
            if not 1 <= labels.min() <= labels.max() <= 10:
                raise ValueError(f'labels up to {labels.max()}')
            if len(images) != len(labels):
                raise ValueError(f'{len(images)} images, {len(labels)} labels')
        except Exception as error:  # a damaged file fails in many ways
            raise UsageError(
                f'{self.ann_file} is damaged or no file of SVHN ({error}): '
                'download it again.'
            ) from error
        # 10 is the digit 0.
        return [
            dict(img=image, gt_label=int(label))
            for image, label in zip(images, labels % 10)
        ]
