"""RandAugment of a batch: each image by operations of its own."""

from typing import Any, Callable, Dict, Mapping, NamedTuple, Tuple

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from mmdrloc.utils.errors import UsageError
from . import tables
from .steps import BatchStep, Drawn, Size, refuse, sent
from .warping import MODES, warp

# All values, as an image that is sent through a transform to see what it
# makes of each.
RAMP = np.repeat(np.arange(tables.VALUES, dtype=np.uint8)[None, :, None], 3, 2)


class Chosen(NamedTuple):
    """What is done to some images of a batch, on their device.

    Args:
        images (Tensor): (N, 3, H, W) uint8.
        numbers (Tensor): (N, 9) float64: a matrix and three values around
            the image, or one factor.
        tables (Tensor): (N, 256) uint8.
    """

    images: Tensor
    numbers: Tensor
    tables: Tensor

    @property
    def factors(self) -> Tensor:
        """(N, 1, 1, 1) float32."""
        return self.numbers[:, 0, None, None, None].float()


def _blended(chosen: Chosen, other: Tensor) -> Tensor:
    """Images away from others, or towards them; not rounded yet."""
    return chosen.images * chosen.factors + other * (1 - chosen.factors)


def _colour(chosen: Chosen) -> Tensor:
    """Rounded by OpenCV, which has bytes here."""
    colours = _blended(chosen, tables.grey_of(chosen.images))
    return colours.round_().clamp_(0, 255).to(torch.uint8)


def _sharpness(chosen: Chosen) -> Tensor:
    """Beside a mean in which the middle counts 5 times; cut, not rounded."""
    images = chosen.images.float()
    height, width = images.shape[2:]
    around = F.pad(images, (1, 1, 1, 1), mode='reflect')
    total = images * 4
    for row in range(3):
        for column in range(3):
            total += around[:, :, row : row + height, column : column + width]
    sharp = _blended(chosen, (total / 13).round_())
    return sharp.clamp_(0, 255).to(torch.uint8)


def _warped(mode: str) -> Callable[[Chosen], Tensor]:
    return lambda chosen: warp(
        chosen.images, chosen.numbers[:, :6], chosen.numbers[:, 6:], mode
    )


# What may be done; its place in this dict stands for it in a batch.
KINDS: Dict[str, Callable[[Chosen], Tensor]] = {
    **{mode: _warped(mode) for mode in MODES},
    'table': lambda chosen: tables.look_up(chosen.images, chosen.tables),
    'AutoContrast': lambda chosen: tables.look_up(
        chosen.images, tables.stretching(chosen.images)
    ),
    'Equalize': lambda chosen: tables.look_up(
        chosen.images, tables.flattening(chosen.images)
    ),
    'Contrast': lambda chosen: tables.look_up(
        chosen.images, tables.spreading(chosen.images, chosen.numbers[:, 0])
    ),
    'ColorTransform': _colour,
    'Sharpness': _sharpness,
}
CODES = {kind: code for code, kind in enumerate(KINDS, 1)}
NOTHING = 0

MOVING = ('Shear', 'Translate', 'Rotate')
# Each value by itself, whatever the image.
BY_VALUE = ('Invert', 'Posterize', 'Solarize', 'SolarizeAdd', 'Brightness')
BY_FACTOR = ('Contrast', 'ColorTransform', 'Sharpness')
BY_IMAGE = ('AutoContrast', 'Equalize')


def _matrix(policy: Any, magnitude: float, size: Size) -> np.ndarray:
    """Of an operation that moves pixels, as mmcv gives it to OpenCV."""
    height, width = size
    kind = type(policy).__name__
    if kind == 'Rotate':
        centre = policy.center or ((width - 1) * 0.5, (height - 1) * 0.5)
        return cv2.getRotationMatrix2D(centre, -magnitude, policy.scale)
    matrix = np.eye(2, 3, dtype=np.float32)
    axis = int(policy.direction == 'vertical')
    if kind == 'Shear':
        matrix[axis, 1 - axis] = magnitude
    else:
        matrix[axis, 2] = magnitude * (height if axis else width)
    return matrix.astype(np.float64)


class RandAugment(BatchStep):
    """Of mmpretrain's and of ours: the same operations and magnitudes.

    Grey levels are the same for operations that change each value by itself,
    for AutoContrast and Equalize, and for what moves pixels with 'nearest'.
    They differ by at most 1, in less than one value of a hundred, for what
    moves them with 'bilinear' or 'bicubic', for Contrast and ColorTransform;
    likewise for Sharpness, in up to three of a hundred.

    Args:
        step (RandAugment): With operations that are named here.
    """

    def __init__(self, step: Any) -> None:
        known = (*MOVING, *BY_VALUE, *BY_FACTOR, *BY_IMAGE)
        for policy in step.transforms:
            kind = type(policy).__name__
            if kind not in known:
                raise UsageError(
                    f'{kind} of RandAugment has no twin on the device: leave '
                    'it out, or train without --augment-on-device'
                )
            if kind in MOVING and policy.interpolation not in MODES:
                refuse(policy, 'interpolation', policy.interpolation)
        self.step = step

    def draw(self, height: int, width: int) -> Tuple[Drawn, Size]:
        """See :class:`BatchStep`."""
        size = height, width
        drawn = [
            _drawn(self.step.transforms[index], size)
            for index in self.step.random_policy_indices()
        ]
        codes, numbers, values = map(np.array, zip(*drawn, strict=True))
        return dict(codes=codes, numbers=numbers, tables=values), size

    def apply(self, images: Tensor, drawn: Mapping[str, Tensor]) -> Tensor:
        """See :class:`BatchStep`."""
        codes = drawn['codes'].numpy()
        numbers = sent(drawn['numbers'], images)
        values = sent(drawn['tables'], images)
        images = images.clone()
        for slot in range(codes.shape[1]):
            # Known on the host: nothing is asked of the device.
            for kind, code in CODES.items():
                (places,) = np.nonzero(codes[:, slot] == code)
                if len(places) == 0:
                    continue
                rows = sent(torch.from_numpy(places), images)
                chosen = Chosen(
                    images[rows], numbers[rows, slot], values[rows, slot]
                )
                images.index_copy_(0, rows, KINDS[kind](chosen))
        return images


def _drawn(policy: Any, size: Size) -> Tuple[int, np.ndarray, np.ndarray]:
    """One operation's code, numbers and table, drawn in its own order."""
    kind = type(policy).__name__
    numbers = np.zeros(9)
    if kind in BY_VALUE:
        ramp = policy(dict(img=RAMP))['img']
        code = NOTHING if ramp is RAMP else CODES['table']
        return code, numbers, ramp[0, :, 0]
    if policy.random_disable():
        return NOTHING, numbers, RAMP[0, :, 0]
    if kind not in BY_IMAGE:
        magnitude = policy.angle if kind == 'Rotate' else policy.magnitude
        if magnitude is None:
            magnitude = policy.random_magnitude()
        magnitude = policy.random_negative(magnitude)
    if kind in BY_FACTOR:
        numbers[0] = 1 + magnitude
    elif kind in MOVING:
        matrix = cv2.invertAffineTransform(_matrix(policy, magnitude, size))
        numbers[:6] = matrix.ravel()
        numbers[6:] = policy.pad_val
        if kind == 'Rotate' and np.ndim(policy.pad_val) == 0:
            numbers[7:] = 0  # a single number is OpenCV's first channel
        kind = policy.interpolation
    return CODES[kind], numbers, RAMP[0, :, 0]
