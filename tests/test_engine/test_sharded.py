"""A model in parts, one a process, trains as a whole one does."""

import json

import pytest
import torch
from old_torch import IS_OLD
from several_processes import one_of_tool, start
from tiny_run import write_config

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(IS_OLD, reason='FSDP of torch 2.1 asks for a GPU'),
]
LOSSES = ('loss', 'loss_cls', 'loss_drloc')
WHOLE = """
_base_ = 'tiny.py'
custom_imports = dict(imports=['several_processes'])
model = dict(
    _delete_=True,
    type='mmdrloc.DRLocClassifier',
    backbone=dict(
        type='VisionTransformer',
        arch=dict(
            embed_dims=16, num_layers=2, num_heads=2,
            feedforward_channels=32),
        img_size=24,
        patch_size=8,
        out_type='cls_token'),
    head=dict(type='VisionTransformerClsHead', num_classes=3, in_channels=16),
    auxiliary_head=dict(
        type='mmdrloc.SamePairsHead',
        source='layers.1',
        in_channels=16,
        hidden_channels=12))
optim_wrapper = dict(
    optimizer=dict(_delete_=True, type='AdamW', lr=0.001))
env_cfg = dict(dist_cfg=dict(backend='gloo'))
log_processor = dict(window_size=1)
"""
IN_PARTS = """
_base_ = 'whole.py'
runner_type = 'FlexibleRunner'
strategy = dict(
    type='mmdrloc.FSDPStrategy',
    model_wrapper=dict(
        type='MMFullyShardedDataParallel', use_orig_params=True))
"""


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp('sharded')
    write_config(folder)
    (folder / 'whole.py').write_text(WHOLE)
    (folder / 'parts.py').write_text(IN_PARTS)
    start(one_of_tool, folder / 'whole.py', 1, 2, folder / 'whole')
    start(one_of_tool, folder / 'parts.py', 2, 2, folder / 'parts')
    return folder


def losses(work_dir):
    """Of the last training there."""
    log = sorted(work_dir.glob('*/vis_data/scalars.json'))[-1]
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    return [
        entry[name] for entry in entries if 'lr' in entry for name in LOSSES
    ]


def weights(work_dir):
    checkpoint = torch.load(work_dir / 'epoch_2.pth', weights_only=False)
    return checkpoint['state_dict']


def assert_same_weights(folder):
    whole, parts = weights(folder / 'whole'), weights(folder / 'parts')
    assert list(whole) == list(parts)
    for name, tensor in whole.items():
        torch.testing.assert_close(parts[name], tensor, atol=1e-4, rtol=1e-3)


def test_losses_and_checkpoint_are_those_of_one_process(folder):
    """With the head, whose tap finds the whole tokens."""
    whole = losses(folder / 'whole')
    assert len(whole) == 6 * len(LOSSES)
    assert losses(folder / 'parts') == pytest.approx(whole, abs=1e-4)
    assert_same_weights(folder)


def test_it_goes_on(folder):
    begun = folder / 'parts/epoch_1.pth'
    start(one_of_tool, folder / 'parts.py', 2, 2, folder / 'parts', begun)
    ours, whole = losses(folder / 'parts'), losses(folder / 'whole')
    assert ours == pytest.approx(whole[len(whole) // 2 :], abs=1e-4)
    assert_same_weights(folder)
