"""Changes of each value by itself, and what the tables follow from."""

import torch
from torch import Tensor

VALUES = 256
# Of OpenCV's grey, for blue, green and red, in 1/2**15.
GREY_WEIGHTS, GREY_BITS = (3735, 19235, 9798), 15


def look_up(images: Tensor, tables: Tensor) -> Tensor:
    """Replace each value by its table's.

    Args:
        images (Tensor): (B, C, H, W) uint8.
        tables (Tensor): (B, 256) or (B, C, 256) uint8.

    Returns:
        Tensor: (B, C, H, W) uint8.
    """
    batch, channels = images.shape[:2]
    if tables.dim() == 2:
        tables = tables[:, None].expand(batch, channels, VALUES)
    return tables.gather(2, images.flatten(2).long()).view_as(images)


def grey_of(images: Tensor) -> Tensor:
    """What OpenCV makes of blue, green and red, bit by bit.

    Args:
        images (Tensor): (B, 3, H, W) uint8.

    Returns:
        Tensor: (B, 1, H, W) int32, 0 to 255.
    """
    weighted = [
        images[:, index : index + 1].int() * weight
        for index, weight in enumerate(GREY_WEIGHTS)
    ]
    return (sum(weighted) + (1 << (GREY_BITS - 1))) >> GREY_BITS


def _as_bytes(tables: Tensor) -> Tensor:
    """Cut, not rounded, as ``astype`` does."""
    return tables.clamp(0, 255).to(torch.uint8)


def stretching(images: Tensor) -> Tensor:
    """Tables of ``AutoContrast``, from each channel's darkest and lightest.

    Args:
        images (Tensor): (B, C, H, W) uint8.

    Returns:
        Tensor: (B, C, 256) uint8.
    """
    values = images.flatten(2)
    low = values.amin(2, keepdim=True).double()
    high = values.amax(2, keepdim=True).double()
    same = torch.arange(VALUES, device=images.device, dtype=torch.float64)
    # (A number divided by a tensor is a product with its inverse.)
    scale = torch.full_like(low, 255) / (high - low).clamp(min=1)
    tables = torch.where(high > low, same * scale - low * scale, same)
    return _as_bytes(tables)


def flattening(images: Tensor) -> Tensor:
    """Tables of ``Equalize``, from each channel's histogram.

    Args:
        images (Tensor): (B, C, H, W) uint8.

    Returns:
        Tensor: (B, C, 256) uint8.
    """
    values = images.flatten(2).long()
    counts = values.new_zeros(*values.shape[:2], VALUES)
    counts.scatter_add_(2, values, torch.ones_like(values))
    last = counts.gather(2, values.amax(2, keepdim=True))
    step = (values.shape[2] - last) // 255
    below = counts.cumsum(2) - counts
    tables = (below + step // 2) // step.clamp(min=1)
    same = torch.arange(VALUES, device=images.device)
    # The table is shifted by one value, and begins with 0.
    tables = torch.where(same > 0, tables, 0)
    return _as_bytes(torch.where(step > 0, tables, same))


def spreading(images: Tensor, factors: Tensor) -> Tensor:
    """Tables of ``Contrast``, away from the mean grey.

    Args:
        images (Tensor): (B, 3, H, W) uint8.
        factors (Tensor): (B,), of the distance to it.

    Returns:
        Tensor: (B, 256) uint8.
    """
    mean = grey_of(images).flatten(1).sum(1) / images[0, 0].numel()
    factors = factors[:, None].float()
    same = torch.arange(VALUES, device=images.device, dtype=torch.float32)
    tables = same * factors + mean.round()[:, None].float() * (1 - factors)
    return _as_bytes(tables)
