"""The classifier and its plain twin."""

import torch
from mmengine.runner.utils import set_random_seed
from mmpretrain.structures import MultiTaskDataSample
from tiny_classifier import batch, build


def gradients(model):
    """Of one loss, with the host's random layers drawn alike."""
    set_random_seed(7)
    total, log = model.parse_losses(model.loss(*batch()))
    total.backward()
    return log, {
        name: parameter.grad
        for name, parameter in model.named_parameters()
        if not name.startswith('auxiliary_head')
    }


def test_the_head_takes_no_random_numbers_of_the_host():
    """What is drawn after the host stands is what a plain one's would be."""
    drawn = []
    for head in (None, ()):
        build(head)
        drawn.append(torch.rand(4))
    assert torch.equal(*drawn)


def test_logged_parts_add_up_to_what_is_optimised():
    plain_log, plain = gradients(build(None))
    log, drloc = gradients(build())
    assert set(log) == {
        'loss',
        'loss_cls',
        'loss_drloc',
        'drloc_raw',
        'drloc_weight',
        'drloc_skill',
    }
    assert log['loss_cls'] == plain_log['loss']
    assert log['loss'] == log['loss_cls'] + log['loss_drloc']
    assert log['loss_drloc'] == log['drloc_raw'] * log['drloc_weight']
    # It reaches the backbone; the classification head lies beside its path.
    name = 'backbone.stages.0.blocks.0.ffn.layers.1.weight'
    assert not torch.equal(plain[name], drloc[name])
    assert torch.equal(plain['head.fc.weight'], drloc['head.fc.weight'])


def test_a_head_of_several_tasks():
    one = dict(type='LinearClsHead', num_classes=3)
    heads = dict(color=one, shape=one)
    model = build(
        head=dict(type='MultiTaskHead', num_classes=None, task_heads=heads)
    )
    images, labels = batch()
    samples = []
    for label in labels:
        sample = MultiTaskDataSample()
        for task in heads:
            sample.set_field(label, task)
        samples.append(sample)
    losses = model.loss(images, samples)
    assert {'color_loss', 'shape_loss', 'loss_drloc'} <= losses.keys()


def test_activation_checkpointing_gives_the_same_gradients():
    _, plain = gradients(build())
    _, checkpointed = gradients(build(backbone=dict(with_cp=True)))
    for name, gradient in checkpointed.items():
        torch.testing.assert_close(gradient, plain[name])


def test_four_stages_after_patch_merging_with_classes():
    """The official code's "multiscale", whose grids differ in size."""
    model = build(
        dict(
            source=['stages.[012].downsample', 'stages.3'],
            in_channels=[16, 32, 64, 64],
            grid_size=[(7, 7), (4, 4), (2, 2), (2, 2)],
            convention='official',
            loss=dict(type='mmdrloc.DRLocCrossEntropyLoss'),
        ),
        backbone=dict(
            arch=dict(embed_dims=8, depths=[1] * 4, num_heads=[1, 2, 4, 8]),
            out_indices=(3,),
            pad_small_map=True,
        ),
        head=dict(in_channels=64),
    )
    widths = [len(mlp.branches[0].bias) for mlp in model.auxiliary_head.mlps]
    assert widths == [7, 4, 2, 2]
    _, samples = batch(2)
    losses = model.loss(torch.randn(2, 3, 56, 56), samples)
    assert losses['drloc_raw'].isfinite()
