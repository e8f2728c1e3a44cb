"""The same messages as MMEngine's, and no step waits for them."""

import json

import numpy as np
import pytest
import torch
from mmengine.config import Config
from mmengine.logging import MessageHub
from mmengine.runner import Runner
from pretend_gpu import Waits, pretend_gpu
from tiny_run import write_config

from mmdrloc.engine.message_hub import DeferringMessageHub
from mmdrloc.engine.runner import DataCheckingRunner

VALUES = (
    torch.tensor(1 / 3),
    0.7,
    torch.tensor([1 / 3], dtype=torch.bfloat16),
    torch.tensor(5),
    torch.tensor(1 / 7, dtype=torch.float64, requires_grad=True),
    float('nan'),
    np.float32(0.1),
    torch.tensor(float('inf')),
)


@pytest.fixture
def hub(request):
    return DeferringMessageHub.get_instance(request.node.name)


def test_values_are_those_of_mmengine(hub, request):
    plain = MessageHub(f'{request.node.name}, plain')
    for count, value in enumerate(VALUES, start=1):
        for either in (hub, plain):
            either.update_scalar('train/loss', value, count)
            either.update_scalar('train/loss_cls', value, resumed=False)
    kept, expected = hub.state_dict(), plain.state_dict()
    assert kept['resumed_keys'] == expected['resumed_keys']
    assert list(kept['log_scalars']) == list(expected['log_scalars'])
    for name in ('train/loss', 'train/loss_cls'):
        for ours, theirs in zip(
            hub.get_scalar(name).data, plain.log_scalars[name].data
        ):
            np.testing.assert_array_equal(ours, theirs)


def test_a_value_stays_what_it_was(hub):
    loss = torch.tensor(2.0)
    hub.update_scalar('train/loss', loss)
    loss.zero_()
    assert hub.get_scalar('train/loss').current() == 2


def test_what_is_no_number_is_refused_as_ever(hub):
    with pytest.raises(AssertionError):
        hub.update_scalar('train/loss', torch.zeros(2))
    with pytest.raises(KeyError):
        hub.get_scalar('train/loss')


def test_the_current_hub_of_mmengine_is_ours(hub):
    assert MessageHub.get_current_instance() is hub


@pytest.mark.parametrize(
    'read',
    [
        lambda hub: hub.log_scalars,
        lambda hub: hub.get_scalar('train/loss'),
        lambda hub: hub.state_dict(),
        lambda hub: hub.update_scalar('train/loss', 1.0),
    ],
)
def test_only_who_reads_waits(hub, read):
    hub.update_scalar('train/time', 0.1)
    with pretend_gpu():
        hub.update_scalar('train/loss', torch.ones((), device='cuda'))
        assert hub.get_scalar('train/time').current() == 0.1
        with pytest.raises(Waits):
            read(hub)


def logged(folder, **options):
    """The lines of a training's log, without the times."""
    folder.mkdir()
    cfg = Config.fromfile(write_config(folder))
    cfg.merge_from_dict(
        {
            'work_dir': str(folder / 'work'),
            'experiment_name': folder.name,
            'default_hooks.logger.interval': 2,
            **options,
        }
    )
    DataCheckingRunner.from_cfg(cfg).train()
    [log] = folder.glob('work/*/vis_data/scalars.json')
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [
        {k: v for k, v in line.items() if 'time' not in k} for line in lines
    ]


def test_a_training_logs_what_it_did(tmp_path, monkeypatch):
    clip = {'optim_wrapper.clip_grad': dict(max_norm=0.1)}
    hooks = dict(custom_hooks=[dict(type='mmdrloc.NonFiniteHook')])
    ours = logged(tmp_path / 'ours', **clip, **hooks)
    monkeypatch.setattr(
        DataCheckingRunner, 'build_message_hub', Runner.build_message_hub
    )
    plain = logged(tmp_path / 'plain', **clip)
    assert ours == plain
    assert {'loss', 'grad_norm'} <= set(ours[0])
