"""Predictions beside the ground truth, as one picture."""

import tempfile
from itertools import chain, islice
from pathlib import Path

import mmcv
import numpy as np
import torch
from mmengine.structures import BaseDataElement
from mmengine.visualization import Visualizer
from PIL import Image

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from .trained import Trained

# Images are enlarged to about this side: on small ones the labels of the
# classes would cover what they name.
SIDE = 320


@torch.no_grad()
def draw_predictions(
    trained: Trained, path: Path, num_images: int = 6, score_thr: float = 0.5
) -> None:
    """Draw the first validation images, ground truth left, prediction right.

    Args:
        trained (Trained): A detector or a segmentor.
        path (Path): PNG to be written.
        num_images (int): How many. Defaults to 6.
        score_thr (float): Detections below it are left out.
            Defaults to 0.5.

    Raises:
        UsageError: If the model neither detects nor segments.
    """
    visualizer = trained.visualizer()
    samples = chain.from_iterable(
        trained.model.test_step(batch) for batch in trained.loader
    )
    panels = [
        _panel(visualizer, sample, score_thr)
        for sample in islice(samples, num_images)
    ]
    with atomic_path(path) as temporary:
        _mosaic(panels).save(temporary, format='png')


def _panel(
    visualizer: Visualizer, sample: BaseDataElement, score_thr: float
) -> Image.Image:
    """One image, drawn by its library."""
    if 'pred_instances' in sample:
        enlarge, options = _enlarge_instances, dict(pred_score_thr=score_thr)
    elif 'pred_sem_seg' in sample:
        enlarge, options = _enlarge_label_maps, dict(with_labels=False)
    else:
        raise UsageError(
            'only detectors and segmentors draw pictures of '
            'their predictions: give the config of one'
        )
    image = mmcv.imread(sample.img_path, channel_order='rgb')
    factor = max(1, round(SIDE / max(image.shape[:2])))
    sample = sample.cpu()
    enlarge(sample, factor)
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, 'panel.png'))
        image = np.asarray(image.repeat(factor, 0).repeat(factor, 1))
        visualizer.add_datasample(
            'panel', image, sample, out_file=file, **options
        )
        return Image.open(file).convert('RGB')


def _enlarge_instances(sample: BaseDataElement, factor: int) -> None:
    """Scale boxes and masks of a detection sample, in place."""
    for instances in (sample.gt_instances, sample.pred_instances):
        instances.bboxes = instances.bboxes * factor
    size = tuple(factor * length for length in sample.ori_shape)
    truth, predicted = sample.gt_instances, sample.pred_instances
    if 'masks' in truth:
        truth.masks = truth.masks.resize(size)
    if 'masks' in predicted:
        predicted.masks = _enlarged(predicted.masks, factor)


def _enlarge_label_maps(sample: BaseDataElement, factor: int) -> None:
    """Scale the label maps of a segmentation sample, in place."""
    for label_map in (sample.gt_sem_seg, sample.pred_sem_seg):
        enlarged = _enlarged(label_map.data, factor)
        # PixelData refuses data of another size than it had.
        label_map.pop('data')
        label_map.data = enlarged


def _enlarged(maps: torch.Tensor, factor: int) -> torch.Tensor:
    """Each pixel of (N, H, W) as a square."""
    return maps.repeat_interleave(factor, 1).repeat_interleave(factor, 2)


def _mosaic(panels: list) -> Image.Image:
    """Panels in two columns."""
    width = max(panel.width for panel in panels)
    height = max(panel.height for panel in panels)
    gap = 8
    rows = -(-len(panels) // 2)
    picture = Image.new(
        'RGB', (2 * width + gap, rows * (height + gap) - gap), 'white'
    )
    for number, panel in enumerate(panels):
        row, column = divmod(number, 2)
        picture.paste(panel, (column * (width + gap), row * (height + gap)))
    return picture
