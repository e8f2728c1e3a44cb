"""Changes of tensors between formats: to ours, and back to theirs."""

from math import isqrt
from typing import Callable, Dict, Tuple

import torch
from torch import Tensor

# The four neighbours that Swin's patch merging joins, by column and row
# there, by row and column here. The permutation is its own inverse.
_NEIGHBOURS = [0, 2, 1, 3]


def by_channel(tensor: Tensor) -> Tensor:
    """(..., 4 * C), from neighbour by neighbour to channel by channel.

    So ``nn.Unfold`` lays them out.
    """
    by_neighbour = tensor.unflatten(-1, (4, -1))[..., _NEIGHBOURS, :]
    return by_neighbour.transpose(-1, -2).flatten(-2)


def by_neighbour(tensor: Tensor) -> Tensor:
    """The inverse of :func:`by_channel`."""
    by_channel = tensor.unflatten(-1, (-1, 4))[..., _NEIGHBOURS]
    return by_channel.transpose(-1, -2).flatten(-2)


def to_convolution(weight: Tensor) -> Tensor:
    """A linear layer on the pixels of a patch as a convolution.

    (D, p * p * 3), pixels by row, column and colour, to (D, 3, p, p).
    """
    side = isqrt(weight.shape[1] // 3)
    pixels = weight.unflatten(1, (side, side, 3))
    return pixels.permute(0, 3, 1, 2).contiguous()


def to_pixels(weight: Tensor) -> Tensor:
    """The inverse of :func:`to_convolution`."""
    return weight.permute(0, 2, 3, 1).flatten(1)


def with_class(positions: Tensor) -> Tensor:
    """(1, N, C) to (1, 1 + N, C): the class token gets the position zero."""
    zero = positions.new_zeros(1, 1, positions.shape[2])
    return torch.cat([zero, positions], dim=1)


def of_patches(positions: Tensor) -> Tensor:
    """The inverse of :func:`with_class`; raises ValueError without one."""
    if positions[:, 0].any():
        raise ValueError('the class token has a position')
    return positions[:, 1:].clone()


Change = Callable[[Tensor], Tensor]
# Each a bijection and its inverse, by the word in `origins.yml`.
CHANGES: Dict[str, Tuple[Change, Change]] = {
    '': (lambda tensor: tensor, lambda tensor: tensor),
    'neighbours': (by_channel, by_neighbour),
    'patches': (with_class, of_patches),
    'pixels': (to_convolution, to_pixels),
    # (1, C, 1, 1) to (C, ), and (out, in, 1, 1) to (out, in).
    'vector': (Tensor.flatten, lambda vector: vector[None, :, None, None]),
    'linear': (lambda w: w.flatten(1), lambda w: w[..., None, None]),
}
