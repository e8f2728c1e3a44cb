"""PVTv2 in Mask R-CNN and UperNet: what it inherits, and that it trains."""

from pathlib import Path

import pytest
import torch
from mmdet.testing import demo_mm_inputs
from mmengine.config import Config
from mmengine.model import revert_sync_batchnorm
from mmengine.optim import build_optim_wrapper
from mmengine.registry import MODELS, init_default_scope
from mmengine.structures import PixelData
from mmseg.structures import SegDataSample

CONFIGS = Path(__file__).parents[2] / 'configs'
SIZE = (64, 64)
every_host = pytest.mark.parametrize(
    'name', ['coco/mask-rcnn_pvtv2-b0_1x', 'ade20k/upernet_pvtv2-b0_160k']
)


def load(name):
    return Config.fromfile(CONFIGS / f'{name}.py')


def batch(scope):
    if scope == 'mmdet':
        return demo_mm_inputs(
            2,
            [(3, *SIZE)] * 2,
            num_items=[1, 1],
            num_classes=80,
            with_mask=True,
        )
    label_map = PixelData(data=torch.randint(0, 150, (1, *SIZE)))
    image = torch.randint(0, 256, (3, *SIZE), dtype=torch.uint8)
    sample = SegDataSample(gt_sem_seg=label_map)
    return dict(inputs=[image] * 2, data_samples=[sample] * 2)


def test_upernet_differs_from_swin_s_in_the_network_alone():
    pvtv2 = load('ade20k/upernet_pvtv2-b0_160k').to_dict()
    swin = load('ade20k/upernet_swin-tiny_160k-stock').to_dict()
    assert pvtv2.pop('pvtv2_b0')
    for cfg in (pvtv2, swin):
        del cfg['model']['backbone']
        for head in ('decode_head', 'auxiliary_head'):
            del cfg['model'][head]['in_channels']
    assert pvtv2 == swin


@every_host
def test_it_trains_a_step(name):
    torch.manual_seed(0)
    cfg = load(name)
    assert 'init_cfg' not in cfg.model.backbone  # random without --weights
    if cfg.default_scope == 'mmseg':
        # For two images of 64 pixels in one process.
        cfg.model.data_preprocessor.size = SIZE
        cfg.model.decode_head.channels = 16
        cfg.model.auxiliary_head.channels = 16
    init_default_scope(cfg.default_scope)
    model = revert_sync_batchnorm(MODELS.build(cfg.model))
    model.init_weights()
    optimizer = build_optim_wrapper(model, cfg.optim_wrapper)
    first = next(model.backbone.parameters())
    before = first.clone()
    log = model.train_step(batch(cfg.default_scope), optimizer)
    assert torch.isfinite(log['loss'])
    assert not first.equal(before)
