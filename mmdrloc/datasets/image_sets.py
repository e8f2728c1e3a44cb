"""Photos in a folder a class: all, some drawn or listed; SVHN."""

import os
import re
from pathlib import Path
from typing import Any, List

import numpy as np
from mmengine.fileio import list_from_file
from mmpretrain.datasets import BaseDataset, CustomDataset
from scipy.io import loadmat

from mmdrloc.registry import DATASETS
from .folders.splits import images_in, images_of_split, subfolders


@DATASETS.register_module()
class ClassFolders(BaseDataset):
    """Photos, ``data_root/data_prefix/<class>/**/<image>.jpg``.

    A fifth of each class is the validation set, the others are the training
    set: drawn by a seed and the name of an image, so that a new image hardly
    moves any other. Unlike in ``CustomDataset``, a folder that is no class
    is left alone, and one that is missing has no images.

    Args:
        split (str): 'all', 'train' or 'val'. Defaults to 'all'.
        ann_file (str): A list of some images, a line each that ends in
            ``<class>/<image>``; a number after that is left out. Defaults
            to '': none.
        **kwargs: Of :class:`mmpretrain.datasets.BaseDataset`; by default the
            classes are the names of all folders.
    """

    def __init__(self, split: str = 'all', ann_file: str = '', **kwargs: Any):
        self.split = split
        super().__init__(ann_file=ann_file, **kwargs)

    def load_data_list(self) -> List[dict]:
        """List the images; the folder of an image is its class."""
        root = self.img_prefix
        if self.CLASSES is None:
            self._metainfo['classes'] = tuple(subfolders(Path(root)))
        if self.ann_file:
            lines = filter(None, list_from_file(self.ann_file))
            paths = [re.sub(r' \d+$', '', line) for line in lines]
            images = ['/'.join(path.split('/')[-2:]) for path in paths]
        else:
            images = [
                f'{name}/{image}'
                for name in self.CLASSES
                for image in images_of_split(
                    images_in(Path(root, name)), self.split, name
                )
            ]
        labels = self.class_to_idx
        return [
            dict(
                img_path=os.path.join(root, image),
                gt_label=labels[image.partition('/')[0]],
            )
            for image in images
        ]


@DATASETS.register_module()
class FolderSample(CustomDataset):
    """Images in a folder a class, of which a number is drawn once.

    The same images are drawn whatever the seed of the run is: a fold of
    ``KFoldDataset``, which takes no pipeline of its own.

    Args:
        num_images (int): How many.
        seed (int): Of the drawing. Defaults to 0.
        skip (int): How many of those drawn first to leave out: another
            sample of the same seed. Defaults to 0.
        **kwargs: Of :class:`mmpretrain.datasets.CustomDataset`.
    """

    def __init__(
        self, num_images: int, seed: int = 0, skip: int = 0, **kwargs: Any
    ):
        self.num_images, self.seed, self.skip = num_images, seed, skip
        super().__init__(**kwargs)

    def load_data_list(self) -> List[dict]:
        """List the images, and draw some of them in the order drawn."""
        images = super().load_data_list()
        np.random.default_rng(self.seed).shuffle(images)
        return images[self.skip : self.skip + self.num_images]


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
