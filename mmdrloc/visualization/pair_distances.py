"""Draw true against predicted distances of pairs of grid cells."""

from itertools import islice
from pathlib import Path
from typing import Tuple, Union

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn
from torch.utils.data import DataLoader

from mmdrloc.models import DRLocHead
from mmdrloc.models.class_losses import class_mean
from mmdrloc.models.losses import (
    DRLocPlaceboLoss,
    DRLocScrambledLoss,
    OffsetLoss,
    cell_offsets,
)
from mmdrloc.reporting.figures import save_figure
from mmdrloc.utils.errors import UsageError

# How many batches of validation images are drawn.
BATCHES = 10
# Controls, whose targets are not those of the pairs.
CONTROLS = (DRLocPlaceboLoss, DRLocScrambledLoss)


@torch.no_grad()
def collect_pair_distances(
    model: nn.Module, loader: DataLoader
) -> Tuple[Tensor, Tensor]:
    """Predict offsets of pairs in validation images, with the first source.

    Returns:
        tuple[Tensor, Tensor]: True and predicted offsets of P pairs in
        cells, (P, 2) each, rows first; without sign where the loss has none.

    Raises:
        UsageError: If the model is no classifier with a DRLoc head, or its
            loss does not say which offsets in the image it asks for.
    """
    head = getattr(model, 'auxiliary_head', None)
    if not isinstance(head, DRLocHead):
        raise UsageError(
            f'{type(model).__name__} is no classifier with a DRLoc head: give '
            'the config of one'
        )
    loss = head.loss_module
    if not isinstance(loss, OffsetLoss) or isinstance(loss, CONTROLS):
        raise UsageError(
            f'{type(loss).__name__} is no OffsetLoss of the cells in the '
            'image: it does not say which offsets it asks for'
        )
    generator = torch.Generator().manual_seed(0)
    true, predicted = [], []
    for batch in islice(loader, BATCHES):
        with head.tap(model.backbone) as tap:
            model.test_step(batch)
        grid = tap.grids()[0]
        size = tuple(head.pooled(grid).shape[2:])
        pairs = head.sample_pairs(len(grid), size, grid.device, generator)
        targets = [
            loss.target(offset, length)
            for offset, length in zip(cell_offsets(pairs), size)
        ]
        asked = offsets_of(loss, torch.stack(targets, -1), size)
        true.append(asked.round().long())
        predicted.append(offsets_of(loss, head.predict(grid, pairs), size))
    return torch.cat(true).flatten(0, 1), torch.cat(predicted).flatten(0, 1)


def offsets_of(
    loss: OffsetLoss,
    answer: Union[Tensor, Tuple[Tensor, Tensor]],
    grid_size: Tuple[int, int],
) -> Tensor:
    """Turn targets or predictions into (B, m, 2) offsets in cells.

    Args:
        loss (OffsetLoss): The loss that defines the targets.
        answer (Tensor | tuple[Tensor, Tensor]): (B, m, 2), rows first; or
            logits of the classes of rows and of columns, (B, m, K) each,
            which count as their mean under the softmax.
        grid_size (tuple[int, int]): (H, W) of the grid.
    """
    if isinstance(answer, tuple):
        means = [class_mean(logits.softmax(-1)) for logits in answer]
        answer = torch.stack(means, dim=-1)
    # Targets are linear in the offset: two of them determine the line.
    lines = [loss.target(torch.arange(2), length) for length in grid_size]
    zero, one = torch.stack(lines, dim=-1).to(answer.device)
    return (answer - zero) / (one - zero)


def errors_by_distance(
    true: Tensor, predicted: Tensor
) -> Tuple[Tensor, Tensor, Tensor]:
    """Distances from the lowest to the highest, and the errors of each.

    Returns:
        tuple[Tensor, Tensor, Tensor]: The distances in cells; the mean
        absolute error of the predictions; that of the best constant.
    """
    steps = torch.arange(int(true.min()), int(true.max()) + 1)
    error = (predicted - true).abs()
    means = torch.stack([error[true == step].mean() for step in steps])
    return steps, means, (true.double().median() - steps).abs()


def draw_pair_distances(
    model: nn.Module, loader: DataLoader, path: Path
) -> None:
    """Draw both axes as heat maps, and the mean error by distance."""
    figure = Figure(figsize=(13, 4), layout='constrained')
    *maps, errors = figure.subplots(1, 3)
    errors.set(title='mean absolute error', ylabel='error (cells)')
    offsets = collect_pair_distances(model, loader)
    found = zip(*(offset.unbind(1) for offset in offsets))
    for axes, name, (true, predicted) in zip(maps, ('rows', 'columns'), found):
        low, high = int(true.min()), int(true.max())
        cells = torch.arange(low, high + 2) - 0.5
        bins = [cells, torch.linspace(low - 1, high + 1, 60)]
        axes.hist2d(true.tolist(), predicted.tolist(), bins=bins, cmin=1)
        axes.plot([low, high], [low, high], color='red', linewidth=1)
        axes.set(title=f'{name}: {len(true)} pairs')
        axes.set_ylabel('predicted distance (cells)')
        steps, means, constant = errors_by_distance(true, predicted)
        errors.plot(steps, means, 'o-', label=f'{name}, predicted')
        errors.plot(steps, constant, ':', label=f'{name}, best constant')
    for axes in (*maps, errors):
        axes.set_xlabel('true distance (cells)')
    errors.legend()
    save_figure(figure, path)
