"""Pooling into parts of unequal size, in words that ONNX has."""

from typing import Tuple, Union

import torch
from torch import Tensor, nn


class FixedPooling(nn.Module):
    """What ``nn.AdaptiveAvgPool2d`` computes, as two products of matrices.

    ONNX pools into parts of one size; UPerNet's pyramid divides a map of 8
    cells into 3 and 6 parts. The matrices are constants of the file, whose
    input has one shape.

    Args:
        parts (int | tuple[int, int]): Of the rows and of the columns.
    """

    def __init__(self, parts: Union[int, Tuple[int, int]]) -> None:
        super().__init__()
        self.parts = (parts, parts) if isinstance(parts, int) else parts

    def forward(self, maps: Tensor) -> Tensor:
        """Average each part.

        Args:
            maps (Tensor): (B, C, H, W).

        Returns:
            Tensor: (B, C, parts of the rows, parts of the columns).
        """
        rows, columns = (
            shares(int(size), parts or int(size)).to(maps)
            for size, parts in zip(maps.shape[-2:], self.parts, strict=True)
        )
        return rows @ maps @ columns.T


def shares(size: int, parts: int) -> Tensor:
    """How much each cell counts in the average of each part.

    Args:
        size (int): Cells in a line.
        parts (int): What they are divided into; these may overlap.

    Returns:
        Tensor: (parts, size); rows sum up to 1.
    """
    part, cell = torch.arange(parts)[:, None], torch.arange(size)
    begin, end = part * size // parts, -(-(part + 1) * size // parts)
    return ((cell >= begin) & (cell < end)) / (end - begin)


def fix_pooling(model: nn.Module) -> None:
    """Replace all of a model's pooling into a number of parts.

    Args:
        model (nn.Module): Changed in place.
    """
    for parent in list(model.modules()):
        for name, child in parent.named_children():
            if isinstance(child, nn.AdaptiveAvgPool2d):
                setattr(parent, name, FixedPooling(child.output_size))
