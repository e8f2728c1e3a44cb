"""A trained model and its validation data, to be drawn."""

from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from mmengine.config import Config
from mmengine.runner import Runner
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.checkpoints import load
from mmdrloc.models.building import building_from
from mmdrloc.utils.paths import Place


class Trained(NamedTuple):
    """A model in evaluation mode, its validation data and its config."""

    model: nn.Module
    loader: DataLoader
    cfg: Config


def load_trained(cfg: Config, checkpoint: Place) -> Trained:
    """Build and load the model of a config; build its validation data.

    Raises:
        UsageError: If the config cannot be built, or the checkpoint cannot be
            read or is another model's.
    """
    model = load.load_trained(cfg, checkpoint).model
    with building_from(cfg):
        loader = Runner.build_dataloader(cfg.val_dataloader)
    return Trained(model, loader, cfg)


def image_grid(figure: Figure, rows: int, columns: int) -> np.ndarray:
    """Give (rows, columns) axes for images of about two inches each."""
    figure.set_size_inches(2.2 * columns, 2.2 * rows)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat:
        axes.axis('off')
    return grid
