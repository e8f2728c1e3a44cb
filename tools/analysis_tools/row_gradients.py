"""Draw the gradients of the rows of IDMM's classifier, by setting."""

from itertools import product
from pathlib import Path
from typing import Any, Dict

import torch
from matplotlib.figure import Figure
from mmengine.registry import MODELS
from rich.progress import track
from torch import Tensor, nn
from torch.utils.data import DataLoader

from mmdrloc.models import IDMM
from mmdrloc.models.batch_augments import FoldedCutMix
from mmdrloc.reporting.figures import save_figure
from mmdrloc.utils.errors import UsageError

# Alpha of CutMix on the poster, whatever the model was trained with.
ALPHA = 0.5
LOSSES = {
    'label smoothing': dict(
        type='mmpretrain.LabelSmoothLoss', label_smooth_val=0.1
    ),
    'no label smoothing': dict(
        type='mmpretrain.CrossEntropyLoss', use_soft=True
    ),
}
DASHES = ('-', '--', '-.', ':')


def collect_row_gradients(
    model: nn.Module, loader: DataLoader
) -> Dict[str, Tensor]:
    """Gradients with and without CutMix and label smoothing.

    The loader gives an :class:`IDMM` its training images.

    Returns:
        dict[str, Tensor]: By setting the lengths of the gradients of the N
        rows of the classifier's weight, in falling order; means over the
        batches of an epoch.

    Raises:
        UsageError: If the model is no IDMM.
    """
    if not isinstance(model, IDMM):
        raise UsageError(
            f'{type(model).__name__} is no IDMM: give the config of its '
            'pre-training'
        )
    batches = [
        _lengths(model, model.data_preprocessor(batch, training=True))
        for batch in track(loader, 'gradients')
    ]
    return {
        title: torch.stack([lengths[title] for lengths in batches]).mean(0)
        for title in batches[0]
    }


def _lengths(model: IDMM, batch: Dict[str, Any]) -> Dict[str, Tensor]:
    """Compute the lengths of the rows' gradients, sorted, by setting."""
    weights = dict(model.head.named_parameters()).items()
    weight = next(value for name, value in weights if name.endswith('weight'))
    losses = {name: MODELS.build(loss) for name, loss in LOSSES.items()}
    cutmix = FoldedCutMix(ALPHA)
    lengths = {}
    for mixed, (name, loss) in product((cutmix, None), losses.items()):
        model.cutmix, model.head.loss_module = mixed, loss
        model.zero_grad()
        # Mixing changes copies, not the crops of the batch.
        sum(model.loss(**batch).values()).backward()
        title = f'{"CutMix" if mixed else "no CutMix"}, {name}'
        lengths[title] = weight.grad.norm(dim=1).sort(descending=True).values
    return lengths


def draw_row_gradients(
    model: nn.Module, loader: DataLoader, path: Path
) -> None:
    """Draw a curve for each setting; see :func:`collect_row_gradients`."""
    figure = Figure(figsize=(6, 4), layout='constrained')
    axes = figure.add_subplot()
    # Dashes tell curves apart that lie on each other.
    curves = zip(collect_row_gradients(model, loader).items(), DASHES)
    for (title, values), dashes in curves:
        rows = range(1, len(values) + 1)
        axes.plot(rows, values, label=title, linestyle=dashes)
    axes.set(yscale='log', ylabel='length of the gradient, mean of batches')
    axes.set_xlabel('rows of the classifier, by the gradient they get')
    axes.legend()
    save_figure(figure, path)
