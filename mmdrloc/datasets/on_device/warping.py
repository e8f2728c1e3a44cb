"""OpenCV's ``warpAffine`` of a batch, each image by a matrix of its own."""

import torch
import torch.nn.functional as F
from torch import Tensor

# OpenCV reckons in steps of 1/1024 pixel and interpolates at every 1/32.
FINE_BITS, COARSE_BITS = 10, 5
# Names that mmcv and PyTorch share. Both take -0.75 for the bicubic filter.
MODES = ('nearest', 'bilinear', 'bicubic')


def warp(images: Tensor, matrices: Tensor, fill: Tensor, mode: str) -> Tensor:
    """Move the pixels of each image.

    Args:
        images (Tensor): (B, C, H, W) uint8.
        matrices (Tensor): (B, 6) float64, row by row, from the new image's
            (x, y, 1) to a place in the old one.
        fill (Tensor): (B, C), what lies around an image.
        mode (str): One of ``MODES``.

    Returns:
        Tensor: (B, C, H, W) uint8. With 'nearest' the pixels are those of
        OpenCV 4; else they may differ by 1 grey level, the rounding of its
        weights. OpenCV 5 does not round places: it differs by up to 7 levels
        in noise and by 1 in what is as smooth as photos; with 'nearest' some
        pixels in a thousand are their neighbours.
    """
    places = _places(images, matrices, nearest=mode == 'nearest')
    fill = fill[:, :, None, None].float()
    # What lies outside of an image is 0 to `grid_sample`.
    moved = F.grid_sample(
        images.float() - fill,
        places,
        mode=mode,
        padding_mode='zeros',
        align_corners=False,
    )
    # Halves go up there.
    moved = (moved + fill + 0.5).floor_()
    return moved.clamp_(0, 255).to(torch.uint8)


def _places(images: Tensor, matrices: Tensor, nearest: bool) -> Tensor:
    """(B, H, W, 2) float32 from -1 to 1, x before y, rounded as OpenCV does.

    It rounds the part of a column and the part of a row, and then their sum.
    """
    height, width = images.shape[-2:]
    options = dict(device=images.device, dtype=matrices.dtype)
    columns = torch.arange(width, **options)
    rows = torch.arange(height, **options)
    drop = FINE_BITS if nearest else FINE_BITS - COARSE_BITS
    places = []
    for axis, length in ((0, width), (1, height)):
        by_column, by_row, shift = matrices[:, 3 * axis : 3 * axis + 3].split(
            1, dim=1
        )
        of_column = (by_column * columns * 2**FINE_BITS).round().long()
        of_row = ((by_row * rows + shift) * 2**FINE_BITS).round().long()
        sums = of_row[:, :, None] + of_column[:, None, :] + 2 ** (drop - 1)
        place = (sums >> drop).to(matrices.dtype)
        if not nearest:
            place /= 2**COARSE_BITS
        places.append((2 * place + 1) / length - 1)
    return torch.stack(places, dim=-1).float()
