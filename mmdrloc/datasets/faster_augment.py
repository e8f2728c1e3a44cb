"""mmpretrain's from-scratch augmentations, computed in less time.

Each class has the name and the arguments of its parent, draws the same crops,
policies and magnitudes from the same random numbers, and says how near its
image is to the parent's. A config chooses it by its scope alone:
``type='mmdrloc.RandAugment'`` for ``type='RandAugment'``.
"""

from typing import Any, Callable, List, Union

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from mmpretrain.datasets.transforms import auto_augment, processing

from mmdrloc.registry import TRANSFORMS
from mmdrloc.utils.errors import UsageError

# Of RandAugment's policies: mmcv reads their histograms and looks their
# tables up pixel by pixel in NumPy.
FASTER_POLICIES = ('AutoContrast', 'Equalize', 'Contrast')
VALUES = np.arange(256)


@TRANSFORMS.register_module()
class RandomResizedCrop(processing.RandomResizedCrop):
    """Resize with PyTorch's kernel for bytes instead of Pillow.

    Both filter alike, with antialiasing; they round differently, by at most
    2 of 255 grey levels.

    Args:
        *args: As in mmpretrain's ``RandomResizedCrop``.
        **kwargs: Likewise; ``backend`` is 'pillow', what is replaced, and
            ``interpolation`` 'bilinear' or 'bicubic'.

    Raises:
        UsageError: On another backend or interpolation.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fits = self.interpolation in ('bilinear', 'bicubic')
        if self.backend != 'pillow' or not fits:
            raise UsageError(
                'mmdrloc.RandomResizedCrop stands for '
                "backend='pillow' with interpolation='bilinear' or 'bicubic' "
                f'alone, not for {self.backend!r} with '
                f"{self.interpolation!r}: write type='RandomResizedCrop'"
            )

    def transform(self, results: dict) -> dict:
        """Crop and resize.

        Args:
            results (dict): With ``img``, (H, W, 3) uint8.

        Returns:
            dict: With ``img`` at the size of ``scale``, and its shape.
        """
        top, left, height, width = self.rand_crop_params(results['img'])
        crop = results['img'][top : top + height, left : left + width]
        # A batch of one before the axes change places: the kernel for
        # interleaved channels is chosen by the strides.
        image = torch.from_numpy(np.ascontiguousarray(crop))[None]
        image = F.interpolate(
            image.permute(0, 3, 1, 2),
            tuple(self.scale),
            mode=self.interpolation,
            antialias=True,
        )
        results['img'] = image[0].permute(1, 2, 0).numpy()
        results['img_shape'] = results['img'].shape
        return results


def channel_histograms(image: np.ndarray) -> np.ndarray:
    """How often each value comes.

    Args:
        image (np.ndarray): (H, W, C) uint8.

    Returns:
        np.ndarray: (C, 256), int64.
    """
    counts = [
        # (256, 1), and (256,) since OpenCV 5.
        cv2.calcHist([image], [channel], None, [256], [0, 256]).ravel()
        for channel in range(image.shape[2])
    ]
    return np.stack(counts).astype(np.int64)


def look_up(image: np.ndarray, tables: List[np.ndarray]) -> np.ndarray:
    """Replace each value by its channel's table.

    Args:
        image (np.ndarray): (H, W, C) uint8.
        tables (list[np.ndarray]): C tables of 256 values, cut to integers.

    Returns:
        np.ndarray: (H, W, C) uint8.
    """
    table = np.stack(tables, axis=-1).astype(np.uint8)
    return cv2.LUT(image, table[np.newaxis])


class _ByHistogram:
    """A policy whose table follows from a channel's histogram, a mixin."""

    random_disable: Callable[[], bool]
    _table: Callable[[np.ndarray], np.ndarray]

    def transform(self, results: dict) -> dict:
        """Apply it to ``img`` with the parent's probability.

        Args:
            results (dict): With ``img``, (H, W, 3) uint8.

        Returns:
            dict: With ``img`` changed.
        """
        if not self.random_disable():
            image = results['img']
            tables = list(map(self._table, channel_histograms(image)))
            results['img'] = look_up(image, tables)
        return results


@TRANSFORMS.register_module()
class AutoContrast(_ByHistogram, auto_augment.AutoContrast):
    """Stretch each channel to 0-255, bit by bit as the parent does."""

    @staticmethod
    def _table(histogram: np.ndarray) -> np.ndarray:
        present = histogram.nonzero()[0]
        low, high = present[0], present[-1]
        if low == high:
            return VALUES
        scale = 255.0 / (high - low)
        return (VALUES * scale - low * scale).clip(0, 255)


@TRANSFORMS.register_module()
class Equalize(_ByHistogram, auto_augment.Equalize):
    """Flatten each channel's histogram, bit by bit as the parent does."""

    @staticmethod
    def _table(histogram: np.ndarray) -> np.ndarray:
        last = histogram[histogram.nonzero()[0][-1]]
        step = (histogram.sum() - last) // 255
        if step == 0:
            return VALUES
        below = histogram.cumsum() - histogram
        table = (below + step // 2) // step
        table[0] = 0
        return table.clip(max=255)


@TRANSFORMS.register_module()
class Contrast(auto_augment.Contrast):
    """Move values from or to the mean grey, bit by bit as the parent does.

    Args:
        *args: As in mmpretrain's ``Contrast``.
        **kwargs: Likewise.
    """

    def transform(self, results: dict) -> dict:
        """Apply it to ``img`` with the parent's probability.

        Args:
            results (dict): With ``img``, (H, W, 3) uint8 BGR.

        Returns:
            dict: With ``img`` changed.
        """
        if self.random_disable():
            return results
        magnitude = self.magnitude
        if magnitude is None:
            magnitude = self.random_magnitude()
        factor = 1 + self.random_negative(magnitude)
        image = results['img']
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        mean = round(grey.sum() / grey.size)
        values = VALUES.astype(np.float32)
        table = cv2.addWeighted(
            values, factor, np.full_like(values, mean), 1 - factor, 0
        )
        table = table.ravel().clip(0, 255)
        results['img'] = look_up(image, [table] * image.shape[2])
        return results


@TRANSFORMS.register_module()
class RandAugment(auto_augment.RandAugment):
    """With the policies of this module in place of their parents.

    Args:
        policies (str | list[dict]): As in mmpretrain's ``RandAugment``.
        *args: Likewise.
        **kwargs: Likewise.
    """

    def __init__(
        self, policies: Union[str, List[dict]], *args: Any, **kwargs: Any
    ) -> None:
        stock = (
            auto_augment.RANDAUG_POLICIES[policies]
            if isinstance(policies, str)
            else policies
        )
        ours = [
            dict(policy, type=f'mmdrloc.{policy["type"]}')
            if policy['type'] in FASTER_POLICIES
            else policy
            for policy in stock
        ]
        super().__init__(ours, *args, **kwargs)


@TRANSFORMS.register_module()
class RandomErasing(processing.RandomErasing):
    """With noise from a faster generator of normal numbers.

    The place is the parent's; the noise has the parent's distribution, from
    a generator seeded by the global one.

    Args:
        *args: As in mmpretrain's ``RandomErasing``.
        **kwargs: Likewise.
    """

    def _fill_pixels(
        self, img: np.ndarray, top: int, left: int, h: int, w: int
    ) -> np.ndarray:
        if self.mode != 'rand' or self.fill_std is None:
            return super()._fill_pixels(img, top, left, h, w)
        generator = np.random.default_rng(np.random.randint(2**31))
        noise = generator.standard_normal((h, w, 3), dtype=np.float32)
        noise *= np.asarray(self.fill_std, np.float32)
        noise += np.asarray(self.fill_color, np.float32)
        img[top : top + h, left : left + w] = noise.clip(0, 255)
        return img
