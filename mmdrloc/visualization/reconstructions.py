"""Draw what a masked auto-encoder sees and what it reconstructs."""

from pathlib import Path

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from mmdrloc.models import LightMAE
from mmdrloc.reporting.figures import save_figure
from mmdrloc.utils.errors import UsageError
from .trained import Trained, image_grid

IMAGES = 8
ROWS = ('input', 'masked', 'reconstruction')


@torch.no_grad()
def reconstructions(trained: Trained) -> np.ndarray:
    """Reconstruct validation images, evenly spaced among all.

    The reconstruction shows the network's output in all patches, visible ones
    included.

    Returns:
        np.ndarray: (3, N, height, width, 3), RGB, uint8: the images, their
        visible parts, and the reconstructions.

    Raises:
        UsageError: If the model is no masked auto-encoder.
    """
    model, dataset = trained.model, trained.loader.dataset
    if not isinstance(model, LightMAE):
        raise UsageError(
            f'{trained.cfg.filename} has no masked auto-encoder: give the '
            'config of a pre-training'
        )
    # Images are often sorted by class.
    indices = np.linspace(0, len(dataset) - 1, IMAGES).astype(int)
    samples = [dataset[index] for index in indices.tolist()]
    columns = []
    for sample in model.val_step(trained.loader.collate_fn(samples)):
        image = _pixels(sample.image, model.data_preprocessor)
        visible = (1 - sample.mask).cpu().permute(1, 2, 0).numpy()
        masked = image * visible + 128 * (1 - visible)
        made = _pixels(sample.reconstruction, model.data_preprocessor)
        columns.append([image, masked, made])
    return np.array(columns).round().astype(np.uint8).swapaxes(0, 1)


def draw_reconstructions(trained: Trained, path: Path) -> None:
    """Draw a column for each image; see :func:`reconstructions`."""
    figure = Figure(layout='constrained')
    grid = image_grid(figure, len(ROWS), IMAGES)
    rows = zip(grid, ROWS, reconstructions(trained))
    for all_axes, name, images in rows:
        all_axes[0].set_title(name, loc='left')
        for axes, image in zip(all_axes, images):
            axes.imshow(image)
    save_figure(figure, path)


def _pixels(image: Tensor, preprocessor: nn.Module) -> np.ndarray:
    """Turn normalised (3, H, W) into pixels (H, W, 3) from 0 to 255."""
    pixels = image.float() * preprocessor.std + preprocessor.mean
    return pixels.clamp(0, 255).cpu().permute(1, 2, 0).numpy()
