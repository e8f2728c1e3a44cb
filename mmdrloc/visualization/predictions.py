"""Draw predictions beside the ground truth."""

from itertools import chain, islice
from pathlib import Path
from typing import Sequence

import mmcv
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from mmengine.structures import BaseDataElement, InstanceData

from mmdrloc.reporting.figures import save_figure
from mmdrloc.utils.errors import UsageError
from .trained import Trained, image_grid

IMAGES = 6
# Detections below this score are left out.
SCORE = 0.5
# Opacity of masks and label maps.
ALPHA = 0.5


@torch.no_grad()
def draw_predictions(trained: Trained, path: Path) -> None:
    """Draw the first validation images, ground truth left, prediction right.

    Raises:
        UsageError: If the model neither detects nor segments.
    """
    batches = map(trained.model.test_step, trained.loader)
    samples = list(islice(chain.from_iterable(batches), IMAGES))
    classes = trained.loader.dataset.metainfo['classes']
    figure = Figure(layout='constrained')
    grid = image_grid(figure, -(-len(samples) // 2), 4).reshape(-1, 2)
    for pair, sample in zip(grid, samples):
        image = mmcv.imread(sample.img_path, channel_order='rgb')
        for axes, kind in zip(pair, ('gt', 'pred')):
            axes.imshow(image)
            axes.set_title('truth' if kind == 'gt' else 'prediction')
            _draw(axes, sample.cpu(), kind, classes)
    save_figure(figure, path)


def _draw(
    axes: Axes, sample: BaseDataElement, kind: str, classes: Sequence[str]
) -> None:
    """Draw truth or prediction of a sample onto its image."""
    if f'{kind}_instances' in sample:
        instances = sample.get(f'{kind}_instances')
        if 'scores' in instances:
            instances = instances[instances.scores >= SCORE]
        _draw_instances(axes, instances, classes)
    elif f'{kind}_sem_seg' in sample:
        labels = sample.get(f'{kind}_sem_seg').data[0].numpy()
        labels = np.ma.masked_equal(labels, 255)  # of no class
        most = len(classes) - 1
        axes.imshow(labels, 'nipy_spectral', alpha=ALPHA, vmin=0, vmax=most)
    else:
        raise UsageError(
            'only detectors and segmentors draw pictures of '
            'their predictions: give the config of one'
        )


def _draw_instances(
    axes: Axes, instances: InstanceData, classes: Sequence[str]
) -> None:
    masks = instances.get('masks', ())
    if hasattr(masks, 'to_ndarray'):  # of annotations
        masks = masks.to_ndarray()
    for mask in masks:
        colour = to_rgba('gold', ALPHA)
        axes.imshow(np.asarray(mask, float)[..., None] * colour)
    for box, label in zip(instances.bboxes, instances.labels.tolist()):
        left, top, right, bottom = box.tolist()
        axes.add_patch(
            Rectangle(
                (left, top), right - left, bottom - top, fill=False, ec='red'
            )
        )
        axes.text(left, top, classes[label], color='red', va='bottom')
