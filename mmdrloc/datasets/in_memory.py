"""A folder of small images, decoded once."""

from typing import Any, Dict, List

import numpy as np
from mmpretrain.datasets import CustomDataset
from rich.progress import track

from mmdrloc.errors import UsageError
from mmdrloc.registry import DATASETS
from .loading import LoadImage


@DATASETS.register_module()
class InMemoryDataset(CustomDataset):
    """mmpretrain's ``CustomDataset`` with its images in memory.

    They are decoded when the data set is built, before the workers of a
    loader start, which share them: MMEngine keeps all samples in one array
    (``serialize_data``). Each process of a distributed training has its own.

    Args:
        *args: As in ``CustomDataset``; the pipeline begins with
            ``mmdrloc.LoadImage``, which decodes as it would from the files.
        **kwargs: Likewise.

    Raises:
        UsageError: If the pipeline begins otherwise, or an image is damaged.
    """

    def load_data_list(self) -> List[Dict[str, Any]]:
        """Find the images and decode them.

        Returns:
            list[dict]: ``img_path``, ``gt_label`` and ``img``, (H, W, 3) RGB.
        """
        steps = self.pipeline.transforms
        if not steps or not isinstance(steps[0], LoadImage):
            raise UsageError(
                'mmdrloc.InMemoryDataset needs mmdrloc.LoadImage as the '
                'first step of its pipeline: others read the files again'
            )
        samples = super().load_data_list()
        for sample in track(samples, 'decoding images', transient=True):
            image = steps[0](dict(sample))['img'][..., ::-1]
            sample['img'] = np.ascontiguousarray(image)
        return samples
