"""Transforms that OpenMMLab lacks."""

from typing import List, Optional

import numpy as np
from mmcv.transforms import BaseTransform, LoadImageFromFile
from mmpretrain.datasets.transforms import RandAugment

from mmdrloc.registry import TRANSFORMS


@TRANSFORMS.register_module()
class LoadImage(LoadImageFromFile):
    """Give the image as BGR, from a file or from memory.

    Datasets that keep their images in memory (SVHN and mmpretrain's CIFAR)
    keep them as RGB. With one first step for both kinds, the rest of the
    pipeline and the preprocessor are the same for all datasets. mmpretrain's
    inferencers load images by themselves: those stay as they are.
    """

    def transform(self, results: dict) -> Optional[dict]:
        """Load one image.

        Args:
            results (dict): With ``img_path``, or ``img`` in RGB or gray, or
                an ``img`` in BGR that was loaded before, with its shapes.

        Returns:
            dict: With ``img``, (H, W, 3) BGR or (H, W), and its shapes.
        """
        if 'img_shape' in results:
            return results
        if 'img' in results:
            image = results['img']
            if image.ndim == 3:  # a gray one is (H, W)
                results['img'] = image[..., ::-1].copy()
            results['img_shape'] = results['ori_shape'] = image.shape[:2]
            return results
        return super().transform(results)


@TRANSFORMS.register_module()
class LevelRandAugment(BaseTransform):
    """Apply operations one after the other, each at a level of its own.

    IDMM fine-tunes so. mmpretrain's ``RandAugment`` has one level for all,
    or any number from 0 on.

    Args:
        policies (list[dict]): As in mmpretrain's ``RandAugment``.
        num_policies (int): Operations drawn for an image. Defaults to 2.
        total_level (int): The last level, the end of ``magnitude_range``;
            level 0, which changes nothing, is none. Defaults to 9.
    """

    def __init__(
        self, policies: List[dict], num_policies: int = 2, total_level: int = 9
    ) -> None:
        self.num_policies = num_policies
        self.levels = [
            RandAugment(policies, 1, level, total_level=total_level)
            for level in range(1, total_level + 1)
        ]

    def transform(self, results: dict) -> dict:
        """Change ``img``, (H, W, 3) uint8."""
        drawn = np.random.randint(len(self.levels), size=self.num_policies)
        for index in drawn:
            results = self.levels[index](results)
        return results
