"""RandAugment whose magnitudes are a few levels, all as likely."""

from typing import List

import numpy as np
from mmcv.transforms import BaseTransform
from mmpretrain.datasets.transforms import RandAugment

from mmdrloc.registry import TRANSFORMS


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
