"""Parts of images, resized all at once: a product with two matrices."""

from typing import Dict, Tuple

import torch
from torch import Tensor

Size = Tuple[int, int]


def _hat(x: Tensor) -> Tensor:
    return (1 - x.abs()).clamp_(min=0)


def _cubic(x: Tensor, slope: float) -> Tensor:
    """The bicubic filter: its slope at 1 tells the libraries apart."""
    x = x.abs()
    near = ((slope + 2) * x - (slope + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * slope
    return torch.where(x < 1, near, torch.where(x < 2, far, x.new_zeros(())))


# Half the width of each filter, in pixels.
REACH = {'bilinear': 1, 'bicubic': 2}


def _averaging(
    starts: Tensor, lengths: Tensor, old: int, new: int, mode: str
) -> Tensor:
    """Pillow's weights, and PyTorch's with ``antialias``: (B, new, old)."""
    scales = (lengths / new)[:, None, None]
    widths = scales.clamp(min=1)
    reach = REACH[mode] * widths
    options = dict(device=starts.device, dtype=torch.float64)
    pixels = torch.arange(old, **options) - starts[:, None, None]
    centres = (torch.arange(new, **options)[:, None] + 0.5) * scales
    first = (centres - reach + 0.5).clamp_(min=0).floor()
    last = torch.minimum(
        (centres + reach + 0.5).floor(), lengths[:, None, None]
    )
    x = (pixels - centres + 0.5) / widths
    weights = _hat(x) if mode == 'bilinear' else _cubic(x, -0.5)
    weights = weights * ((pixels >= first) & (pixels < last))
    return weights / weights.sum(-1, keepdim=True)


def _picking(
    starts: Tensor, lengths: Tensor, old: int, new: int, mode: str
) -> Tensor:
    """OpenCV's weights, of the nearest pixels alone: (B, new, old)."""
    scales = (lengths / new)[:, None]
    options = dict(device=starts.device, dtype=torch.float64)
    places = (torch.arange(new, **options) + 0.5) * scales - 0.5
    base = places.floor()
    pixels = torch.arange(old, **options) - starts[:, None, None]
    weights = torch.zeros_like(pixels)
    for step in range(1 - REACH[mode], REACH[mode] + 1):
        x = base + step - places
        weight = _hat(x) if mode == 'bilinear' else _cubic(x, -0.75)
        # Outside of the part its border pixel stands.
        taken = (base + step).clamp_(min=0)
        taken = torch.minimum(taken, lengths[:, None] - 1)
        weights = weights + weight[..., None] * (pixels == taken[..., None])
    return weights


WEIGHTS = {'pillow': _averaging, 'cv2': _picking}


def crop_and_resize(
    images: Tensor, boxes: Dict[str, Tensor], size: Size, mode: str, like: str
) -> Tensor:
    """Cut a box out of each image, and resize it.

    Args:
        images (Tensor): (B, C, H, W) uint8.
        boxes (dict[str, Tensor]): ``top``, ``left``, ``height`` and
            ``width``, each (B,), within the image.
        size (tuple[int, int]): New height and width.
        mode (str): 'bilinear' or 'bicubic'.
        like (str): Whose result: 'pillow', which takes the mean of what is
            made smaller, or 'cv2', which does not.

    Returns:
        Tensor: (B, C, *size) uint8.
    """
    boxes = {name: values.double() for name, values in boxes.items()}
    weights = WEIGHTS[like]
    height, width = images.shape[-2:]
    down = weights(boxes['top'], boxes['height'], height, size[0], mode)
    across = weights(boxes['left'], boxes['width'], width, size[1], mode)
    # Not in the half precision of the model's step.
    with torch.autocast(images.device.type, enabled=False):
        resized = images.float() @ across.float().transpose(1, 2)[:, None]
        if like == 'pillow':  # which keeps bytes in between
            resized = _rounded(resized)
        resized = down.float()[:, None] @ resized
    return _rounded(resized).to(torch.uint8)


def _rounded(values: Tensor) -> Tensor:
    return (values + 0.5).floor_().clamp_(0, 255)
