"""Some of the images in class folders."""

from typing import Any, List

import numpy as np
from mmpretrain.datasets import CustomDataset

from mmdrloc.registry import DATASETS


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
        order = list(range(len(images)))
        np.random.default_rng(self.seed).shuffle(order)
        drawn = order[self.skip : self.skip + self.num_images]
        return [images[index] for index in drawn]
