"""What a masked auto-encoder sees and what it makes of it, as one picture."""

from pathlib import Path
from typing import List, Sequence

import numpy as np
import torch
from mmpretrain.structures import DataSample
from PIL import Image, ImageDraw
from torch import Tensor, nn
from torch.utils.data import DataLoader

from mmdrloc.models import LightMAE
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from .trained import Trained

ROWS = ('input', 'masked', 'reconstruction')
# Images are enlarged to about this side.
SIDE = 128
GAP = 4
LABEL_HEIGHT = 16


@torch.no_grad()
def reconstruction_picture(
    model: LightMAE, loader: DataLoader, num_images: int = 8
) -> np.ndarray:
    """Draw a column an image: the input, what is not masked, what is made.

    The reconstruction is the network's answer in all patches, visible ones
    included.

    Args:
        model (LightMAE): In evaluation mode, with a preprocessor that
            normalises and gives RGB.
        loader (DataLoader): Its images are taken evenly spaced, since they
            are often sorted by class.
        num_images (int): How many. Defaults to 8.

    Returns:
        np.ndarray: (height, width, 3), RGB, uint8.
    """
    dataset = loader.dataset
    indices = np.linspace(0, len(dataset) - 1, num_images).astype(int)
    batch = loader.collate_fn([dataset[index] for index in indices.tolist()])
    samples = model.val_step(batch)
    return _table([_column(s, model.data_preprocessor) for s in samples])


def draw_reconstructions(
    trained: Trained, path: Path, num_images: int = 8
) -> None:
    """Draw validation images; see :func:`reconstruction_picture`.

    Args:
        trained (Trained): A masked auto-encoder.
        path (Path): PNG to be written.
        num_images (int): How many. Defaults to 8.

    Raises:
        UsageError: If the model is no masked auto-encoder.
    """
    if not isinstance(trained.model, LightMAE):
        raise UsageError(
            f'{trained.cfg.filename} has no masked auto-encoder: give the '
            'config of a pre-training'
        )
    picture = reconstruction_picture(trained.model, trained.loader, num_images)
    with atomic_path(path) as temporary:
        Image.fromarray(picture).save(temporary, format='png')


def _table(columns: Sequence[List[np.ndarray]]) -> np.ndarray:
    """Columns of images side by side, with the names of the rows."""
    height, width = columns[0][0].shape[:2]
    row_height = LABEL_HEIGHT + height + GAP
    size = (len(columns) * (width + GAP) + GAP, len(ROWS) * row_height)
    picture = Image.new('RGB', size, 'white')
    draw = ImageDraw.Draw(picture)
    for row, label in enumerate(ROWS):
        top = row * row_height
        draw.text((GAP, top + 2), label, fill='black')
        for number, column in enumerate(columns):
            place = GAP + number * (width + GAP), top + LABEL_HEIGHT
            picture.paste(Image.fromarray(column[row]), place)
    return np.asarray(picture)


def _column(sample: DataSample, preprocessor: nn.Module) -> List[np.ndarray]:
    """The three images of a sample, enlarged, (h, w, 3)."""
    image = _pixels(sample.image, preprocessor)
    visible = (1 - sample.mask).cpu().permute(1, 2, 0).numpy()
    masked = image * visible + 128 * (1 - visible)
    rows = (image, masked, _pixels(sample.reconstruction, preprocessor))
    factor = max(1, round(SIDE / max(image.shape[:2])))
    return [
        row.round().astype(np.uint8).repeat(factor, 0).repeat(factor, 1)
        for row in rows
    ]


def _pixels(image: Tensor, preprocessor: nn.Module) -> np.ndarray:
    """(3, H, W) as the network has it, to (H, W, 3) from 0 to 255."""
    pixels = image.float() * preprocessor.std + preprocessor.mean
    return pixels.clamp(0, 255).cpu().permute(1, 2, 0).numpy()
