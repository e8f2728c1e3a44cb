"""A classifier small enough to be trained many times in a test.

In a module of its own, because spawned processes import it by name.
"""

import torch
from mmengine.registry import init_default_scope
from mmengine.runner.utils import set_random_seed
from mmpretrain.registry import MODELS
from mmpretrain.structures import DataSample

HOST = dict(
    type='ImageClassifier',
    backbone=dict(
        type='SwinTransformer',
        arch=dict(embed_dims=8, depths=[1, 1], num_heads=[1, 2]),
        img_size=28,
        window_size=3,
        out_indices=(1,),
        drop_path_rate=0.0,
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(type='LinearClsHead', num_classes=3, in_channels=16),
    data_preprocessor=dict(num_classes=3),
)
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


def one_rank(rank, weight, images, pairs, file, results):
    """Half of the batch on one of two processes."""
    torch.distributed.init_process_group(
        'gloo', init_method=f'file://{file}', rank=rank, world_size=2
    )
    model = build()
    model.auxiliary_head.loss_module.loss_weight = weight
    half = slice(4 * rank, 4 * rank + 4)
    samples = batch(8)[1][half]
    loss = model.auxiliary_head.loss
    model.auxiliary_head.loss = lambda grids: loss(grids, [pairs[half]])
    ddp = torch.nn.parallel.DistributedDataParallel(model)
    for _ in range(2):  # DDP finds unused parameters in the second pass
        model.zero_grad()
        total, _ = model.parse_losses(ddp(images[half], samples, mode='loss'))
        total.backward()
    results[rank] = (
        total.detach(),
        {
            name: parameter.grad.clone()
            for name, parameter in model.named_parameters()
        },
    )
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()
