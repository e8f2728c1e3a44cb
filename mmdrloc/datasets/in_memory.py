"""A folder of small images, decoded once and kept once per machine."""

import hashlib
from pathlib import Path
from typing import Any, Dict, List, Sequence

import numpy as np
from mmpretrain.datasets import CustomDataset

from mmdrloc.errors import UsageError
from mmdrloc.registry import DATASETS
from .loading import LoadImage
from .packed_images import PackedImages

# Where a sample's image lies among the packed ones.
IMAGE_NUMBER = 'image_number'


@DATASETS.register_module()
class InMemoryDataset(CustomDataset):
    """mmpretrain's ``CustomDataset`` with its images in memory.

    They are decoded when the data set is first built on a machine, into a
    file that later trainings and all their processes map. Changed images or
    another decoder make a new file; one that was changed or cut is made
    again. Without a pipeline nothing is decoded: the data set is a list then.

    Args:
        *args: As in ``CustomDataset``; the pipeline begins with
            ``mmdrloc.LoadImage``, which decodes as it would from the files.
        cache_dir (str): Holds the files, one folder a data set. It may be
            deleted while nothing trains.
            Defaults to '~/.cache/mmdrloc/images'.
        **kwargs: As in ``CustomDataset``.

    Raises:
        UsageError: If the pipeline begins otherwise, an image cannot be
            read, or it does not decode to colors of one byte.
    """

    def __init__(
        self, *args, cache_dir: str = '~/.cache/mmdrloc/images', **kwargs
    ) -> None:
        self._cache_dir = Path(cache_dir).expanduser()
        super().__init__(*args, **kwargs)

    def load_data_list(self) -> List[Dict[str, Any]]:
        """Find the images, and decode them if need be.

        Returns:
            list[dict]: ``img_path``, ``gt_label`` and ``image_number``.
        """
        samples = super().load_data_list()
        steps = self.pipeline.transforms
        if not steps or not samples:
            return samples
        if not isinstance(steps[0], LoadImage):
            raise UsageError(
                'mmdrloc.InMemoryDataset needs mmdrloc.LoadImage as the '
                'first step of its pipeline: others read the files again'
            )
        paths = [sample['img_path'] for sample in samples]
        folder = self._cache_dir / _fingerprint(steps[0], paths)
        PackedImages.pack(folder, paths, lambda path: _decode(steps[0], path))
        self._images = PackedImages(folder)
        for number, sample in enumerate(samples):
            sample[IMAGE_NUMBER] = number
        return samples

    def get_data_info(self, idx: int) -> Dict[str, Any]:
        """A sample before the pipeline.

        Args:
            idx (int): Its index.

        Returns:
            dict: As in ``CustomDataset``, and ``img``, (H, W, 3) RGB.
        """
        sample = super().get_data_info(idx)
        if IMAGE_NUMBER in sample:
            sample['img'] = self._images[sample.pop(IMAGE_NUMBER)]
        return sample


def _fingerprint(load: LoadImage, paths: Sequence[str]) -> str:
    """Of the decoder, and of each file's path, size and time of change."""
    digest = hashlib.sha256(repr(load).encode())
    for path in paths:
        try:
            status = Path(path).stat()
        except OSError as error:
            raise UsageError(
                f'the image {path} cannot be read ({error.strerror}): put it '
                'back or remove it from the data set'
            ) from error
        entry = (str(path), status.st_size, status.st_mtime_ns)
        digest.update(repr(entry).encode())
    return digest.hexdigest()[:32]


def _decode(load: LoadImage, path: str) -> np.ndarray:
    image = load(dict(img_path=path))['img']
    if image.dtype != np.uint8 or image.ndim != 3:
        raise UsageError(
            f'mmdrloc.InMemoryDataset keeps colors of one byte, but {load} '
            f'gives {image.dtype} of shape {image.shape}'
        )
    return image[..., ::-1]
