"""Rows with a gradient, measured on a model that tells its images apart."""

import numpy as np
import pytest
import torch
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.structures import DataSample
from row_gradients import (
    collect_row_gradients,
    draw_row_gradients,
)

IMAGES, BATCH = 12, 3


@pytest.fixture
def trained():
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    np.random.seed(0)
    model = MODELS.build(
        dict(
            type='mmdrloc.IDMM',
            num_views=(2, 2),
            backbone=dict(type='mmpretrain.LeNet5'),
            neck=dict(type='mmpretrain.GlobalAveragePooling'),
            head=dict(
                type='mmpretrain.LinearClsHead',
                num_classes=IMAGES,
                in_channels=120,
                loss=dict(type='mmpretrain.CrossEntropyLoss', use_soft=True),
            ),
        )
    )
    images = torch.randn(BATCH, 1, 32, 32)
    with torch.no_grad():
        features = torch.randn(IMAGES, 120)
        features[:BATCH] = model.backbone(images)[-1].flatten(1)
        features -= features[:BATCH].mean(0)
        model.head.fc.weight.copy_(
            1000 * torch.nn.functional.normalize(features)
        )
        model.head.fc.bias.zero_()
    samples = [DataSample(metainfo=dict(sample_idx=i)) for i in range(BATCH)]
    batch = dict(inputs=[images.clone() for _ in range(4)])
    return model, [dict(batch, data_samples=samples)]


def test_all_rows_or_few(trained, tmp_path):
    lengths = collect_row_gradients(*trained)
    moved = {title: (v > 1e-4).sum().item() for title, v in lengths.items()}
    assert len(moved) == 4
    assert moved['CutMix, label smoothing'] == IMAGES
    assert moved['no CutMix, no label smoothing'] <= BATCH
    for values in lengths.values():
        assert values.equal(values.sort(descending=True).values)
    draw_row_gradients(*trained, tmp_path / 'rows.png')
    assert (tmp_path / 'rows.png').stat().st_size > 1000
