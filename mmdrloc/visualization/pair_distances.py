"""True against predicted distances of pairs of grid cells."""

from pathlib import Path
from typing import NamedTuple, Tuple, Union

import torch
from matplotlib.figure import Figure
from torch import Tensor

from mmdrloc.models import DRLocHead
from mmdrloc.models.class_losses import class_mean
from mmdrloc.models.losses import PairLoss, cell_offsets
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from .trained import Trained


class PairDistances(NamedTuple):
    """Offsets of pairs in cells, without sign where the loss has none.

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
        with head.tap(model.backbone) as tap:
            model.test_step(batch)
        grid = tap.grids()[0]
        size = tuple(head.pooled(grid).shape[2:])
        pairs = head.sample_pairs(len(grid), size, grid.device, generator)
        prediction = head.predict(grid, pairs)
        targets = [
            head.loss_module.target(offset, length)
            for offset, length in zip(cell_offsets(pairs), size)
        ]
        asked = offsets_of(head.loss_module, torch.stack(targets, -1), size)
        true.append(asked.round().long())
        predicted.append(offsets_of(head.loss_module, prediction, size))
        seen += len(grid)
        if seen >= num_images:
            break
    return PairDistances(
        torch.cat(true).flatten(0, 1), torch.cat(predicted).flatten(0, 1), size
    )


def offsets_of(
    loss: PairLoss,
    answer: Union[Tensor, Tuple[Tensor, Tensor]],
    grid_size: Tuple[int, int],
) -> Tensor:
    """The offsets that targets, or predictions of them, stand for.

    Args:
        loss (PairLoss): Whose targets.
        answer (Tensor | tuple[Tensor, Tensor]): (B, m, 2) targets, rows
            first; or logits of the classes of rows and of columns, (B, m, K)
            each, of which the mean under the softmax counts.
        grid_size (tuple[int, int]): (H, W) of the grid.

    Returns:
        Tensor: (B, m, 2), in cells.
    """
    if isinstance(answer, tuple):
        means = [class_mean(logits.softmax(-1)) for logits in answer]
        answer = torch.stack(means, dim=-1)
    # Two targets tell the line that all of them lie on.
    lines = [loss.target(torch.arange(2), length) for length in grid_size]
    zero, one = torch.stack(lines, dim=-1).to(answer.device)
    return (answer - zero) / (one - zero)


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
        cells = torch.arange(low, high + 2) - 0.5
        bins = [cells, torch.linspace(low - 1, high + 1, 60)]
        axes.hist2d(true.tolist(), predicted.tolist(), bins=bins, cmin=1)
        axes.plot([low, high], [low, high], color='red', linewidth=1)
        axes.set(
            title=f'{name}: {len(true)} pairs',
            xlabel='true distance (cells)',
            ylabel='predicted distance (cells)',
        )
        steps = torch.arange(low, high + 1)
        error = (predicted - true).abs()
        means = [error[true == step].mean() for step in steps]
        errors.plot(steps, means, 'o-', label=f'{name}, predicted')
        constant = (true.double().median() - steps).abs()
        errors.plot(steps, constant, ':', label=f'{name}, best constant')
    errors.set(
        title='mean absolute error',
        xlabel='true distance (cells)',
        ylabel='error (cells)',
    )
    errors.legend(fontsize='small')
    errors.grid(alpha=0.3)
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format='png', dpi=110)
