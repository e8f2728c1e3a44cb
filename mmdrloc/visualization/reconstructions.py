"""Draw what a masked auto-encoder sees and what it reconstructs."""

from pathlib import Path

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor, nn
from torch.utils.data import DataLoader

from mmdrloc.models import LightMAE
from mmdrloc.reporting.figures import save_figure
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.images import evenly_spaced

IMAGES = 8
ROWS = ('input', 'masked', 'reconstruction')


@torch.no_grad()
def reconstructions(model: nn.Module, loader: DataLoader) -> np.ndarray:
    """Reconstruct validation images, evenly spaced among all.

    The reconstruction shows the network's output in all patches, visible ones
    included.

    Returns:
        np.ndarray: (3, N, height, width, 3), RGB, uint8: the images, their
        visible parts, and the reconstructions.

    Raises:
        UsageError: If the model is no masked auto-encoder.
    """
    if not isinstance(model, LightMAE):
        raise UsageError(
            f'{type(model).__name__} is no masked auto-encoder: give the '
            'config of a pre-training'
        )
    dataset = loader.dataset
    # Images are often sorted by class.
    indices = evenly_spaced(range(len(dataset)), IMAGES)
    samples = [dataset[index] for index in indices]
    columns = []
    for sample in model.val_step(loader.collate_fn(samples)):
        image = _pixels(sample.image, model.data_preprocessor)
        visible = (1 - sample.mask).cpu().permute(1, 2, 0).numpy()
        masked = image * visible + 128 * (1 - visible)
        made = _pixels(sample.reconstruction, model.data_preprocessor)
        columns.append([image, masked, made])
    return np.array(columns).round().astype(np.uint8).swapaxes(0, 1)


def draw_reconstructions(
    model: nn.Module, loader: DataLoader, path: Path
) -> None:
    """Draw a column for each image; see :func:`reconstructions`."""
    found = reconstructions(model, loader)
    size = 2.2 * found.shape[1], 2.2 * len(ROWS)
    figure = Figure(size, layout='constrained')
    grid = figure.subplots(*found.shape[:2], squeeze=False)
    rows = zip(grid, ROWS, found)
    for all_axes, name, images in rows:
        all_axes[0].set_title(name, loc='left')
        for axes, image in zip(all_axes, images):
            axes.axis('off')
            axes.imshow(image)
    save_figure(figure, path)


def _pixels(image: Tensor, preprocessor: nn.Module) -> np.ndarray:
    """Turn normalised (3, H, W) into pixels (H, W, 3) from 0 to 255."""
    pixels = image.float() * preprocessor.std + preprocessor.mean
    return pixels.clamp(0, 255).cpu().permute(1, 2, 0).numpy()
