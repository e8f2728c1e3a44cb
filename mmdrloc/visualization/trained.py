"""Load a trained model and its validation data; save figures."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmengine.runner import Runner
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.checkpoints.load import load_model
from mmdrloc.checkpoints.reading import load_weights
from mmdrloc.models.building import building_from
from mmdrloc.utils.files import atomic_path


class Trained(NamedTuple):
    """A model in evaluation mode, its validation data and its config."""

    model: nn.Module
    loader: DataLoader
    cfg: Config


def load_trained(cfg: Config, checkpoint: str) -> Trained:
    """Build the model and the validation data of a config, on the CPU.

    Raises:
        UsageError: If the config cannot be built, or the checkpoint cannot be
            read or is another model's.
    """
    with building_from(cfg):
        init_default_scope(cfg.default_scope)
        # The Runner merges them likewise.
        own = {key: cfg[key] for key in ('data_preprocessor',) if key in cfg}
        model = MODELS.build({**own, **cfg.model})
        loader = Runner.build_dataloader(cfg.val_dataloader)
    weights = load_weights(checkpoint)
    load_model(model, weights, checkpoint, is_training=False)
    return Trained(model.eval(), loader, cfg)


def image_grid(figure: Figure, rows: int, columns: int) -> np.ndarray:
    """Give (rows, columns) axes for images of about two inches each."""
    figure.set_size_inches(2.2 * columns, 2.2 * rows)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat:
        axes.axis('off')
    return grid


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as a PNG file."""
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format='png', dpi=110)
