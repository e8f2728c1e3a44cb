"""True against predicted distances of pairs of grid cells."""

from pathlib import Path
from typing import NamedTuple, Tuple

import torch
from matplotlib.figure import Figure
from torch import Tensor

from mmdrloc.errors import UsageError
from mmdrloc.files import atomic_path
from mmdrloc.models import DRLocHead, GridTap
from .trained import Trained


class PairDistances(NamedTuple):
    """Offsets of pairs, in cells.

    Args:
        true (Tensor): (P, 2), rows first, integers.
        predicted (Tensor): (P, 2).
        grid_size (tuple[int, int]): (H, W) of the pooled grid.
    """

    true: Tensor
    predicted: Tensor
    grid_size: Tuple[int, int]


@torch.no_grad()
def collect_pair_distances(
    trained: Trained, num_images: int = 200, seed: int = 0
) -> PairDistances:
    """Ask the DRLoc head about pairs in validation images.

    Args:
        trained (Trained): A model with a DRLoc head; its first source is
            asked.
        num_images (int): Images to look at. Defaults to 200.
        seed (int): Of the pairs. Defaults to 0.

    Returns:
        PairDistances: m pairs an image.

    Raises:
        UsageError: If the model has no DRLoc head.
    """
    model = trained.model
    head = getattr(model, 'auxiliary_head', None)
    if not isinstance(head, DRLocHead):
        raise UsageError(
            f'{trained.cfg.filename} has no DRLoc head: give the '
            'config of a model trained with one'
        )
    generator = torch.Generator().manual_seed(seed)
    true, predicted, seen = [], [], 0
    for batch in trained.loader:
        with GridTap(model.backbone, head.sources, head.in_channels) as tap:
            model.test_step(batch)
        grid = tap.grids()[0]
        size = head.pooled_size(grid)
        pairs = head.sample_pairs(len(grid), size, grid.device, generator)
        prediction = head.predict(grid, pairs)
        offsets = pairs[..., :2] - pairs[..., 2:]
        if not head.loss_module.has_direction:
            offsets = offsets.abs()
        true.append(offsets.flatten(0, 1))
        predicted.append(
            head.loss_module.offsets_of(prediction, size).flatten(0, 1)
        )
        seen += len(grid)
        if seen >= num_images:
            break
    return PairDistances(torch.cat(true), torch.cat(predicted), size)


def draw_pair_distances(distances: PairDistances, path: Path) -> None:
    """Draw both axes as heat maps and the error by distance.

    Args:
        distances (PairDistances): What was collected.
        path (Path): PNG to be written.
    """
    figure = Figure(figsize=(13, 4), layout='constrained')
    *maps, errors = figure.subplots(1, 3)
    for axis, (axes, name) in enumerate(zip(maps, ('rows', 'columns'))):
        true, predicted = distances.true[:, axis], distances.predicted[:, axis]
        low, high = int(true.min()), int(true.max())
        bins = [
            torch.arange(low, high + 2) - 0.5,
            torch.linspace(low - 1, high + 1, 60),
        ]
        axes.hist2d(true.tolist(), predicted.tolist(), bins=bins, cmin=1)
        axes.plot([low, high], [low, high], color='red', linewidth=1)
        axes.set(
            title=f'{name}: {len(true)} pairs',
            xlabel='true distance (cells)',
            ylabel='predicted distance (cells)',
        )
        steps = torch.arange(low, high + 1)
        means = [
            (predicted - true)[true == step].abs().mean() for step in steps
        ]
        errors.plot(steps, means, marker='o', label=f'{name}, predicted')
        constant = (true.double().median() - steps).abs()
        errors.plot(
            steps, constant, linestyle=':', label=f'{name}, best constant'
        )
    errors.set(
        title='mean absolute error',
        xlabel='true distance (cells)',
        ylabel='error (cells)',
    )
    errors.legend(fontsize='small')
    errors.grid(alpha=0.3)
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format='png', dpi=110)
