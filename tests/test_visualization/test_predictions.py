"""The picture of predictions beside the truth."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from mmengine.config import Config
from mmengine.structures import InstanceData, PixelData
from PIL import Image

from mmdrloc.utils.errors import UsageError
from mmdrloc.visualization.predictions import draw_predictions
from mmdrloc.visualization.trained import Trained


def looked_at(folder, kind, **content):
    """A model that says this of each of three photos."""
    Image.new('RGB', (48, 32), 'blue').save(folder / 'photo.png')
    sample = kind(metainfo=dict(img_path=str(folder / 'photo.png')))
    for name, value in content.items():
        setattr(sample, name, value)
    model = SimpleNamespace(test_step=lambda batch: [sample])
    loader = [SimpleNamespace()] * 3
    dataset = SimpleNamespace(metainfo=dict(classes=['cat', 'dog']))
    loader = type('Loader', (list,), dict(dataset=dataset))(loader)
    return Trained(model, loader, Config(dict()))


def colours(path):
    pixels = np.asarray(Image.open(path).convert('RGB'))
    return {tuple(pixel) for pixel in pixels.reshape(-1, 3).tolist()}


def test_boxes_and_masks(tmp_path):
    pytest.importorskip('mmcv.ops')
    from mmdet.structures import DetDataSample
    from mmdet.structures.mask import BitmapMasks

    mask = np.zeros((1, 32, 48), np.uint8)
    mask[:, :9, :9] = 1
    found = dict(bboxes=torch.tensor([[0.0, 0, 9, 9]] * 2))
    trained = looked_at(
        tmp_path,
        DetDataSample,
        gt_instances=InstanceData(
            bboxes=found['bboxes'][:1],
            labels=torch.tensor([1]),
            masks=BitmapMasks(mask, 32, 48),
        ),
        pred_instances=InstanceData(
            **found,
            labels=torch.tensor([1, 0]),
            scores=torch.tensor([0.9, 0.1]),
            masks=torch.from_numpy(mask).bool().repeat(2, 1, 1),
        ),
    )
    draw_predictions(trained, tmp_path / 'a.png')
    assert (255, 0, 0) in colours(tmp_path / 'a.png')


def test_label_maps(tmp_path):
    from mmseg.structures import SegDataSample

    labels = torch.zeros(1, 32, 48, dtype=torch.long)
    labels[:, 8:16] = 255
    trained = looked_at(
        tmp_path,
        SegDataSample,
        gt_sem_seg=PixelData(data=labels),
        pred_sem_seg=PixelData(data=labels.clip(max=1)),
    )
    draw_predictions(trained, tmp_path / 'a.png')
    # What is of no class shows the photo.
    assert (0, 0, 255) in colours(tmp_path / 'a.png')


def test_a_classifier_is_told_why_not(tmp_path):
    from mmpretrain.structures import DataSample

    trained = looked_at(tmp_path, DataSample)
    with pytest.raises(UsageError, match='only detectors and segmentors'):
        draw_predictions(trained, tmp_path / 'a.png')
