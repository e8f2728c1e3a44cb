"""Steps of a pipeline in two halves: draw for an image, do to a batch."""

from abc import ABC, abstractmethod
from numbers import Number
from typing import Any, Dict, Mapping, Tuple

import numpy as np
import torch
from torch import Tensor

from mmdrloc.utils.errors import UsageError
from .resizing import REACH, WEIGHTS, crop_and_resize

Size = Tuple[int, int]
Drawn = Dict[str, np.ndarray]


def refuse(step: Any, option: str, value: Any) -> None:
    """Say that a step is not computed on the device with an option.

    Raises:
        UsageError: Always.
    """
    raise UsageError(
        f'{type(step).__name__} with {option}={value!r} has no twin on the '
        'device: change it, or train without --augment-on-device'
    )


def sent(drawn: Tensor, images: Tensor) -> Tensor:
    """A tensor of the host where the images are; nothing waits for it."""
    return drawn.to(images.device, non_blocking=True)


def blank(height: int, width: int) -> np.ndarray:
    """An image of that size for what looks at its size alone."""
    return np.empty((height, width, 0), np.uint8)


class BatchStep(ABC):
    """A twin of a transform of a pipeline.

    Args:
        step (BaseTransform): The transform, whose methods draw.

    Raises:
        UsageError: If the transform has an option that the twin lacks.
    """

    @abstractmethod
    def __init__(self, step: Any) -> None:
        pass

    @abstractmethod
    def draw(self, height: int, width: int) -> Tuple[Drawn, Size]:
        """Draw for one image what the transform would draw.

        Args:
            height (int): Of the image, in pixels.
            width (int): Likewise.

        Returns:
            tuple[dict[str, np.ndarray], tuple[int, int]]: What was drawn,
            each of one shape whatever it is; the new image's height and
            width.
        """

    @abstractmethod
    def apply(self, images: Tensor, drawn: Mapping[str, Tensor]) -> Tensor:
        """Do to each image what was drawn for it.

        Args:
            images (Tensor): (B, 3, H, W) uint8, on any device; it stays as
                it is.
            drawn (Mapping[str, Tensor]): Batches of what :meth:`draw` gave,
                on the host.

        Returns:
            Tensor: (B, 3, H', W') uint8, on the same device.
        """


class RandomCrop(BatchStep):
    """Of mmpretrain's: the same pixels.

    Args:
        step (RandomCrop): With ``padding`` or without.
    """

    def __init__(self, step: Any) -> None:
        if step.pad_if_needed:
            refuse(step, 'pad_if_needed', True)
        self.step = step
        padding = step.padding or 0
        if isinstance(padding, int):
            padding = (padding, padding)
        # Left, top, right, bottom; or left and right, top and bottom.
        self.padding = tuple(padding) * (4 // len(padding))
        fill = step.pad_val
        if isinstance(fill, Number):  # OpenCV's first channel
            fill = (fill, 0, 0)
        self.fill = torch.tensor(fill, dtype=torch.uint8)

    def draw(self, height: int, width: int) -> Tuple[Drawn, Size]:
        """See :class:`BatchStep`."""
        left, top, right, bottom = self.padding
        padded = blank(height + top + bottom, width + left + right)
        y, x, *size = self.step.rand_crop_params(padded)
        if tuple(size) != tuple(self.step.crop_size):
            raise UsageError(
                f'an image of {width} x {height} pixels is too small for '
                f'{self.step}: give it more padding'
            )
        return dict(corner=np.array([y - top, x - left])), tuple(size)

    def apply(self, images: Tensor, drawn: Mapping[str, Tensor]) -> Tensor:
        """See :class:`BatchStep`."""
        corners = sent(drawn['corner'], images)
        batch, channels, *old = images.shape
        inside, places = [], []
        for axis, length in enumerate(self.step.crop_size):
            place = corners[:, axis, None] + torch.arange(
                length, device=images.device
            )
            inside.append((place >= 0) & (place < old[axis]))
            places.append(place.clamp_(0, old[axis] - 1))
        rows, columns = places
        cropped = images[
            torch.arange(batch, device=images.device)[:, None, None, None],
            torch.arange(channels, device=images.device)[:, None, None],
            rows[:, None, :, None],
            columns[:, None, None, :],
        ]
        kept = inside[0][:, None, :, None] & inside[1][:, None, None, :]
        fill = sent(self.fill.reshape(-1, 1, 1), images)
        return torch.where(kept, cropped, fill)


class RandomResizedCrop(BatchStep):
    """Of mmpretrain's and of ours: the same parts.

    Grey levels differ by at most 1 from OpenCV's (``backend='cv2'``; its
    'bilinear' cuts one value in eight to the level below) and by at most 2
    from Pillow's and ours. Pillow 13 begins with the direction that shrinks
    more, and not always with the rows: in noise, made smaller, less than one
    value in a hundred differs by more, up to 26.

    Args:
        step (RandomResizedCrop): 'bilinear' or 'bicubic'.
    """

    def __init__(self, step: Any) -> None:
        if step.interpolation not in REACH:
            refuse(step, 'interpolation', step.interpolation)
        if step.backend not in WEIGHTS:
            refuse(step, 'backend', step.backend)
        self.step = step

    def draw(self, height: int, width: int) -> Tuple[Drawn, Size]:
        """See :class:`BatchStep`."""
        box = self.step.rand_crop_params(blank(height, width))
        return dict(box=np.array(box)), tuple(self.step.scale)

    def apply(self, images: Tensor, drawn: Mapping[str, Tensor]) -> Tensor:
        """See :class:`BatchStep`."""
        box = sent(drawn['box'], images)
        names = ('top', 'left', 'height', 'width')
        return crop_and_resize(
            images,
            {name: box[:, index] for index, name in enumerate(names)},
            tuple(self.step.scale),
            self.step.interpolation,
            self.step.backend,
        )


class RandomFlip(BatchStep):
    """Of mmcv's: the same pixels.

    Args:
        step (RandomFlip): In any direction.
    """

    def __init__(self, step: Any) -> None:
        self.step = step

    def draw(self, height: int, width: int) -> Tuple[Drawn, Size]:
        """See :class:`BatchStep`."""
        # It has no other public method than the one that flips.
        way = self.step(dict(img=blank(1, 1)))['flip_direction']
        flips = np.array(
            [
                way in ('vertical', 'diagonal'),
                way in ('horizontal', 'diagonal'),
            ]
        )
        return dict(flips=flips), (height, width)

    def apply(self, images: Tensor, drawn: Mapping[str, Tensor]) -> Tensor:
        """See :class:`BatchStep`."""
        flips = sent(drawn['flips'], images)
        for axis in (0, 1):
            flip = flips[:, axis, None, None, None]
            images = torch.where(flip, images.flip(axis + 2), images)
        return images


class RandomErasing(BatchStep):
    """Of mmpretrain's and of ours: the same places.

    A constant colour is the same too; noise has the same distribution, and
    comes from the device's own generator.

    Args:
        step (RandomErasing): In either mode.
    """

    def __init__(self, step: Any) -> None:
        self.step = step
        self.colour = torch.tensor(step.fill_color, dtype=torch.float32)
        self.noisy = step.mode == 'rand'
        if step.fill_std is not None:
            self.deviation = torch.tensor(step.fill_std, dtype=torch.float32)

    def draw(self, height: int, width: int) -> Tuple[Drawn, Size]:
        """See :class:`BatchStep`."""
        box = (0, 0, 0, 0)
        if not self.step.random_disable():
            box = self.step.random_patch(height, width)
        return dict(box=np.array(box)), (height, width)

    def apply(self, images: Tensor, drawn: Mapping[str, Tensor]) -> Tensor:
        """See :class:`BatchStep`."""
        box = sent(drawn['box'], images)
        erased = None
        for axis, length in enumerate(images.shape[2:]):
            place = torch.arange(length, device=images.device)
            first = box[:, axis, None]
            inside = (place >= first) & (
                place < first + box[:, axis + 2, None]
            )
            inside = (
                inside[:, None, None] if axis else inside[:, None, :, None]
            )
            erased = inside if erased is None else erased & inside
        return torch.where(erased, self._fill(images), images)

    def _fill(self, images: Tensor) -> Tensor:
        """What stands in erased places, like the images or one pixel."""
        if self.noisy and self.step.fill_std is None:
            return torch.randint_like(images, 256)
        fill = sent(self.colour[:, None, None], images)
        if self.noisy:
            noise = torch.randn_like(images, dtype=torch.float32)
            fill = noise * sent(self.deviation[:, None, None], images) + fill
        return fill.clamp(0, 255).to(torch.uint8)
