"""A classifier small enough to be trained many times in a test."""

import torch
from mmengine.registry import init_default_scope
from mmengine.runner.utils import set_random_seed
from mmpretrain.registry import MODELS
from mmpretrain.structures import DataSample
from tiny_run import MODEL

HOST = dict(MODEL, data_preprocessor=dict(num_classes=3))
HEAD = dict(
    type='mmdrloc.DRLocHead',
    source='stages.1',
    in_channels=16,
    hidden_channels=12,
)


def build(auxiliary_head=(), backbone=(), head=()):
    """A host with changes, and a head with changes, or none."""
    init_default_scope('mmpretrain')
    set_random_seed(0)
    config = dict(
        HOST,
        backbone=dict(HOST['backbone'], **dict(backbone)),
        head=dict(HOST['head'], **dict(head)),
    )
    if auxiliary_head is not None:
        config['type'] = 'mmdrloc.DRLocClassifier'
        config['auxiliary_head'] = dict(HEAD, **dict(auxiliary_head))
    model = MODELS.build(config)
    model.init_weights()
    return model


def batch(count=4):
    generator = torch.Generator().manual_seed(1)
    images = torch.randn(count, 3, 24, 24, generator=generator)
    return images, [DataSample().set_gt_label(i % 3) for i in range(count)]


def fix_pairs(model, seed=5):
    """Pairs that do not depend on the step, (8, m, 4)."""
    head = model.auxiliary_head
    pairs = head.sample_pairs(
        8, (3, 3), 'cpu', torch.Generator().manual_seed(seed)
    )
    loss = head.loss
    head.loss = lambda grids: loss(grids, [pairs[: len(grids[0])]])
    return pairs
