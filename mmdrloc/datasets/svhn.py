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
        images, labels = self._read()
        if labels.min() < 1 or labels.max() > 10:
            raise UsageError(
                f'{self.ann_file} has labels from {labels.min()} to '
                f'{labels.max()}, expected are 1 to 10 (10 is the digit 0)'
            )
        return [
            dict(img=image, gt_label=int(label))
            for image, label in zip(images, labels % 10)
        ]

    def _read(self) -> tuple:
        """Images (N, 32, 32, 3) and labels (N, ) as the file has them."""
        if not Path(self.ann_file).is_file():
            raise UsageError(f'there is no file {self.ann_file}')
        try:
            content = loadmat(self.ann_file)
            images, labels = content['X'], content['y'].ravel()
        except Exception as error:  # a damaged file fails in many ways
            raise UsageError(
                f'{self.ann_file} is damaged or no file of SVHN '
                f'({type(error).__name__}: {error})'
            ) from error
        if (
            images.ndim != 4
            or images.shape[-1] != len(labels)
            or not len(labels)
        ):
            raise UsageError(
                f'{self.ann_file} holds images of shape {images.shape} and '
                f'{len(labels)} labels, expected are (32, 32, 3, N) and N'
            )
        return np.ascontiguousarray(images.transpose(3, 0, 1, 2)), labels
