"""Detectors and segmentors small enough to be trained a step in a test."""

from pathlib import Path

import mmdet
import mmseg
import torch
from mmdet.testing import demo_mm_inputs
from mmengine.config import Config
from mmengine.model import revert_sync_batchnorm
from mmengine.registry import MODELS, init_default_scope
from mmengine.structures import PixelData
from mmseg.structures import SegDataSample

LIBRARIES = dict(mmdet=mmdet, mmseg=mmseg)
BACKBONE = dict(
    type='mmpretrain.SwinTransformer',
    arch=dict(embed_dims=8, depths=[1, 1, 2, 1], num_heads=[1, 1, 2, 2]),
    out_indices=(0, 1, 2, 3),
    drop_path_rate=0.2,
    pad_small_map=True,
)
# Channels of Swin-T and its heads, and what stands for them here.
NARROWER = {96: 8, 192: 16, 384: 32, 768: 64, 256: 16, 512: 16, 1024: 32}
NARROWED = ('neck', 'rpn_head', 'roi_head', 'decode_head', 'auxiliary_head')
SHAPES = [(3, 64, 96), (3, 96, 56)]


def library_config(library, name):
    """Read a config that mmdet or mmseg ships."""
    folder = Path(LIBRARIES[library].__file__).parent / '.mim/configs'
    return Config.fromfile(folder / name)


def cut_down(model, backbone=BACKBONE):
    """Make a model config narrow, for images of ``SHAPES``."""
    model.backbone = dict(backbone)
    for name in NARROWED:
        if name in model:
            model[name] = _narrow(model[name])
    if 'decode_head' in model:
        model.data_preprocessor.size = (96, 96)
    return model


def _narrow(value):
    if isinstance(value, dict):
        return type(value)({k: _narrow(v) for k, v in value.items()})
    if isinstance(value, list):
        return [_narrow(item) for item in value]
    return NARROWER.get(value, value) if isinstance(value, int) else value


def build(model, scope):
    """Build and initialise a model for one process."""
    init_default_scope(scope)
    torch.manual_seed(0)
    model = revert_sync_batchnorm(MODELS.build(model))
    model.init_weights()
    return model


def batch(model, scope):
    """Two images of different shapes in a padded batch."""
    data = detection_data() if scope == 'mmdet' else segmentation_data()
    return model.data_preprocessor(data, training=True)


def detection_data():
    """Two images with boxes and masks."""
    return demo_mm_inputs(
        2, SHAPES, num_items=[2, 2], num_classes=80, with_mask=True
    )


def segmentation_data():
    """Two images with label maps."""
    torch.manual_seed(1)
    images = [
        torch.randint(0, 256, shape, dtype=torch.uint8) for shape in SHAPES
    ]
    samples = [
        SegDataSample(
            gt_sem_seg=PixelData(data=torch.randint(0, 19, (1, *shape[1:])))
        )
        for shape in SHAPES
    ]
    return dict(inputs=images, data_samples=samples)
