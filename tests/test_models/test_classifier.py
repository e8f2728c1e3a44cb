"""The classifier and its plain twin."""

import copy

import pytest
import torch
from mmengine.registry import init_default_scope
from mmengine.runner.utils import set_random_seed
from mmpretrain.registry import MODELS
from mmpretrain.structures import DataSample

from mmdrloc.utils.errors import UsageError


@pytest.fixture(autouse=True)
def mmpretrain_scope():
    init_default_scope('mmpretrain')


HOST = dict(
    type='ImageClassifier',
    backbone=dict(
        type='SwinTransformer',
        arch=dict(embed_dims=8, depths=[1, 2], num_heads=[1, 2]),
        img_size=56,
        out_indices=(1,),
        drop_path_rate=0.2,
        pad_small_map=True,
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(type='LinearClsHead', num_classes=5, in_channels=16),
    data_preprocessor=dict(num_classes=5),
    init_cfg=[
        dict(type='TruncNormal', layer='Linear', std=0.02, bias=0.0),
        dict(type='Constant', layer='LayerNorm', val=1.0, bias=0.0),
    ],
)


def build(auxiliary_head=None, host=HOST, seed=0):
    set_random_seed(seed)
    config = copy.deepcopy(host)
    if auxiliary_head is not None:
        config.update(
            type='mmdrloc.DRLocClassifier',
            auxiliary_head=dict(
                type='mmdrloc.DRLocHead',
                source='stages.1',
                in_channels=16,
                hidden_channels=12,
            ),
        )
        config['auxiliary_head'].update(auxiliary_head)
    model = MODELS.build(config)
    model.init_weights()
    return model


def batch(size=(56, 56)):
    generator = torch.Generator().manual_seed(1)
    images = torch.randn(3, 3, *size, generator=generator)
    return images, [DataSample().set_gt_label(label) for label in (0, 1, 4)]


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


def test_twins_start_equal_and_leave_the_same_random_state():
    plain = build()
    plain_state = torch.get_rng_state()
    twin = build({})
    assert torch.equal(torch.get_rng_state(), plain_state)
    twin_state = twin.state_dict()
    for name, tensor in plain.state_dict().items():
        assert torch.equal(tensor, twin_state.pop(name)), name
    assert all(
        name.startswith('auxiliary_head.mlps.0.') for name in twin_state
    )


def test_logged_parts_add_up_to_what_is_optimised():
    plain_log, _ = gradients(build())
    log, _ = gradients(build({}))
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


def test_the_loss_reaches_the_backbone():
    _, plain = gradients(build())
    _, drloc = gradients(build({}))
    assert not torch.equal(
        plain['backbone.stages.0.blocks.0.ffn.layers.1.weight'],
        drloc['backbone.stages.0.blocks.0.ffn.layers.1.weight'],
    )
    # The classification head lies beside the path of the loss.
    assert torch.equal(plain['head.fc.weight'], drloc['head.fc.weight'])


def test_checkpoint_loads_into_the_plain_classifier():
    twin, plain = build({}).eval(), build(seed=1)
    keys = plain.load_state_dict(twin.state_dict(), strict=False)
    plain.eval()
    assert not keys.missing_keys
    assert keys.unexpected_keys and all(
        key.startswith('auxiliary_head.') for key in keys.unexpected_keys
    )
    images, samples = batch()
    for ours, theirs in zip(
        twin.predict(images, samples), plain.predict(images, samples)
    ):
        assert torch.equal(ours.pred_score, theirs.pred_score)


def test_activation_checkpointing_gives_the_same_gradients():
    host = copy.deepcopy(HOST)
    host['backbone']['drop_path_rate'] = 0.0
    plain = gradients(build({}, host))[1]
    host['backbone']['with_cp'] = True
    for name, gradient in gradients(build({}, host))[1].items():
        torch.testing.assert_close(gradient, plain[name])


def test_four_stages_after_patch_merging_with_classes():
    """The official code's "multiscale", whose grids differ in size."""
    host = copy.deepcopy(HOST)
    host['backbone'].update(
        arch=dict(embed_dims=8, depths=[1] * 4, num_heads=[1, 2, 4, 8]),
        out_indices=(3,),
    )
    host['head']['in_channels'] = 64
    sizes = [(7, 7), (4, 4), (2, 2), (2, 2)]
    model = build(
        dict(
            source=['stages.[012].downsample', 'stages.3'],
            in_channels=[16, 32, 64, 64],
            grid_size=sizes,
            convention='official',
            loss=dict(type='mmdrloc.DRLocCrossEntropyLoss'),
        ),
        host,
    )
    widths = [len(mlp.branches[0].bias) for mlp in model.auxiliary_head.mlps]
    assert widths == [7, 4, 2, 2]
    assert model.loss(*batch())['drloc_raw'].isfinite()


def test_wrong_source_fails_when_the_model_is_built():
    with pytest.raises(UsageError, match="'stages.3'.*SwinTransformer"):
        build(dict(source='stages.3'))


def test_source_without_a_grid_fails_at_the_first_step():
    model = build(dict(source='patch_embed', in_channels=9))
    with pytest.raises(UsageError, match="'patch_embed' \\(PatchEmbed\\)"):
        model.loss(*batch())
